import ArgumentParser
import SyncKit

struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the last runs, what is mirrored, and uploads that wait to go on.",
    discussion: "Asks nothing of the remote.")

  @OptionGroup var common: CommonOptions

  @Argument(help: "A profile; every one where it is left out.")
  var profile: String?

  @Option(help: ArgumentHelp("Another remote of the configuration.", valueName: "name"))
  var remote: String?

  @Option(
    help: ArgumentHelp(
      "Exit with 1 where the last complete run is older, such as 26h.", valueName: "duration"))
  var maxAge: Age?

  @Flag(help: "One JSON object per profile.")
  var json = false

  func run() async throws {
    try await common.reporting {
      let session = try common.session()
      let names = profile.map { [$0] } ?? session.configuration.profileNames
      var isTooOld = false
      for name in names {
        let status = try session.status(of: name, remote: remote)
        if json || !common.quiet { Console.output.line(json ? status.json.encoded : text(status)) }
        if let maxAge, isOlder(status, than: maxAge) {
          isTooOld = true
          common.logger.error("\(name): the last complete run is older than \(maxAge.text)")
        }
      }
      if isTooOld { throw ExitCode(ExitStatus.someFailed.rawValue) }
    }
  }

  private func isOlder(_ status: ProfileStatus, than age: Age) -> Bool {
    guard let last = status.lastComplete else { return true }
    return systemNow() - last > age.nanoseconds
  }

  private func text(_ status: ProfileStatus) -> String {
    let style = common.style(for: .output)
    var lines = [
      style.bold("\(status.profile) → \(status.remote)")
        + ": \(Units.count(status.objects, "object", "objects")), \(Units.bytes(status.bytes))"
        + (status.inDoubt > 0 ? ", \(status.inDoubt) in doubt" : "")
    ]
    if status.runs.isEmpty { lines.append("  no run yet") }
    lines += status.runs.map { "  \(line($0))" }
    lines += status.uploads.map {
      "  waiting: \(printable($0.key)), \(Units.bytes($0.sent)) of \(Units.bytes($0.size)) sent"
    }
    return lines.joined(separator: "\n")
  }

  private func line(_ run: RunRecord) -> String {
    let outcome =
      switch run.status {
      case nil: "not finished"
      case 0: "complete"
      case 1: "\(run.failed) failed"
      case .some(let status): "stopped with status \(status)"
      }
    let work = "\(run.uploaded) uploaded (\(Units.bytes(run.bytes))), \(run.deleted) deleted"
    return "\(Units.time(run.startedAt))  \(outcome): \(work)"
  }
}

/// `26h`, as the configuration writes durations.
struct Age: ExpressibleByArgument {
  let text: String
  let nanoseconds: Int64

  init?(argument: String) {
    guard let duration = ConfigType<Duration>.duration.parse(argument, .ofArguments) else { return nil }
    text = argument
    nanoseconds = Int64((duration / .seconds(1)) * 1e9)
  }
}

extension ProfileStatus {
  fileprivate var json: JSONValue {
    .object([
      ("profile", .text(profile)), ("remote", .text(remote)), ("objects", .number(objects)),
      ("bytes", .number(bytes)), ("in_doubt", .number(inDoubt)),
      ("last_complete", lastComplete.map { .text(Units.time($0)) } ?? .null),
      ("runs", .list(runs.map(\.json))),
      (
        "uploads",
        .list(
          uploads.map {
            .object([
              ("key", .text(printable($0.key))), ("size", .number($0.size)), ("sent", .number($0.sent)),
              ("begun", .text(Units.time($0.begun))),
            ])
          })
      ),
    ])
  }
}

extension RunRecord {
  fileprivate var json: JSONValue {
    .object([
      ("started", .text(Units.time(startedAt))),
      ("finished", finishedAt.map { .text(Units.time($0)) } ?? .null),
      ("status", status.map { .number(Int64($0)) } ?? .null), ("uploaded", .number(uploaded)),
      ("deleted", .number(deleted)), ("failed", .number(failed)), ("bytes", .number(bytes)),
    ])
  }
}
