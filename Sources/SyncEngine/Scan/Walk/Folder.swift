import SyncBackend

/// A directory on its way through the scan.
///
/// Unchecked: `progress`, `children`, `cursor` and `isOnFrontier` are touched under the lock of `FolderLoading` only.
/// The rest is written once by the thread that loads it, before `progress` says so under that lock, and read after.
final class Folder: @unchecked Sendable {
  enum Progress {
    case loading
    case loaded
  }

  enum Contents {
    case table(EntryTable)
    /// More entries than memory is meant to hold.
    case runs(SortedRuns)
    /// It, or the ignore file in it, could not be read: with `errno`.
    case unreadable(CInt)
    /// It went away meanwhile.
    case gone
    case failed(SourceError)
  }

  let parent: Folder?
  /// Without slash; empty for the source itself.
  let name: [UInt8]
  let isLink: Bool
  let isIncluded: Bool
  /// Of the path from the source, with the slash at the end.
  let pathLength: Int

  var contents = Contents.gone
  var rules: FolderRules?
  var identity: FileIdentity?

  var progress = Progress.loading
  /// Loaded ahead, by their place in the table.
  var children: [Int: Folder] = [:]
  /// Entries before it have been looked at for directories to load ahead.
  var cursor = 0
  var isOnFrontier = false

  init(root rules: FolderRules?, isIncluded: Bool) {
    parent = nil
    name = []
    isLink = false
    self.isIncluded = isIncluded
    pathLength = 0
    self.rules = rules
  }

  init(_ entry: Entry, _ name: some Collection<UInt8>, in parent: Folder) {
    self.parent = parent
    self.name = Array(name.dropLast())
    isLink = entry.kind == .linkedDirectory
    isIncluded = entry.isIncluded
    pathLength = parent.pathLength + name.count
    rules = parent.rules
  }

  /// The path from the source, with the slash at the end; empty for the source.
  var path: [UInt8] {
    var names: [[UInt8]] = []
    var folder: Folder? = self
    while let current = folder, current.parent != nil {
      names.append(current.name)
      folder = current.parent
    }
    return names.reversed().flatMap { $0 + [UInt8(ascii: "/")] }
  }

  /// What it holds in memory, roughly, in entries.
  var weight: Int {
    if case .table(let table) = contents { table.entries.count + 1 } else { 1 }
  }

  func isBelow(_ identity: FileIdentity) -> Bool {
    var folder: Folder? = self
    while let current = folder {
      if current.identity == identity { return true }
      folder = current.parent
    }
    return false
  }
}
