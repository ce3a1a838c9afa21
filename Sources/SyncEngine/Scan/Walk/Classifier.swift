import Glibc
import SyncBackend

/// Finds out what the entries of one directory are.
struct Classifier {
  private let folder: Folder
  private let directory: OpenFile
  private let source: SourceDirectory
  private let symlinks: SymlinkPolicy
  private let rules: Rules
  private let rulesMatter: Bool
  private let folderPath: [UInt8]

  init(
    _ folder: Folder, _ directory: OpenFile, _ source: SourceDirectory, _ options: ScanOptions, _ rules: Rules
  ) {
    self.folder = folder
    self.directory = directory
    self.source = source
    symlinks = options.symlinks
    self.rules = rules
    rulesMatter = rules.matter(in: folder.rules)
    folderPath = rulesMatter ? folder.path : []
  }

  /// The entries, unsorted. What went away since it was listed is left out.
  func table(_ names: NameList) -> EntryTable {
    var table = EntryTable()
    var path = folderPath
    names.bytes.withUnsafeBufferPointer { bytes in
      for item in names.items {
        let name = UnsafeBufferPointer(rebasing: bytes[item.start..<(item.start + item.count)])
        if rulesMatter { path.replaceSubrange(folderPath.count..., with: name) }
        if let entry = classify(name, item.type, path) { table.append(entry, name) }
      }
    }
    return table
  }

  /// `name` has a zero after its end.
  private func classify(_ name: UnsafeBufferPointer<UInt8>, _ type: UInt8, _ path: [UInt8]) -> Entry? {
    switch Int(type) {
    case DT_DIR: judged(Entry(.directory), path)
    case DT_REG: judgedFile(name, path)
    case DT_LNK where symlinks == .skip: judged(Entry(.symlink), path)
    case DT_LNK: judged(followed(name), path)
    case DT_UNKNOWN: judged(looked(name), path)
    default: judged(Entry(.specialFile), path)
    }
  }

  /// What the patterns make of it.
  private func judged(_ entry: Entry?, _ path: [UInt8]) -> Entry? {
    guard rulesMatter, var entry else { return entry }
    let verdict = path.withUnsafeBufferPointer {
      rules.verdict(
        $0, nameStart: folderPath.count, isDirectory: entry.isTree, in: folder.rules,
        isIncluded: folder.isIncluded)
    }
    switch verdict {
    case .excluded: return Entry(entry.isTree ? .excludedTree : .excluded)
    case .open(let isIncluded):
      entry.isIncluded = isIncluded
      return entry
    }
  }

  /// Excluded files need no look at them.
  private func judgedFile(_ name: UnsafeBufferPointer<UInt8>, _ path: [UInt8]) -> Entry? {
    guard let verdict = judged(Entry(.file), path), verdict.kind == .file else { return Entry(.excluded) }
    let entry = looked(name)
    // Something else is there by now, for which other patterns may hold.
    if let entry, entry.kind != .file { return judged(entry, path) }
    return entry
  }

  private func looked(_ name: UnsafeBufferPointer<UInt8>) -> Entry? {
    var status = stat()
    guard look(name, &status, AT_SYMLINK_NOFOLLOW) else {
      return errno == ENOENT ? nil : Entry(unreadable: errno, isTree: false)
    }
    return status.isSymlink && symlinks != .skip ? followed(name) : plain(status)
  }

  private func plain(_ status: stat) -> Entry {
    if status.isRegularFile { return Entry(status) }
    if status.isDirectory { return Entry(.directory) }
    return Entry(status.isSymlink ? .symlink : .specialFile)
  }

  /// What a link leads to, as if it stood in the link's place.
  private func followed(_ name: UnsafeBufferPointer<UInt8>) -> Entry? {
    var status = stat()
    guard look(name, &status, 0) else {
      switch errno {
      case ENOENT, ENOTDIR, ELOOP: return Entry(.symlink)
      default: return Entry(unreadable: errno, isTree: false)
      }
    }
    if symlinks == .followInside, !leadsInside(name) { return Entry(.symlink) }
    guard status.isDirectory else { return plain(status) }
    // A link to a directory above it would go on for ever.
    if folder.isBelow(FileIdentity(status)) { return Entry(unreadable: ELOOP, isTree: true) }
    return Entry(.linkedDirectory)
  }

  private func leadsInside(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let target = try? directory.descendant(name, OpenFlags.place) else { return false }
    return source.contains(target.descriptor)
  }

  private func look(_ name: UnsafeBufferPointer<UInt8>, _ status: inout stat, _ flags: CInt) -> Bool {
    guard let start = name.baseAddress else { return false }
    let text = UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
    return fstatat(directory.descriptor, text, &status, flags) == 0
  }
}
