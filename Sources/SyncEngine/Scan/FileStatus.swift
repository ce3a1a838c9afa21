import Glibc
import SyncManifest

extension FileStamp {
  init(_ status: stat) {
    self.init(
      size: Int64(status.st_size), modified: status.st_mtim.nanoseconds, changed: status.st_ctim.nanoseconds,
      inode: UInt64(status.st_ino))
  }
}

extension timespec {
  fileprivate var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}

enum OpenFlags {
  /// `O_PATH`, which C shows only to GNU programs; the same number on all of Linux's 64-bit machines that Swift runs
  /// on. Opens a place in the tree without asking for the right to read it.
  static let place: CInt = 0o10_000_000
}

/// What tells one file or directory from every other that exists now.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// nil, with `errno`, where the descriptor has no answer.
  init?(of descriptor: CInt) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }
}

extension stat {
  var isDirectory: Bool { st_mode & S_IFMT == S_IFDIR }
  var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
  var isSymlink: Bool { st_mode & S_IFMT == S_IFLNK }
}
