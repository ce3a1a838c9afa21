import Glibc
import SyncBackend

/// The objects of a bucket in the order of their keys' bytes, from anywhere on. It keeps the sorted names of
/// the folders from the bucket down to where it is, and one open folder.
///
/// A folder sorts as its name with a `/` behind it: so the order of the walk is the order of the keys.
struct Walk: Sendable {
  private struct Level: Sendable {
    var name: Name
    /// What is still to come, the next one last; folders end in `/`.
    var rest: [Name]
    var folder: Directory?
  }

  private let bucket: Directory
  private let folding = NameFolding()
  private var levels: [Level] = []
  /// The folders above `levels[0]`.
  private let base: [Name]

  /// - Parameter after: a key; the walk goes on behind it.
  init(of bucket: Directory, prefix: [UInt8], after: [UInt8]?) throws(BackendError) {
    self.bucket = bucket
    let slash = prefix.lastIndex(of: UInt8(ascii: "/"))
    base = slash.map { Self.components(prefix[..<$0]) } ?? []
    guard base.allSatisfy(ObjectPath.isName), base.first != ObjectPath.reserved else { return }
    guard let folder = try Reader(bucket: bucket, folding: folding).folder(base) else { return }
    let start = slash.map { $0 + 1 } ?? 0
    let begins = Array(prefix[start...])
    // Components of the key to go on behind, below `base`; a key before the prefix leaves all to come.
    var passed: [Name] = []
    if let after, after.starts(with: prefix[..<start]) {
      passed = Self.components(after[start...])
    }
    try enter(folder, name: [], beginning: begins)
    try skip(passed)
  }

  private static func components(_ path: ArraySlice<UInt8>) -> [Name] {
    path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
  }

  /// - Returns: nil at the end.
  mutating func next() throws(BackendError) -> ObjectInfo? {
    while let last = levels.indices.last {
      guard let name = levels[last].rest.popLast() else {
        levels.removeLast()
        continue
      }
      guard let folder = try openFolder(at: last) else {
        levels.removeLast()
        continue
      }
      if name.last == UInt8(ascii: "/") {
        try descend(into: Array(name.dropLast()), from: folder, at: last)
      } else if let key = ObjectKey(path(to: name)), let info = try Reader.info(name, in: folder, key) {
        return info
      }
    }
    return nil
  }

  /// Drops what lies before or at the key whose components these are, and descends to where it was.
  private mutating func skip(_ components: [Name]) throws(BackendError) {
    for (index, component) in components.enumerated() {
      guard let last = levels.indices.last else { return }
      let isFile = index == components.count - 1
      let mark = isFile ? component : component + [UInt8(ascii: "/")]
      // The rest is sorted downwards.
      while let name = levels[last].rest.last, !mark.lexicographicallyPrecedes(name), name != mark || isFile {
        levels[last].rest.removeLast()
      }
      guard !isFile, levels[last].rest.last == mark, let folder = try openFolder(at: last) else { return }
      levels[last].rest.removeLast()
      let depth = levels.count
      try descend(into: component, from: folder, at: last)
      guard levels.count > depth else { return }
    }
  }

  private mutating func descend(into name: Name, from folder: Directory, at level: Int) throws(BackendError) {
    // Removed or replaced since it was listed: nothing to show.
    guard let inner = try folder.directory(name) else { return }
    levels[level].folder = nil
    try enter(inner, name: name, beginning: [])
  }

  private mutating func enter(_ folder: Directory, name: Name, beginning: [UInt8]) throws(BackendError) {
    let isRoot = base.isEmpty && levels.isEmpty
    var names: [Name] = []
    for entry in try folder.entries() where entry.name.starts(with: beginning) {
      if isRoot && entry.name == ObjectPath.reserved { continue }
      guard let isFolder = try isFolder(entry, in: folder) else { continue }
      names.append(isFolder ? entry.name + [UInt8(ascii: "/")] : entry.name)
    }
    names.sort { $1.lexicographicallyPrecedes($0) }
    levels.append(Level(name: name, rest: names, folder: folder))
  }

  /// - Returns: nil for what is neither a folder nor a file: links, sockets, devices.
  private func isFolder(_ entry: Directory.Entry, in folder: Directory) throws(BackendError) -> Bool? {
    switch Int(entry.type) {
    case Int(DT_REG): return false
    case Int(DT_DIR): return true
    case Int(DT_UNKNOWN):
      guard let status = try folder.status(entry.name), status.isFile || status.isDirectory else {
        return nil
      }
      return status.isDirectory
    default: return nil
    }
  }

  /// The folder of a level; opened again, from the bucket on, after the walk was deeper.
  private mutating func openFolder(at level: Int) throws(BackendError) -> Directory? {
    if let folder = levels[level].folder { return folder }
    let names = base + levels[...level].dropFirst().map(\.name)
    let folder = try Reader(bucket: bucket, folding: folding).folder(names)
    levels[level].folder = folder
    return folder
  }

  private func path(to name: Name) -> [UInt8] {
    Array((base + levels.dropFirst().map(\.name) + [name]).joined(separator: [UInt8(ascii: "/")]))
  }
}
