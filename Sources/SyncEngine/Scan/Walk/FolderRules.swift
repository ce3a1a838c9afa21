/// The patterns that hold in a directory: its own `.syncignore`, then those above, then the configuration's.
final class FolderRules: Sendable {
  private let list: IgnoreList
  /// How many bytes of a path come before what the list is relative to.
  private let base: Int
  private let outer: FolderRules?

  init(_ list: IgnoreList, base: Int, outer: FolderRules?) {
    self.list = list
    self.base = base
    self.outer = outer
  }

  /// Whether a path from the source's root, in a directory that is not excluded itself, is excluded. The deepest
  /// list that has a match decides.
  func excludes(_ path: UnsafeBufferPointer<UInt8>, nameStart: Int, isDirectory: Bool) -> Bool {
    let name = UnsafeBufferPointer(rebasing: path[nameStart...])
    var rules: FolderRules? = self
    while let level = rules {
      let relative = UnsafeBufferPointer(rebasing: path[level.base...])
      if let isExcluded = level.list.decision(relative, name, isDirectory: isDirectory) { return isExcluded }
      rules = level.outer
    }
    return false
  }
}

/// What the patterns say of an entry.
enum Verdict: Sendable, Hashable {
  case excluded
  /// Not excluded; and whether includes take it, or what is below it, in.
  case open(isIncluded: Bool)
}

/// The patterns of a scan: excludes and `.syncignore` files by directory, includes over all.
struct Rules: Sendable {
  private let filter: PathFilter
  let outermost: FolderRules?

  init(_ filter: PathFilter) {
    self.filter = filter
    outermost = filter.exclude.isEmpty ? nil : FolderRules(filter.exclude, base: 0, outer: nil)
  }

  /// Whether paths need to be looked at in a directory with these rules.
  func matter(in folder: FolderRules?) -> Bool {
    folder != nil || !filter.include.isEmpty
  }

  /// Without include patterns the source as a whole is included.
  var includesAll: Bool { filter.include.isEmpty }

  /// - Parameter isIncluded: whether the directory is that holds it.
  func verdict(
    _ path: UnsafeBufferPointer<UInt8>, nameStart: Int, isDirectory: Bool, in folder: FolderRules?,
    isIncluded: Bool
  ) -> Verdict {
    if let folder, folder.excludes(path, nameStart: nameStart, isDirectory: isDirectory) { return .excluded }
    if filter.include.isEmpty { return .open(isIncluded: true) }
    let name = UnsafeBufferPointer(rebasing: path[nameStart...])
    let included = filter.include.decision(path, name, isDirectory: isDirectory) ?? isIncluded
    if included { return .open(isIncluded: true) }
    // A directory that is not included itself may hold something that is.
    guard isDirectory, filter.include.mayMatch(below: path) else { return .excluded }
    return .open(isIncluded: false)
  }
}
