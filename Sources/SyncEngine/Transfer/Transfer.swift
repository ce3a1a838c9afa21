import SyncBackend
import SyncManifest

/// Carries out a plan: touches, deletions that must come first, uploads, leftovers, deletions.
struct Transfer: Sendable {
  /// Large files under way at once. Their parts share the slots with the small files; more of them would only
  /// leave more uploads unfinished when the run is stopped.
  private static let largeFiles = 4
  private static let progressInterval: Duration = .milliseconds(250)

  let context: TransferContext
  let plan: Plan

  func run() async throws {
    try await markInDoubt()
    try await touch()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await reportProgress() }
      group.addTask { try await changeRemote() }
      // Progress never ends by itself.
      _ = try await group.next()
      group.cancelAll()
    }
    try checkRemote()
  }

  private func changeRemote() async throws {
    let deletions = Deletions(context: context, spool: plan.spool)
    try await deletions.run(early: true)
    context.meter.expect(files: plan.totals.uploads, bytes: plan.totals.uploadBytes)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await send(.largestFirst, atMost: Transfer.largeFiles) { $0.partSize > 0 } }
      group.addTask { try await send(.key, atMost: context.slots.count) { $0.partSize == 0 } }
      try await group.waitForAll()
    }
    try await context.forgetStaleUploads()
    try await deletions.run(early: false)
  }

  /// All rows that the plan may touch, in one durable transaction, before the first request. Also those of keys that
  /// are new to their mapping: another source may have been mirrored to the same prefix before.
  private func markInDoubt() async throws {
    guard plan.totals.changesRemote else { return }
    let (spool, manifest) = (plan.spool, context.manifest)
    try await context.blocking.run {
      var pages = spool.keyPages(of: [.upload, .delete], isRecordedOnly: false)
      try manifest.markInDoubt { try pages.next() }
    }
  }

  private func send(
    _ order: ChangeSpool.Order, atMost width: Int, where isMine: (SpooledChange) -> Bool
  ) async throws {
    let reader = SpoolReader(plan.spool, [.upload], order: order, context.blocking)
    try await concurrently(atMost: width) {
      while let change = try await reader.next() {
        if isMine(change) { return change }
      }
      return nil
    } _: { change in
      try await FileTransfer(context: context, change: change).run()
    } collect: {
    }
  }

  private func touch() async throws {
    let reader = SpoolReader(plan.spool, [.touch], order: .key, context.blocking)
    try await concurrently(atMost: 64) {
      try await reader.next()
    } _: { change in
      guard let stamp = change.stamp else { return }
      try await context.manifest.touch(key: change.key, stamp: stamp, readAt: plan.readAt)
      context.tally.add { $0.touched += 1 }
    } collect: {
    }
  }

  private func reportProgress() async throws {
    guard plan.totals.changesRemote else { return try await Task.sleep(for: .seconds(1 << 30)) }
    let begun = context.timing.uptime()
    while true {
      try await Task.sleep(for: Transfer.progressInterval)
      await context.events.send(.progress(context.meter.snapshot(seconds: context.timing.uptime() - begun)))
    }
  }

  /// Where nothing was accepted, it is the remote's state and not the files'.
  private func checkRemote() throws {
    let counts = context.tally.current
    guard let refusal = counts.lastRefusal, counts.refusals == counts.failed, !context.calls.hasSucceeded
    else { return }
    throw MirrorError.remoteUnavailable(refusal)
  }
}
