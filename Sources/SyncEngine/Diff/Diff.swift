import Glibc
import SyncBackend
import SyncManifest

/// Merges the walk of one directory with the manifest's rows of it, both in the one order, and spools what differs.
/// Constant memory; nothing is asked of the remote.
struct Diff {
  /// What the merge counted besides the changes in the spool.
  struct Counts {
    var unchanged: Int64 = 0
    /// Gone here, but deleting is off.
    var kept: Int64 = 0
    var rows: Int64 = 0
  }

  /// The directory's place in the job.
  let directory: Int
  let job: MirrorJob
  let scanner: Scanner
  let rules: KeyRules
  let sizing: PartSizing
  let fingerprint: OptionsFingerprint
  let spool: ChangeSpool

  private(set) var counts = Counts()
  private var hidden = HiddenLeaves()
  private let prefix: [UInt8]
  /// The stream stands on a row.
  private var hasRow = false
  private var cancellation = CancellationFlag()

  init(
    directory: Int, job: MirrorJob, scanner: Scanner, capabilities: Capabilities, spool: ChangeSpool
  ) {
    self.directory = directory
    self.job = job
    self.scanner = scanner
    rules = KeyRules(capabilities.keys)
    sizing = PartSizing(capabilities, job.transfer)
    fingerprint = OptionsFingerprint(job.transfer, capabilities)
    self.spool = spool
    prefix = job.directories[directory].keyPrefix.bytes
  }

  mutating func run(_ rows: inout some RowStream & ~Copyable, _ flag: CancellationFlag) throws -> ScanSummary
  {
    cancellation = flag
    hasRow = try rows.next()
    let summary = try scanner.scan { path, item in
      try checkCancellation()
      try visit(path, item, &rows)
    }
    while hasRow { try goneThenAdvance(&rows) }
    return summary
  }

  private mutating func visit(
    _ path: UnsafeBufferPointer<UInt8>, _ item: ScanItem, _ rows: inout some RowStream & ~Copyable
  ) throws {
    while hasRow, compare(rows.path(prefix.count), path) < 0 { try goneThenAdvance(&rows) }
    switch item {
    case .file(let stamp):
      if hasRow, compare(rows.path(prefix.count), path) == 0 {
        try met(path, stamp, rows)
        try countThenAdvance(&rows)
      } else {
        try spoolUpload(path, stamp, reason: "new", isRecorded: false)
      }
    case .hidden(_, let isTree):
      try hide(path, isTree: isTree, &rows)
    case .unreadable(let code, let isTree):
      try spoolProblem(path, "it can't be read: \(systemMessage(code))")
      try hide(path, isTree: isTree, &rows)
    }
  }

  private func checkCancellation() throws {
    if cancellation.isRaised { throw CancellationError() }
  }

  // MARK: - A file that has a row

  private mutating func met(
    _ path: UnsafeBufferPointer<UInt8>, _ stamp: FileStamp, _ row: borrowing some RowStream & ~Copyable
  ) throws {
    let known = row.stamp
    if row.isInDoubt {
      return try spoolUpload(path, stamp, reason: "in doubt after an interrupted run", isRecorded: true)
    }
    if known.size != stamp.size {
      return try spoolUpload(path, stamp, reason: "size \(known.size) → \(stamp.size)", isRecorded: true)
    }
    if !row.hasOptions(row.isMultipart ? fingerprint.multipart : fingerprint.put) {
      return try spoolUpload(path, stamp, reason: "options changed", isRecorded: true)
    }
    guard job.comparesContent || known != stamp || known.isRacy(readAt: row.readAt) else {
      counts.unchanged += 1
      if job.reportsUnchanged { try spoolChange(path, .skip, "unchanged", stamp, isRecorded: true) }
      return
    }
    try spoolChange(path, .check, "content", stamp, isRecorded: true)
  }

  // MARK: - A row that has no file

  private mutating func goneThenAdvance(_ rows: inout some RowStream & ~Copyable) throws {
    // A million files may be gone, and each is looked for.
    try checkCancellation()
    let path = Array(rows.path(prefix.count))
    if !hidden.cover(path), !scanner.wouldHide(path) {
      let stamp = rows.stamp
      if !job.deletes { counts.kept += 1 }
      try path.withUnsafeBufferPointer { bytes in
        job.deletes
          ? try spoolChange(bytes, .delete, "gone here", stamp, isRecorded: true)
          : try spoolChange(bytes, .skip, Diff.keptReason, stamp, isRecorded: true)
      }
    }
    try countThenAdvance(&rows)
  }

