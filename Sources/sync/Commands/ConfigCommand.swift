import ArgumentParser
import SyncKit

struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Check, show and describe the configuration.",
    subcommands: [Check.self, Show.self, Schema.self])

  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Find everything that is wrong with the configuration.",
      discussion: "With a profile, also whether the environment variables that it needs are set.")

    @OptionGroup var common: CommonOptions

    @Argument(help: "A profile of the configuration.")
    var profile: String?

    func run() async throws {
      try await common.reporting {
        let session = try common.session()
        if let profile { try session.check(profile) }
        if !common.quiet { Console.output.line("\(session.configuration.path): fine") }
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Print a profile with all that it inherits, secrets masked.")

    @OptionGroup var common: CommonOptions

    @Argument(help: "A profile; every one where it is left out.")
    var profile: String?

    @Option(help: ArgumentHelp("With another remote of the configuration.", valueName: "name"))
    var remote: String?

    func run() async throws {
      try await common.reporting {
        let session = try common.session()
        let names = profile.map { [$0] } ?? session.configuration.profileNames
        for (index, name) in names.enumerated() {
          // Several are several documents.
          if index > 0 { Console.output.line("---") }
          Console.output.write(try session.configuration.show(profile: name, remote: remote))
        }
      }
    }
  }

  struct Schema: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "schema", abstract: "Print the JSON Schema of the configuration.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
      Console.output.line(Session.configurationSchema())
    }
  }
}
