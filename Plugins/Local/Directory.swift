import Glibc
import SyncBackend

/// A name in a directory: bytes without `/` and NUL.
typealias Name = [UInt8]

/// An open directory. What is in it is reached by single names that are never followed through symbolic
/// links, so that no key leads out of the bucket, and no path is too long.
final class Directory: Sendable {
  struct Entry {
    var name: Name
    /// `DT_REG`, `DT_DIR` …; `DT_UNKNOWN` where the filesystem does not say.
    var type: UInt8
  }

  let descriptor: CInt

  /// Takes over the descriptor.
  private init(owning descriptor: CInt) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The bucket itself; links on the way to it are the user's own and are followed.
  static func bucket(at path: String) throws(BackendError) -> Directory {
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 { return Directory(owning: descriptor) }
    let shown = printable(path.utf8)
    guard errno == ENOENT || errno == ENOTDIR else { throw .file(errno, "open \(shown)") }
    throw BackendError(
      .targetMissing, "the bucket \(shown) is not there: mount it, or create the directory once (mkdir -p)")
  }

  // MARK: - Opening

  /// - Returns: the descriptor; -1 with `errno`.
  func open(_ name: Name, _ flags: CInt, mode: mode_t = 0o666) -> CInt {
    retrying { call(name) { openat(descriptor, $0, flags | O_NOFOLLOW | O_CLOEXEC, mode) } }
  }

  /// - Returns: nil where there is no directory of this name.
  func directory(_ name: Name) throws(BackendError) -> Directory? {
    let opened = open(name, O_RDONLY | O_DIRECTORY)
    if opened >= 0 { return Directory(owning: opened) }
    if Self.meansAbsent(errno) { return nil }
    throw .file(errno, "open \(printable(name))")
  }

  /// - Returns: nil where there is nothing of this name, or no such file can be opened.
  func file(_ name: Name, _ flags: CInt) throws(BackendError) -> OpenFile? {
    // Non-blocking, for a FIFO would wait for its other end.
    let opened = open(name, flags | O_NONBLOCK)
    if opened >= 0 { return OpenFile(owning: opened) }
    if Self.meansAbsent(errno) { return nil }
    throw .file(errno, "open \(printable(name))")
  }

  /// Makes a file that must not be there yet.
  func create(_ name: Name) throws(BackendError) -> OpenFile {
    let opened = open(name, O_RDWR | O_CREAT | O_EXCL)
    guard opened >= 0 else { throw .file(errno, "create \(printable(name))") }
    return OpenFile(owning: opened)
  }

  /// A missing name, a name that cannot be there, or something that is no directory on the way.
  private static func meansAbsent(_ code: CInt) -> Bool {
    [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, ENXIO, EISDIR].contains(code)
  }

  // MARK: - Looking

  /// Of the name itself, were it a symbolic link.
  ///
  /// - Returns: nil where there is nothing of this name.
  func status(_ name: Name) throws(BackendError) -> stat? {
    var status = stat()
    if call(name, { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 { return status }
    if Self.meansAbsent(errno) { return nil }
    throw .file(errno, "stat \(printable(name))")
  }

  /// Everything in it but `.` and `..`, in no order.
  func entries() throws(BackendError) -> [Entry] {
    // A descriptor of its own: reading moves the position.
    let own = open(Array(".".utf8), O_RDONLY | O_DIRECTORY)
    guard own >= 0, let stream = fdopendir(own) else {
      let code = errno
      if own >= 0 { close(own) }
      throw .file(code, "open a folder of the bucket")
    }
    defer { closedir(stream) }
    var entries: [Entry] = []
    while true {
      errno = 0
      guard let found = readdir(stream) else { break }
      let name = Self.name(of: found)
      if name != Array(".".utf8), name != Array("..".utf8) {
        entries.append(Entry(name: name, type: found.pointee.d_type))
      }
    }
    guard errno == 0 else { throw .file(errno, "read a folder of the bucket") }
    return entries
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> Name {
    // The name may be longer than the array that C declares for it.
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let start = UnsafeRawPointer(entry).advanced(by: offset)
    return Array(
      UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self))))
  }

  // MARK: - Changing; all give 0, or the `errno` of their failure

  func make(_ name: Name) -> CInt {
    call(name) { mkdirat(descriptor, $0, 0o777) } == 0 ? 0 : errno
  }

  func remove(_ name: Name) -> CInt {
    call(name) { unlinkat(descriptor, $0, 0) } == 0 ? 0 : errno
  }

  /// Only where it is empty.
  func removeDirectory(_ name: Name) -> CInt {
    call(name) { unlinkat(descriptor, $0, AT_REMOVEDIR) } == 0 ? 0 : errno
  }

  func move(_ name: Name, to other: Directory, as newName: Name) -> CInt {
    let moved = call(name) { old in
      other.call(newName) { new in renameat(descriptor, old, other.descriptor, new) }
    }
    return moved == 0 ? 0 : errno
  }

  /// Makes its entries durable. Filesystems that cannot (EINVAL) have nothing better to offer.
  func sync() throws(BackendError) {
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .file(errno, "fsync of a folder") }
  }

  // MARK: - C

  private func call<Answer>(_ name: Name, _ body: (UnsafePointer<CChar>) -> Answer) -> Answer {
    (name + [0]).withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        // The array has the NUL at least, so it has an address.
        guard let start = text.baseAddress else { preconditionFailure("an array without an address") }
        return body(start)
      }
    }
  }

  private func retrying(_ body: () -> CInt) -> CInt {
    while true {
      let result = body()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}

extension stat {
  var isFile: Bool { st_mode & S_IFMT == S_IFREG }
  var isDirectory: Bool { st_mode & S_IFMT == S_IFDIR }
  var isLink: Bool { st_mode & S_IFMT == S_IFLNK }

  /// Nanoseconds since 1970.
  var modified: Int64 { Int64(st_mtim.tv_sec) * 1_000_000_000 + Int64(st_mtim.tv_nsec) }
}
