import ArgumentParser
import SyncKit

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "run", abstract: "Mirror profiles now.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var options: MirrorOptions

  @Argument(help: "Profiles of the configuration.")
  var profile: [String] = []

  @Flag(help: "Every profile of the configuration, in its order.")
  var all = false

  @Flag(name: [.customShort("n"), .long], help: "Only show what would be done, as `plan` does.")
  var dryRun = false

  func validate() throws {
    if profile.isEmpty, !all { throw ValidationError("Name a profile to run, or --all.") }
    if !profile.isEmpty, all { throw ValidationError("Name profiles or --all, not both.") }
  }

  func run() async throws {
    try await common.reporting {
      let session = try common.session()
      let profiles = all ? session.configuration.profileNames : profile
      try await MirrorProfiles(session: session, common: common, options: options, isDryRun: dryRun)
        .run(profiles)
    }
  }
}

struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Show what a run would upload, delete or leave, and why.",
    discussion: "Sends nothing and writes no state.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var options: MirrorOptions

  @Argument(help: "A profile of the configuration.")
  var profile: String

  @Flag(help: "Exit with 2 where there is something to do.")
  var exitCode = false

  @Option(help: .hidden)
  var out: String?

  func validate() throws {
    if out != nil { throw ValidationError("--out is not supported by this version.") }
  }

  func run() async throws {
    try await common.reporting {
      let session = try common.session()
      let mirror = MirrorProfiles(session: session, common: common, options: options, isDryRun: true)
      let summary = try await mirror.run([profile])
      if exitCode, summary.contains(where: \.plan.changesRemote) {
        throw ExitCode(ExitStatus.differences.rawValue)
      }
    }
  }
}