  static let keptReason = "gone here, kept there: delete is off"

  private mutating func hide(
    _ path: UnsafeBufferPointer<UInt8>, isTree: Bool, _ rows: inout some RowStream & ~Copyable
  ) throws {
    if isTree {
      while hasRow, rows.path(prefix.count).starts(with: path) { try countThenAdvance(&rows) }
    } else {
      hidden.add(Array(path))
      if hasRow, compare(rows.path(prefix.count), path) == 0 { try countThenAdvance(&rows) }
    }
  }

  private mutating func countThenAdvance(_ rows: inout some RowStream & ~Copyable) throws {
    counts.rows += 1
    hasRow = try rows.next()
  }

  // MARK: - The spool

  private func spoolUpload(
    _ path: UnsafeBufferPointer<UInt8>, _ stamp: FileStamp, reason: String, isRecorded: Bool
  ) throws {
    let key = prefix + path
    if let refusal = key.withUnsafeBufferPointer(rules.refusal(of:)) {
      return try spoolProblem(path, refusal)
    }
    if case .tooLarge(let limit) = sizing.choice(forSize: stamp.size) {
      return try spoolProblem(path, "it has \(stamp.size) bytes and the remote takes \(limit)")
    }
    try spoolChange(path, .upload, reason, stamp, isRecorded: isRecorded)
  }

  private func spoolProblem(_ path: UnsafeBufferPointer<UInt8>, _ reason: String) throws {
    try spoolChange(path, .conflict, reason, nil, isRecorded: false)
  }

  private func spoolChange(
    _ path: UnsafeBufferPointer<UInt8>, _ action: SpooledChange.Action, _ reason: String, _ stamp: FileStamp?,
    isRecorded: Bool
  ) throws {
    var partSize: Int64 = 0
    if let stamp, case .parts(let size) = sizing.choice(forSize: stamp.size) { partSize = size }
    try spool.append(
      SpooledChange(
        directory: directory, path: Array(path), key: prefix + path, action: action, reason: reason,
        size: stamp?.size ?? 0, stamp: stamp, isRecorded: isRecorded, partSize: partSize))
  }
}

/// Rows in key order, as the manifest's cursor gives them. All but `next` is defined only while on a row.
protocol RowStream: ~Copyable {
  mutating func next() throws -> Bool
  /// Valid until `next`.
  var key: UnsafeRawBufferPointer { get }
  var stamp: FileStamp { get }
  var readAt: Int64 { get }
  var isInDoubt: Bool { get }
  var isMultipart: Bool { get }
  func hasOptions(_ fingerprint: [UInt8]) -> Bool
}

extension RowStream where Self: ~Copyable {
  /// The key without the mapping's prefix.
  fileprivate func path(_ prefix: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeRawBufferPointer(rebasing: key.dropFirst(prefix)).assumingMemoryBound(to: UInt8.self)
  }
}

extension RowCursor: RowStream {}

/// Byte order, as the walk, SQLite and S3 have it: negative where `left` comes first.
private func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
  let common = min(left.count, right.count)
  if common > 0, let first = left.baseAddress, let second = right.baseAddress {
    let order = memcmp(first, second, common)
    if order != 0 { return Int(order) }
  }
  return left.count - right.count
}

/// Entries that are no directories any more but hide what was recorded below them (a symlink where a folder was).
/// Rows below `name` come after its neighbours `name-…` and `name.…`, so a leaf is kept until the walk is past it.
private struct HiddenLeaves {
  private var leaves: [[UInt8]] = []

  mutating func add(_ path: [UInt8]) {
    leaves.removeAll { $0.lexicographicallyPrecedes(path) && !path.starts(with: $0) }
    leaves.append(path)
  }

  func cover(_ path: [UInt8]) -> Bool {
    leaves.contains { path.count > $0.count && path[$0.count] == UInt8(ascii: "/") && path.starts(with: $0) }
  }
}

extension FileStamp {
  /// Git's "racy" rule: a change made within the clock's grain after the read may not show in the times.
  func isRacy(readAt: Int64) -> Bool { changed > readAt - 2_000_000_000 }
}
