import ArgumentParser
import Foundation
import SyncKit

struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Write a commented configuration to start from.",
    discussion: "Writes ./config.yaml, or the file that --config names. Never over one that exists.")

  @OptionGroup var common: CommonOptions

  func run() async throws {
    try await common.reporting {
      let path = common.configuration ?? "config.yaml"
      // Secrets may come to stand in it.
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        let reason = errno == EEXIST ? "it exists already" : String(cString: strerror(errno))
        throw Failed(.usage, "\(path) was not written: \(reason)")
      }
      Console(descriptor: descriptor).write(starterConfiguration)
      close(descriptor)
      if !common.quiet {
        Console.output.line("wrote \(path); edit it, then try: sync plan documents -c \(path)")
      }
    }
  }
}
