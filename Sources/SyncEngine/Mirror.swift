import Digests
import SyncBackend
import SyncManifest

/// One run of a profile: config → scan → diff → plan → transfer → manifest.
public struct Mirror: Sendable {
  private let job: MirrorJob
  private let backend: any Backend
  private let digests: DigestService
  private let timing: Timing
  private let events: EventQueue
  private let stopStatus: @Sendable () -> Int
  private let blocking = BlockingWork(label: "sync.mirror")

  /// - Parameter stopStatus: the exit status of a run whose task was cancelled.
  public init(
    _ job: MirrorJob, backend: any Backend, digests: DigestService, timing: Timing, events: EventQueue,
    stopStatus: @escaping @Sendable () -> Int
  ) {
    self.job = job
    self.backend = backend
    self.digests = digests
    self.timing = timing
    self.events = events
    self.stopStatus = stopStatus
  }

  /// Mirrors, or with `isDryRun` only plans. Everything that happens is sent as events, `run_finished` last.
  ///
  /// - Returns: the summary, and why the run stopped as a whole, if it did.
  public func run(isDryRun: Bool) async -> (summary: RunSummary, error: MirrorError?) {
    let begun = timing.uptime()
    await events.send(
      .runStarted(RunStarted(profile: job.profile, remote: job.remote, isDryRun: isDryRun)))
    var summary = RunSummary(profile: job.profile, remote: job.remote, isDryRun: isDryRun)
    var failure: MirrorError?
    do {
      try await isDryRun ? preview(&summary) : mirror(&summary)
      summary.status = summary.failed > 0 ? 1 : 0
    } catch is CancellationError {
      summary.status = stopStatus()
    } catch {
      let stop = error as? MirrorError ?? .stateUnavailable("\(error)")
      failure = stop
      summary.status = stop.status
    }
    summary.seconds = timing.uptime() - begun
    await events.send(.runFinished(summary))
    return (summary, failure)
  }

  // MARK: - What plan and run share

  private func plan(_ manifest: Manifest?, _ mappings: [MappingID?], _ summary: inout RunSummary) async throws
    -> Plan
  {
    let planner = Planner(
      job: job, capabilities: backend.capabilities, manifest: manifest, mappings: mappings, digests: digests,
      blocking: blocking, timing: timing)
    let plan = try await planner.plan()
    summary.take(plan.totals)
    try await announce(plan)
    try Guards(job: job).check(plan.totals)
    return plan
  }

  private func announce(_ plan: Plan) async throws {
    let reader = SpoolReader(plan.spool, Set(SpooledChange.Action.allCases), order: .key, blocking)
    while let change = try await reader.next() {
      try Task.checkCancellation()
      if change.action == .conflict {
        await events.send(
          .failed(
            Failure(
              path: change.path, key: change.key, code: "refused", message: change.reason, isRetryable: false)
          ))
      } else if let action = PlannedAction.Action(change.action) {
        await events.send(
          .planned(
            PlannedAction(
              action: action, path: change.path, key: change.key, size: change.size, reason: change.reason)))
      }
    }
  }

  private func preview(_ summary: inout RunSummary) async throws {
    let manifest = try Manifest.openExisting(stateDirectory: job.stateDirectory, identity: job.identity)
    defer { try? manifest?.close() }
    let mappings = try job.directories.map {
      try manifest?.existingMapping(source: Array($0.source.utf8), keyPrefix: $0.keyPrefix.bytes)
    }
    _ = try await plan(manifest, mappings, &summary)
  }

  // MARK: - The run

  private func mirror(_ summary: inout RunSummary) async throws {
    let locks = try lockMappings()
    defer { withExtendedLifetime(locks) {} }
    let manifest = try Manifest.open(stateDirectory: job.stateDirectory, identity: job.identity)
    defer { try? manifest.close() }
    var record = RunRecord(profile: job.profile, startedAt: timing.now())
    record.id = try await manifest.beginRun(profile: job.profile, at: record.startedAt)
    do {
      try await mirror(manifest, &summary)
      try await finish(record, status: summary.failed > 0 ? 1 : 0, summary, manifest)
    } catch {
      let status = error is CancellationError ? stopStatus() : (error as? MirrorError)?.status ?? 70
      try? await finish(record, status: status, summary, manifest)
      throw error
    }
  }

  private func mirror(_ manifest: Manifest, _ summary: inout RunSummary) async throws {
    var mappings: [MappingID] = []
    for directory in job.directories {
      mappings.append(
        try await manifest.mapping(source: Array(directory.source.utf8), keyPrefix: directory.keyPrefix.bytes)
      )
    }
    let plan = try await plan(manifest, mappings, &summary)
    let policy = RetryPolicy(attempts: job.transfer.attempts ?? RetryPolicy.automaticAttempts)
    let context = TransferContext(
      job: job, sources: plan.sources, mappings: mappings, manifest: manifest,
      calls: RemoteCalls(backend, policy: policy, timing: timing, events: events),
      slots: Slots(job.transfer.slots), digests: digests, events: events, meter: ProgressMeter(),
      timing: timing, tally: Tally(), blocking: blocking,
      fingerprint: OptionsFingerprint(job.transfer, backend.capabilities))
    defer { summary.take(context) }
    try await Transfer(context: context, plan: plan).run()
  }

  private func lockMappings() throws -> [MappingLock] {
    try job.directories.map { try lock($0) }
  }

  private func lock(_ directory: MirrorDirectory) throws -> MappingLock {
    do {
      return try MappingLock.acquire(
        stateDirectory: job.stateDirectory, identity: job.identity, source: Array(directory.source.utf8),
        keyPrefix: directory.keyPrefix.bytes)
    } catch {
      guard case .held(let pid, _) = error else { throw MirrorError.stateUnavailable("\(error)") }
      let holder = pid.map { "process \($0)" } ?? "another process"
      throw MirrorError.held(
        pid: pid, "\(directory.source): \(holder) is mirroring it to \(job.remote); this run did nothing")
    }
  }

  private func finish(
    _ run: RunRecord, status: Int, _ summary: RunSummary, _ manifest: Manifest
  ) async throws {
    var run = run
    run.finishedAt = timing.now()
    run.status = status
    run.uploaded = summary.uploaded
    run.deleted = summary.deleted
    run.failed = summary.failed
    run.bytes = summary.uploadedBytes
    try await manifest.finishRun(run)
  }
}

extension PlannedAction.Action {
  fileprivate init?(_ action: SpooledChange.Action) {
    switch action {
    case .upload: self = .upload
    case .delete: self = .delete
    case .touch: self = .touch
    case .skip: self = .skip
    case .check, .conflict: return nil
    }
  }
}

extension RunSummary {
  fileprivate mutating func take(_ totals: PlanTotals) {
    plan = totals
    unchanged = totals.unchanged
    kept = totals.kept
    failed = totals.failures
    hidden = totals.hidden
  }

  fileprivate mutating func take(_ context: TransferContext) {
    let counts = context.tally.current
    uploaded = counts.uploaded
    uploadedBytes = counts.uploadedBytes
    deleted = counts.deleted
    touched = counts.touched
    failed = plan.failures + counts.failed
    resumedParts = counts.resumedParts
    remoteRequests = context.calls.requests
  }
}
