import Glibc
import SyncBackend

/// Sorted tables of one huge directory, one after the other in a file that has no name.
struct SortedRuns {
  private let file: OpenFile
  /// Where each run begins; the last one ends at `end`.
  private var starts: [Int64] = []
  private var end: Int64 = 0

  /// - Throws: `SourceError` of kind `temporaryFile`.
  init(in directory: String) throws(SourceError) {
    var template = (directory + "/sync-scan-XXXXXX").utf8CString.map { $0 }
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw SourceError(.temporaryFile, code: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
    file = OpenFile(owning: descriptor)
  }

  /// Adds a sorted table.
  mutating func append(_ table: EntryTable) throws(SourceError) {
    starts.append(end)
    var buffer: [UInt8] = []
    for entry in table.entries {
      withUnsafeBytes(of: entry) { buffer.append(contentsOf: $0) }
      buffer.append(contentsOf: table.name(entry))
      if buffer.count >= 256 << 10 { try flush(&buffer) }
    }
    try flush(&buffer)
  }

  private mutating func flush(_ buffer: inout [UInt8]) throws(SourceError) {
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { pwrite(file.descriptor, $0.baseAddress, $0.count, off_t(end)) }
      guard count > 0 || (count < 0 && errno == EINTR) else { throw SourceError(.temporaryFile, code: errno) }
      rest = rest.dropFirst(max(0, count))
      end += Int64(max(0, count))
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// All runs as one sorted stream.
  func merged() throws(SourceError) -> RunMerge {
    var readers: [RunReader] = []
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : end
      readers.append(RunReader(FileRange(file, offset: start, length: end - start)))
    }
    return try RunMerge(readers)
  }
}

/// Reads one run, 64 KiB at a time.
struct RunReader {
  private let range: FileRange
  private var position: Int64 = 0
  private var buffer: [UInt8] = []
  private var head = 0
  /// The entry that it stands on; nil at the end.
  private(set) var entry: Entry?
  private(set) var name: ArraySlice<UInt8> = []

  init(_ range: FileRange) {
    self.range = range
  }

  mutating func advance() throws(SourceError) {
    try need(MemoryLayout<Entry>.size)
    guard head < buffer.count else {
      entry = nil
      return
    }
    let entry = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: head, as: Entry.self) }
    head += MemoryLayout<Entry>.size
    try need(Int(entry.nameLength))
    name = buffer[head..<(head + Int(entry.nameLength))]
    head += Int(entry.nameLength)
    self.entry = entry
  }

  /// Has `count` bytes at hand, or none at the end.
  private mutating func need(_ count: Int) throws(SourceError) {
    guard buffer.count - head < count, position < range.length || head < buffer.count else { return }
    let kept = Array(buffer[head...])
    var got = 0
    buffer = [UInt8](unsafeUninitializedCapacity: kept.count + 64 << 10) { fresh, filled in
      _ = fresh.update(fromContentsOf: kept)
      let room = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(fresh)[kept.count...])
      got = range.read(at: position, into: room)
      filled = kept.count + max(0, got)
    }
    head = 0
    position += Int64(max(0, got))
    guard got >= 0, buffer.count >= count else {
      throw SourceError(.temporaryFile, code: got < 0 ? errno : EIO)
    }
  }
}

/// A heap of runs, the one with the first name on top.
struct RunMerge {
  private var runs: [RunReader]
  /// The name that was given last.
  private var passed: ArraySlice<UInt8>?

  init(_ runs: [RunReader]) throws(SourceError) {
    var begun: [RunReader] = []
    for var run in runs {
      try run.advance()
      if run.entry != nil { begun.append(run) }
    }
    self.runs = begun
    for index in self.runs.indices.reversed() { sink(index) }
  }

  /// The next entry, its name put at the end of `path`; nil at the end.
  mutating func next(appendingNameTo path: inout [UInt8]) throws(SourceError) -> Entry? {
    // Two runs may hold the same name, as two entries of one may.
    while let passed, runs.first?.name == passed { try advance() }
    guard let first = runs.first, let entry = first.entry else { return nil }
    passed = first.name
    path.append(contentsOf: first.name)
    return entry
  }

  private mutating func advance() throws(SourceError) {
    try runs[0].advance()
    if runs[0].entry == nil {
      runs.swapAt(0, runs.count - 1)
      runs.removeLast()
    }
    sink(0)
  }

  private mutating func sink(_ start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < runs.count && precedes(child, least) {
        least = child
      }
      if least == parent { return }
      runs.swapAt(parent, least)
      parent = least
    }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    runs[left].name.lexicographicallyPrecedes(runs[right].name)
  }
}
