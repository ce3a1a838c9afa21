import ArgumentParser

/// Commands of the contract that this version does not have yet. Without them `sync verify photos` would be taken
/// for a run of two profiles.
struct LaterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", shouldDisplay: false, aliases: ["verify", "adopt", "restore", "uploads", "doctor"])

  @Argument(parsing: .allUnrecognized)
  var arguments: [String] = []

  func run() async throws {
    throw ValidationError("this command is not supported by this version.")
  }
}
