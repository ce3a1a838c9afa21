import Digests
import SyncBackend
import SyncManifest

/// A run's plan: every change in the spool, and what it takes.
struct Plan: Sendable {
  let spool: ChangeSpool
  let sources: [SourceDirectory]
  /// When the sources began to be read, in nanoseconds since 1970.
  let readAt: Int64
  var totals: PlanTotals
}

/// Scans, compares and guards: all that `plan` and `run` share. Asks nothing of the remote and writes no state.
struct Planner: Sendable {
  let job: MirrorJob
  let capabilities: Capabilities
  /// nil where nothing was mirrored to the target yet.
  let manifest: Manifest?
  let mappings: [MappingID?]
  let digests: DigestService
  let blocking: BlockingWork
  let timing: Timing

  func plan() async throws -> Plan {
    let spool = try ChangeSpool()
    let readAt = timing.now()
    let guards = Guards(job: job)
    var totals = PlanTotals()
    var sources: [SourceDirectory] = []
    for (index, directory) in job.directories.enumerated() {
      let source = try await blocking.run { try open(directory, guards) }
      sources.append(source)
      let (summary, counts) = try await blocking.run { flag in
        try named(directory) { try compare(index, source, spool, flag) }
      }
      try guards.check(directory, entriesSeen: summary.entriesSeen)
      totals.add(summary, counts)
    }
    if let manifest {
      try await ContentCheck(
        sources: sources, symlinks: job.symlinks, manifest: manifest, digests: digests, blocking: blocking,
        spool: spool
      ).run()
    }
    if capabilities.isHierarchical {
      try await blocking.run { _ = try spool.markObstacles() }
    }
    totals.add(try await blocking.run { try spool.totals() }, capabilities)
    return Plan(spool: spool, sources: sources, readAt: readAt, totals: totals)
  }

  private func open(_ directory: MirrorDirectory, _ guards: Guards) throws -> SourceDirectory {
    try named(directory) {
      let source = try SourceDirectory(path: directory.source)
      try guards.checkSource(directory)
      return source
    }
  }

  /// Says which source can't be read.
  private func named<Value>(_ directory: MirrorDirectory, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as SourceError {
      let message = "\(directory.source): \(error)"
      throw error.kind == .temporaryFile
        ? MirrorError.stateUnavailable(message) : MirrorError.sourceUnavailable(message)
    }
  }

  private func compare(
    _ index: Int, _ source: SourceDirectory, _ spool: ChangeSpool, _ flag: CancellationFlag
  ) throws -> (ScanSummary, Diff.Counts) {
    let scanner = Scanner(source, ScanOptions(filter: job.filter, symlinks: job.symlinks))
    var diff = Diff(
      directory: index, job: job, scanner: scanner, capabilities: capabilities, spool: spool)
    if let manifest, let mapping = mappings[index] {
      let summary = try manifest.withRows(of: mapping) { try diff.run(&$0, flag) }
      return (summary, diff.counts)
    }
    var none = NoRows()
    return (try diff.run(&none, flag), diff.counts)
  }
}

extension PlanTotals {
  fileprivate mutating func add(_ summary: ScanSummary, _ counts: Diff.Counts) {
    unchanged += counts.unchanged
    kept += counts.kept
    mirrored += counts.rows
    hidden.excluded += summary.excluded
    hidden.symlinks += summary.skippedSymlinks
    hidden.specialFiles += summary.specialFiles
  }

  fileprivate mutating func add(_ spooled: [SpooledChange.Action: SpoolTotals], _ capabilities: Capabilities)
  {
    let upload = spooled[.upload] ?? SpoolTotals()
    uploads = upload.count
    uploadBytes = upload.bytes
    parts = upload.parts
    deletions = spooled[.delete]?.count ?? 0
    touches = spooled[.touch]?.count ?? 0
    failures = spooled[.conflict]?.count ?? 0
    let batch = Int64(capabilities.deleteBatch.maximumCount)
    // A file in parts takes begin and complete besides them.
    requests = uploads + parts + upload.multipart + (deletions + batch - 1) / batch
  }
}
