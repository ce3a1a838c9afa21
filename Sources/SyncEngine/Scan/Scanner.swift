import Glibc
import SyncManifest

/// Walks a source in the one order: byte order of paths, where a directory compares as its name with a slash. That is
/// also the order of the manifest's keys and of listings, so that they can be merged with it.
public struct Scanner: Sendable {
  let source: SourceDirectory
  let options: ScanOptions
  let rules: Rules

  public init(_ source: SourceDirectory, _ options: ScanOptions) {
    self.source = source
    self.options = options
    rules = Rules(options.filter)
  }

  /// Calls `visit` for everything but directories that are walked, in the one order, on the calling thread, which it
  /// blocks. The path is relative to the source and valid only during the call; that of a tree ends with a slash.
  /// Other file systems below the source are walked too. What goes away meanwhile is not there.
  ///
  /// - Throws: `SourceError` where the source itself can't be read or a temporary file fails; what `visit` throws,
  ///   which ends the walk.
  @discardableResult
  public func scan(
    _ visit: (UnsafeBufferPointer<UInt8>, ScanItem) throws -> Void
  ) throws -> ScanSummary {
    let loading = FolderLoading(FolderLoader(source, options, rules), threads: options.threads)
    defer { loading.stop() }
    let root = Folder(root: rules.outermost, isIncluded: rules.includesAll)
    loading.load(root: root)
    var walk = try Walk(root, loading)
    // From the deepest on: the last reference to a folder would else take its parents along, one within the other.
    defer { walk.abandon() }
    while let item = try walk.next() {
      try walk.path.withUnsafeBufferPointer { try visit($0, item) }
    }
    return walk.summary
  }
}

/// The state of a scan: the directories from the source down to where it stands.
private struct Walk {
  private struct Step {
    let folder: Folder
    var entries: SortedEntries
  }

  private let loading: FolderLoading
  private var steps: [Step] = []
  /// Of the item that `next` gave.
  private(set) var path: [UInt8] = []
  private(set) var summary = ScanSummary()

  init(_ root: Folder, _ loading: FolderLoading) throws(SourceError) {
    self.loading = loading
    switch root.contents {
    case .gone: throw SourceError(errno: ENOENT)
    case .unreadable(let code): throw SourceError(.unreadable, code: code)
    case .failed, .table, .runs:
      if let failure = try enter(root) { throw SourceError(.unreadable, code: failure) }
    }
  }

  mutating func next() throws(SourceError) -> ScanItem? {
    while let last = steps.indices.last {
      let folder = steps[last].folder
      path.removeSubrange(folder.pathLength...)
      guard let (index, entry) = try steps[last].entries.next(appendingNameTo: &path) else {
        steps.removeLast()
        loading.leave(folder)
        continue
      }
      summary.entriesSeen += 1
      var item = entry.item
      if item == nil { item = try descend(entry, index, folder) }
      guard let item else { continue }
      summary.count(item)
      return item
    }
    return nil
  }

  /// Goes into a directory; the item that stands for it where that can't be.
  private mutating func descend(_ entry: Entry, _ index: Int, _ parent: Folder) throws(SourceError)
    -> ScanItem?
  {
    let folder = loading.folder(entry, path[parent.pathLength...], at: index, in: parent)
    return try enter(folder).map { .unreadable(errno: $0, isTree: true) }
  }

  /// The `errno` where it can't be entered.
  private mutating func enter(_ folder: Folder) throws(SourceError) -> CInt? {
    let entries: SortedEntries
    switch folder.contents {
    case .table(let table): entries = .table(table, next: 0)
    case .runs(let runs): entries = .runs(try runs.merged(), next: 0)
    case .unreadable(let code): return code
    case .gone: return nil
    case .failed(let error): throw error
    }
    if !steps.isEmpty { summary.directories += 1 }
    steps.append(Step(folder: folder, entries: entries))
    return nil
  }

  mutating func abandon() {
    while let step = steps.popLast() { loading.leave(step.folder) }
  }
}

/// A directory's entries in the one order, from memory or from disk.
private enum SortedEntries {
  case table(EntryTable, next: Int)
  case runs(RunMerge, next: Int)

  /// The next entry and its number, its name put at the end of `path`.
  mutating func next(appendingNameTo path: inout [UInt8]) throws(SourceError) -> (Int, Entry)? {
    switch self {
    case .table(let table, let next):
      guard next < table.entries.count else { return nil }
      let entry = table.entries[next]
      path.append(contentsOf: table.name(entry))
      self = .table(table, next: next + 1)
      return (next, entry)
    case .runs(var merge, let next):
      self = .table(EntryTable(), next: 0)
      let entry = try merge.next(appendingNameTo: &path)
      self = .runs(merge, next: next + 1)
      return entry.map { (next, $0) }
    }
  }
}
