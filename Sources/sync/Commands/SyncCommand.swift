import ArgumentParser
import Foundation
import SyncKit

@main
struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Mirrors folders into buckets: exactly, resumably, and without asking when nothing changed.",
    discussion:
      "Without a subcommand, the arguments are profiles to run: `sync photos` is `sync run photos`.",
    version: Version.current,
    subcommands: [
      RunCommand.self, PlanCommand.self, StatusCommand.self, BackendsCommand.self, ConfigCommand.self,
      InitCommand.self, LaterCommand.self,
    ],
    defaultSubcommand: RunCommand.self)

  static func main() async {
    // A reader that goes away is an error of `write`, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    await main(nil)
  }
}
