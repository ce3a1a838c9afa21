import ArgumentParser
import Foundation
import Logging
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
    // A standard stream that is closed would be whatever is opened next, and messages would go there.
    while case let descriptor = open("/dev/null", O_RDWR), descriptor >= 0 {
      if descriptor > STDERR_FILENO {
        close(descriptor)
        break
      }
    }
    let words = CommandWords.current
    do {
      var command = try parseAsRoot(words.ordered)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      end(error, words.logFormat)
    }
  }

  /// Who collects the log as JSON can't read the parser's text.
  private static func end(_ error: any Error, _ format: ErrorLog.Format) -> Never {
    let status = exitCode(for: error)
    let message = message(for: error)
    guard format == .json, !status.isSuccess, !message.isEmpty else { exit(withError: error) }
    Logger(label: "sync") { _ in ErrorLog(level: .error, format: format) }.error("\(message)")
    exit(withError: status)
  }
}
