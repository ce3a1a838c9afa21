import Foundation
import GRDB

/// The file of one target in the state directory.
struct ManifestFile: Sendable {
  let path: String

  private init(path: String) { self.path = path }

  init(stateDirectory: String, identity: ManifestIdentity) {
    path = "\(stateDirectory)/\(identity.fileStem).sqlite"
  }

  /// Whether there is a manifest; an empty file is none.
  var exists: Bool { (FileStatus(path)?.size ?? 0) > 0 }

  /// Makes the state directory (0700) and a file (0600) for the target where they are missing.
  ///
  /// The file is made whole under another name, then linked to its own: two processes that begin at once can't
  /// meet in half a schema. It is empty and has its mode before SQLite sees it, for SQLite would make it as wide
  /// as the umask allows, and the umask belongs to the whole process. No descriptor of ours to a database that
  /// SQLite has open is ever closed: that would drop the process's POSIX locks on it.
  func createIfMissing(for identity: ManifestIdentity) throws {
    try StateDirectory.create(directory)
    guard access(path, F_OK) != 0 else { return }
    let temporary = ManifestFile(path: "\(path).\(getpid())-\(UInt32.random(in: 0...UInt32.max))")
    let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ManifestError.io(path: temporary.path, detail: "can't be created: \(SystemError.last)")
    }
    Glibc.close(descriptor)
    defer { unlink(temporary.path) }
    try ManifestAccess.readWrite(temporary, identity: identity).close()
    guard link(temporary.path, path) == 0 || errno == EEXIST else {
      throw ManifestError.io(path: path, detail: "can't be created: \(SystemError.last)")
    }
    try StateDirectory.synchronize(directory)
  }

  private var directory: String { String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)) }
}

/// The directory that holds manifests and locks.
enum StateDirectory {
  /// Makes the directory and those above it, readable by their owner alone; leaves alone what exists.
  static func create(_ path: String) throws(ManifestError) {
    guard !path.isEmpty, mkdir(path, 0o700) != 0 else { return }
    switch errno {
    case EEXIST:
      return
    case ENOENT:
      guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { fallthrough }
      try create(String(path.prefix(upTo: slash)))
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { fallthrough }
    default:
      throw .io(path: path, detail: "the directory can't be made: \(SystemError.last)")
    }
  }
}

extension StateDirectory {
  /// Makes a new name in the directory survive a power cut.
  static func synchronize(_ path: String) throws(ManifestError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .io(path: path, detail: "can't be opened: \(SystemError.last)") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw .io(path: path, detail: "can't be synced: \(SystemError.last)")
    }
  }
}

/// The words for `errno`.
enum SystemError {
  static var last: String { String(cString: strerror(errno)) }
}

/// What tells whether a file was written to: enough to see that a copy of it is whole.
struct FileStatus: Equatable {
  let size: Int64
  let inode: UInt64
  let seconds: Int
  let nanoseconds: Int

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    size = Int64(status.st_size)
    inode = UInt64(status.st_ino)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}
