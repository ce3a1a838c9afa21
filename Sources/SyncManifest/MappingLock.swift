import Foundation

/// Why a mapping's lock was not got.
public enum MappingLockError: Error, Hashable {
  /// Another process holds it; its pid, where the lock file tells it.
  case held(pid: Int32?, path: String)
  case io(path: String, detail: String)
}

extension MappingLockError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .held(let pid?, let path): "another run (pid \(pid)) holds \(path); wait for it, or stop it"
    case .held(nil, let path): "another run holds \(path); wait for it (`fuser` names it), or stop it"
    case .io(let path, let detail):
      "the lock \(path) \(detail); check that you may write to the state directory, and that it is on a local disk"
    }
  }
}

/// Keeps two runs from working on one mapping of one target at once. Other mappings have other locks.
///
/// The kernel's lock (`flock`) decides, so a holder that died holds nothing, whatever pid its file still names.
/// The pid is there to be told to people: in another pid namespace (a container) it means another process or
/// none, and on a network file system without `flock` across hosts only runs on one host see each other.
public final class MappingLock: Sendable {
  private let descriptor: Int32

  /// The lock's file. It stays when the lock is released: removing it would let two runs lock two files.
  public let path: String

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    // Only tidiness: the pid of one who no longer holds the lock is ignored.
    ftruncate(descriptor, 0)
    close(descriptor)
  }

  /// Takes the lock of a mapping, as `Manifest.mapping` names it, or says at once who has it. It is held until the
  /// last reference goes, or the process does. Makes the state directory where missing.
  public static func acquire(
    stateDirectory: String, identity: ManifestIdentity, source: [UInt8], keyPrefix: [UInt8]
  ) throws(MappingLockError) -> MappingLock {
    let mapping = FNV.hex(Array("\(source.count):".utf8) + source + keyPrefix)
    let path = "\(stateDirectory)/\(identity.fileStem).\(mapping).lock"
    do throws(ManifestError) {
      try StateDirectory.create(stateDirectory)
    } catch {
      throw .io(path: path, detail: "can't be made: \(error)")
    }
    // Close-on-exec: a child that outlives the run must not keep its lock.
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .io(path: path, detail: "can't be opened: \(SystemError.last)") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      defer { close(descriptor) }
      if errno == EWOULDBLOCK { throw .held(pid: holder(descriptor), path: path) }
      throw .io(path: path, detail: "can't be locked: \(SystemError.last)")
    }
    let lock = MappingLock(descriptor: descriptor, path: path)
    try lock.writeHolder()
    return lock
  }

  private func writeHolder() throws(MappingLockError) {
    let line = Array("\(getpid())\n".utf8)
    guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, line, line.count, 0) == line.count else {
      throw .io(path: path, detail: "can't be written: \(SystemError.last)")
    }
  }

  /// The pid in a lock file that another holds; nil where it has not been written yet, or names no process.
  private static func holder(_ descriptor: Int32) -> Int32? {
    var text = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &text, text.count, 0)
    guard count > 0 else { return nil }
    let digits = text[..<count].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard let pid = Int32(String(decoding: digits, as: UTF8.self)), pid > 0 else { return nil }
    // EPERM means that it lives and is another user's.
    return kill(pid, 0) == 0 || errno == EPERM ? pid : nil
  }
}
