import ArgumentParser
import SyncKit

/// Runs or plans profiles one after the other, for `run` and `plan`.
struct MirrorProfiles {
  let session: Session
  let common: CommonOptions
  let options: MirrorOptions
  let isDryRun: Bool

  /// Throws the exit status of the worst run where one was not complete.
  @discardableResult
  func run(_ profiles: [String]) async throws -> [RunSummary] {
    // Before the first run, so that a mistake in the last one is found at once.
    for profile in profiles { try session.check(profile, options.overrides(common)) }
    let stop = StopSignals()
    let readers = readers
    var summaries: [RunSummary] = []
    for profile in profiles {
      let (summary, error) = try await stop.cancelling {
        try await session.run(
          profile, options.overrides(common), isDryRun: isDryRun, stopStatus: { stop.status }
        ) { event in
          for reader in readers { reader.read(event) }
        }
      }
      if let error { common.logger.error("\(profile): \(error)") }
      summaries.append(summary)
      if stop.isStopping { break }
    }
    let worst = summaries.map(\.status).max() ?? 0
    if worst != 0 { throw ExitCode(Int32(worst)) }
    return summaries
  }

  private var readers: [any EventReader] {
    let trouble = TroubleLog(logger: common.logger)
    let progress = showsProgress ? [TerminalProgress(.error, isVerbose: common.verbose)] : []
    if options.json { return progress + [JSONLines(), trouble] }
    if common.quiet { return progress + [trouble] }
    let style = common.style(for: .output)
    if isDryRun { return progress + [PlanReport(style: style, isVerbose: common.verbose), trouble] }
    let report = RunReport(
      isVerbose: common.verbose, speaksAlways: Console.output.isTerminal || common.verbose)
    return progress + [report, trouble]
  }

  private var showsProgress: Bool {
    switch options.progress {
    case .always: true
    case .never: false
    case .auto: Console.error.isTerminal && !common.quiet && !isDryRun
    }
  }
}
