import Logging
import SyncKit

/// Shows the facts of a run to somebody.
protocol EventReader: Sendable {
  func read(_ event: Event)
}

/// `--json`: one object per line on standard output, written as it happens.
struct JSONLines: EventReader {
  func read(_ event: Event) {
    Console.output.line(event.json(at: Units.time(systemNow())).encoded)
  }
}

/// Failures and repeats, on standard error.
struct TroubleLog: EventReader {
  let logger: Logger

  func read(_ event: Event) {
    switch event {
    case .failed(let failure):
      logger.error("\(printable(failure.path)): \(failure.message)")
    case .retry(let retried):
      logger.info(
        "\(retried.operation) of \(printable(retried.key)), attempt \(retried.attempt): \(retried.error); again in \(Units.seconds(retried.delay / .seconds(1)))"
      )
    default: break
    }
  }
}

/// What a plan would do, one line a change. Touches, which concern only the manifest, are for the verbose.
struct PlanReport: EventReader {
  let style: Style
  let isVerbose: Bool

  func read(_ event: Event) {
    switch event {
    case .planned(let planned) where isVerbose || planned.action != .touch:
      Console.output.line(line(planned))
    case .runFinished(let summary) where summary.isDryRun: Console.output.line(total(summary))
    default: break
    }
  }

  private func line(_ planned: PlannedAction) -> String {
    let action = planned.action.rawValue
    let padded = action + String(repeating: " ", count: 7 - action.count)
    let coloured =
      switch planned.action {
      case .upload: style.green(padded)
      case .delete: style.red(padded)
      case .skip, .touch: style.dim(padded)
      }
    let size = planned.action == .upload ? "  \(Units.bytes(planned.size))" : ""
    return "\(coloured) \(printable(planned.path))\(size)  \(style.dim("(\(planned.reason))"))"
  }

  private func total(_ summary: RunSummary) -> String {
    let plan = summary.plan
    var pieces: [String] = []
    if plan.uploads > 0 {
      let parts = plan.parts > 0 ? ", \(Units.count(plan.parts, "part", "parts"))" : ""
      pieces.append("\(plan.uploads) to upload (\(Units.bytes(plan.uploadBytes))\(parts))")
    }
    if plan.deletions > 0 { pieces.append("\(plan.deletions) to delete") }
    if plan.kept > 0 { pieces.append("\(plan.kept) gone here but kept") }
    if plan.failures > 0 { pieces.append("\(plan.failures) that can't be mirrored") }
    if pieces.isEmpty { pieces.append("nothing to do") }
    pieces.append("\(plan.unchanged + plan.touches) unchanged")
    if plan.requests > 0 { pieces.append("about \(Units.count(plan.requests, "request", "requests"))") }
    return "\(summary.profile) → \(summary.remote): " + pieces.joined(separator: ", ")
  }
}

/// The line at the end of a run. Without a terminal there is none where nothing happened: cron sends no mail.
struct RunReport: EventReader {
  let isVerbose: Bool
  let speaksAlways: Bool

  func read(_ event: Event) {
    switch event {
    case .uploadFinished(let upload) where isVerbose:
      Console.output.line("uploaded \(printable(upload.path))  \(Units.bytes(upload.size))")
    case .deleted(let deleted) where isVerbose:
      Console.output.line("deleted \(printable(deleted.path))")
    case .runFinished(let summary) where !summary.isDryRun && (speaksAlways || summary.didSomething):
      Console.output.line(line(summary))
    default: break
    }
  }

  private func line(_ summary: RunSummary) -> String {
    var pieces: [String] = []
    if summary.uploaded > 0 {
      pieces.append("\(summary.uploaded) uploaded (\(Units.bytes(summary.uploadedBytes)))")
    }
    if summary.resumedParts > 0 {
      pieces.append("\(Units.count(summary.resumedParts, "part", "parts")) resumed")
    }
    if summary.deleted > 0 { pieces.append("\(summary.deleted) deleted") }
    if summary.failed > 0 { pieces.append("\(summary.failed) failed") }
    if pieces.isEmpty { pieces.append("nothing to do") }
    pieces.append("\(summary.unchanged + summary.touched) unchanged")
    if summary.kept > 0 { pieces.append("\(summary.kept) gone here but kept") }
    pieces.append(Units.seconds(summary.seconds))
    return "\(summary.profile) → \(summary.remote): " + pieces.joined(separator: ", ")
  }
}

extension RunSummary {
  fileprivate var didSomething: Bool { uploaded > 0 || deleted > 0 || failed > 0 }
}
