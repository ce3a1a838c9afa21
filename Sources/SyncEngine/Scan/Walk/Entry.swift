import Glibc
import SyncManifest

/// One entry of a directory, without its name. Plain bytes: it goes to disk as it is.
struct Entry: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case file
    /// To be walked.
    case directory
    /// The same, reached through a symbolic link.
    case linkedDirectory
    case excluded
    case excludedTree
    case symlink
    case specialFile
    case unreadable
    case unreadableTree
  }

  /// The first 8 bytes of the name as a number that sorts as they do: most comparisons end here.
  var order: UInt64 = 0
  /// Where the name begins among the names of its table.
  var nameOffset: UInt32 = 0
  /// With the slash of a tree.
  var nameLength: UInt16 = 0
  var kind: Kind
  /// An include pattern matches it or something above; what is below a directory inherits that.
  var isIncluded = true
  /// The stamp of a file; in `size`, the `errno` of what is unreadable.
  var size: Int64 = 0
  var modified: Int64 = 0
  var changed: Int64 = 0
  var inode: UInt64 = 0

  init(_ kind: Kind) {
    self.kind = kind
  }

  init(_ status: stat) {
    let stamp = FileStamp(status)
    kind = .file
    size = stamp.size
    modified = stamp.modified
    changed = stamp.changed
    inode = stamp.inode
  }

  init(unreadable code: CInt, isTree: Bool) {
    kind = isTree ? .unreadableTree : .unreadable
    size = Int64(code)
  }

  var isTree: Bool {
    switch kind {
    case .directory, .linkedDirectory, .excludedTree, .unreadableTree: true
    case .file, .excluded, .symlink, .specialFile, .unreadable: false
    }
  }

  var isWalked: Bool { kind == .directory || kind == .linkedDirectory }

  /// What the scan says of it; nil for a directory to be walked.
  var item: ScanItem? {
    switch kind {
    case .file: .file(FileStamp(size: size, modified: modified, changed: changed, inode: inode))
    case .directory, .linkedDirectory: nil
    case .excluded: .hidden(.excluded, isTree: false)
    case .excludedTree: .hidden(.excluded, isTree: true)
    case .symlink: .hidden(.symlink, isTree: false)
    case .specialFile: .hidden(.specialFile, isTree: false)
    case .unreadable: .unreadable(errno: CInt(size), isTree: false)
    case .unreadableTree: .unreadable(errno: CInt(size), isTree: true)
    }
  }
}

/// Entries with their names in one piece of memory each.
struct EntryTable {
  private(set) var entries: [Entry] = []
  private(set) var names: [UInt8] = []

  mutating func append(_ entry: Entry, _ name: UnsafeBufferPointer<UInt8>) {
    var entry = entry
    let offset = names.count
    names.append(contentsOf: name)
    if entry.isTree { names.append(UInt8(ascii: "/")) }
    entry.nameOffset = UInt32(offset)
    entry.nameLength = UInt16(names.count - offset)
    for index in 0..<8 {
      entry.order = entry.order << 8 | (offset + index < names.count ? UInt64(names[offset + index]) : 0)
    }
    entries.append(entry)
  }

  /// Puts the entries in the one order: bytes of names, a directory's with its slash. Each name stays once: one that
  /// is removed and made again while its directory is read may be listed twice.
  mutating func sort() {
    names.withUnsafeBufferPointer { names in
      entries.sort { EntryTable.precedes($0, $1, names) }
      var kept = 0
      for entry in entries where kept == 0 || EntryTable.precedes(entries[kept - 1], entry, names) {
        entries[kept] = entry
        kept += 1
      }
      entries.removeSubrange(kept...)
    }
  }

  private static func precedes(_ left: Entry, _ right: Entry, _ names: UnsafeBufferPointer<UInt8>) -> Bool {
    if left.order != right.order { return left.order < right.order }
    guard let base = names.baseAddress else { return false }
    let common = Int(min(left.nameLength, right.nameLength))
    let order = memcmp(base + Int(left.nameOffset), base + Int(right.nameOffset), common)
    return order != 0 ? order < 0 : left.nameLength < right.nameLength
  }

  func name(_ entry: Entry) -> ArraySlice<UInt8> {
    names[Int(entry.nameOffset)..<(Int(entry.nameOffset) + Int(entry.nameLength))]
  }
}
