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
    // All names are looked up before the first run, so that a typing error is found at once.
    try checkNames(profiles)
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

  private func checkNames(_ profiles: [String]) throws {
    let configuration = session.configuration
    do {
      for profile in profiles { _ = try configuration.profile(named: profile) }
      if let remote = options.remote { _ = try configuration.remote(named: remote) }
    } catch {
      let areKnown =
        Set(profiles).isSubset(of: configuration.profileNames)
        && options.remote.map(configuration.remoteNames.contains) ?? true
      if areKnown { throw error }
      throw Failed(.usage, "\(error)")
    }
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
