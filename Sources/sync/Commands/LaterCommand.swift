import ArgumentParser

/// Commands of the contract that this version does not have yet. Without them `sync verify photos` would be taken
/// for a run of two profiles.
struct LaterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", shouldDisplay: false, aliases: ["verify", "adopt", "restore", "uploads", "doctor"])

  @Argument(parsing: .allUnrecognized)
  var arguments: [String] = []

  func run() async throws {
    let name = CommandWords.current.command.joined(separator: " ")
    throw ValidationError("\(name) is not supported by this version.")
  }
}
