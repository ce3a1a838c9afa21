import Glibc
import SyncBackend

/// Reads one directory: names, then rules, then what each entry is, then the one order.
struct FolderLoader: Sendable {
  static let ignoreFileName = Array(".syncignore".utf8)

  private let source: SourceDirectory
  private let options: ScanOptions
  private let rules: Rules
  private let open: OpenFolders

  init(_ source: SourceDirectory, _ options: ScanOptions, _ rules: Rules) {
    self.source = source
    self.options = options
    self.rules = rules
    open = OpenFolders(source)
  }

  /// Fills in the folder's contents, rules and identity.
  func load(_ folder: Folder) {
    do throws(SourceError) {
      folder.contents = try read(folder)
    } catch {
      switch error.kind {
      case .missing: folder.contents = .gone
      case .temporaryFile: folder.contents = .failed(error)
      default: folder.contents = .unreadable(error.code)
      }
    }
  }

  /// Lets go of the folder's descriptor: no subdirectory will be asked for any more.
  func leave(_ folder: Folder) {
    open.forget(folder)
  }

  private func read(_ folder: Folder) throws(SourceError) -> Folder.Contents {
    let file = try open.open(folder)
    guard let identity = FileIdentity(of: file.descriptor) else { throw SourceError(errno: errno) }
    folder.identity = identity
    var listing = try Listing(file)
    var runs: SortedRuns?
    while true {
      let names = try listing.next(options.entriesInMemory)
      let isWhole = names.count < options.entriesInMemory
      if runs == nil { try readIgnoreFile(folder, file, isSure: isWhole, names) }
      var table = Classifier(folder, file, source, options, rules).table(names)
      table.sort()
      if isWhole, runs == nil { return .table(table) }
      if runs == nil { runs = try SortedRuns(in: options.temporaryDirectory) }
      try runs?.append(table)
      if isWhole, let runs { return .runs(runs) }
    }
  }

  /// The patterns must be known before the first entry is judged; in a huge directory that is before their file has
  /// come by.
  private func readIgnoreFile(
    _ folder: Folder, _ file: OpenFile, isSure: Bool, _ names: NameList
  ) throws(SourceError) {
    guard options.readsIgnoreFiles, !isSure || names.hasIgnoreFile else { return }
    if let list = try IgnoreFile.read(in: file, options.symlinks, source) {
      folder.rules = FolderRules(list, base: folder.pathLength, outer: folder.rules)
    }
  }
}

/// The names of a directory, some at a time.
private struct Listing: ~Copyable {
  private let stream: OpaquePointer

  init(_ file: OpenFile) throws(SourceError) {
    // The stream closes what it reads from; the folder's own descriptor stays.
    let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw SourceError(.unreadable, code: errno) }
    guard let stream = fdopendir(copy) else {
      let code = errno
      close(copy)
      throw SourceError(.unreadable, code: code)
    }
    self.stream = stream
  }

  deinit { closedir(stream) }

  /// Up to `limit` names; fewer only at the end.
  mutating func next(_ limit: Int) throws(SourceError) -> NameList {
    var names = NameList()
    while names.count < limit {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw SourceError(.unreadable, code: errno) }
        break
      }
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
      let start = UnsafeRawPointer(entry) + offset
      let count = strlen(start.assumingMemoryBound(to: CChar.self))
      names.append(UnsafeRawBufferPointer(start: start, count: count), type: entry.pointee.d_type)
    }
    return names
  }
}

/// Names as they came, each with a zero at its end for the system, and the type that the directory tells.
struct NameList {
  private(set) var bytes: [UInt8] = []
  private(set) var items: [(start: Int, count: Int, type: UInt8)] = []
  private(set) var hasIgnoreFile = false

  var count: Int { items.count }

  mutating func append(_ name: UnsafeRawBufferPointer, type: UInt8) {
    if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { return }
    if name.elementsEqual(FolderLoader.ignoreFileName) { hasIgnoreFile = true }
    items.append((bytes.count, name.count, type))
    bytes.append(contentsOf: name)
    bytes.append(0)
  }
}
