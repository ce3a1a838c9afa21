import Glibc
import SyncBackend
import Synchronization

/// The reserved folder of a bucket, where objects are written before they get their names: on the bucket's
/// own filesystem, so that a rename publishes them. It is there only while something is in it.
///
/// What is being written is locked (`flock`) by its process, so that what a killed process left can be told
/// and is removed by the next one that writes. Where locks are not supported nothing is removed.
final class Staging: Sendable {
  private let random: @Sendable () -> Double
  /// Calls of this process that are using the folder; the last one out removes it.
  private let users = Mutex(0)
  private let hasSwept = Atomic(false)

  init(random: @escaping @Sendable () -> Double) {
    self.random = random
  }

  /// A name that nobody can guess or meet.
  func newID() -> String {
    (0..<4).map { _ in
      let word = String(UInt32(random() * 4_294_967_296), radix: 16)
      return String(repeating: "0", count: 8 - word.utf8.count) + word
    }.joined()
  }

  /// - Returns: nil where nothing is under way in the bucket.
  func existing(in bucket: Directory) throws(BackendError) -> Directory? {
    try bucket.directory(ObjectPath.reserved)
  }

  /// Keeps the folder while `body` runs, and removes it after where it is empty then.
  func using<Answer>(
    _ bucket: Directory, _ body: () throws(BackendError) -> Answer
  ) throws(BackendError) -> Answer {
    users.withLock { $0 += 1 }
    defer {
      users.withLock {
        $0 -= 1
        if $0 == 0 { _ = bucket.removeDirectory(ObjectPath.reserved) }
      }
    }
    return try body()
  }

  // MARK: - New entries

  /// Makes a file that is removed after `body`, unless that moved it away.
  func withFile<Answer>(
    in bucket: Directory,
    _ body: (_ file: OpenFile, _ name: Name, _ folder: Directory) throws(BackendError) -> Answer
  ) throws(BackendError) -> Answer {
    try using(bucket) { () throws(BackendError) in
      sweepOnce(bucket)
      let (file, name, folder) = try claim(in: bucket) {
        folder, id throws(BackendError) -> Claimed<OpenFile>? in
        let name = Name("put-\(id)".utf8)
        let opened = folder.open(name, O_RDWR | O_CREAT | O_EXCL)
        guard opened >= 0 else { return try Self.vanished(errno) }
        return Claimed(made: OpenFile(owning: opened), name: name, descriptor: opened)
      }
      defer { _ = folder.remove(name) }
      return try body(file, name, folder)
    }
  }

  /// Makes a folder that is removed after `body`, unless that moved it away.
  func withFolder<Answer>(
    in bucket: Directory,
    _ body: (_ made: Directory, _ name: Name, _ folder: Directory) throws(BackendError) -> Answer
  ) throws(BackendError) -> Answer {
    try using(bucket) { () throws(BackendError) in
      sweepOnce(bucket)
      let (made, name, folder) = try claim(in: bucket) {
        folder, id throws(BackendError) -> Claimed<Directory>? in
        let name = Name("begin-\(id)".utf8)
        let code = folder.make(name)
        guard code == 0 else { return try Self.vanished(code) }
        guard let made = try folder.directory(name) else { return nil }
        return Claimed(made: made, name: name, descriptor: made.descriptor)
      }
      defer { Self.removeTree(name, in: folder) }
      return try body(made, name, folder)
    }
  }

  private struct Claimed<Made> {
    var made: Made
    var name: Name
    var descriptor: CInt
  }

  /// The folder may be removed by another process between its making and the entry's: then both are made
  /// again.
  private func claim<Made>(
    in bucket: Directory,
    _ make: (_ folder: Directory, _ id: String) throws(BackendError) -> Claimed<Made>?
  ) throws(BackendError) -> (Made, Name, Directory) {
    for _ in 0..<100 {
      let code = users.withLock { _ in bucket.make(ObjectPath.reserved) }
      guard code == 0 || code == EEXIST else { throw .file(code, "mkdir \(printable(ObjectPath.reserved))") }
      guard let folder = try bucket.directory(ObjectPath.reserved) else {
        if let status = try bucket.status(ObjectPath.reserved), !status.isDirectory {
          throw .file(ENOTDIR, "open \(printable(ObjectPath.reserved))")
        }
        continue
      }
      guard let claimed = try make(folder, newID()) else { continue }
      if Self.lock(claimed.descriptor) { return (claimed.made, claimed.name, folder) }
    }
    throw .file(ENOENT, "making a file in \(printable(ObjectPath.reserved))")
  }

  /// nil, to try again, where the folder went away; else the failure.
  private static func vanished<Made>(_ code: CInt) throws(BackendError) -> Claimed<Made>? {
    guard code == ENOENT || code == EEXIST else {
      throw .file(code, "making a file in \(printable(ObjectPath.reserved))")
    }
    return nil
  }

  /// - Returns: false where another process took the entry for a dead one's.
  private static func lock(_ descriptor: CInt) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK { return false }
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  // MARK: - What killed processes left

  /// Removes what nobody holds; best effort, for it is not what the caller came for.
  private func sweepOnce(_ bucket: Directory) {
    guard !hasSwept.exchange(true, ordering: .relaxed) else { return }
    guard let folder = try? existing(in: bucket), let entries = try? folder.entries() else { return }
    for entry in entries {
      if entry.name.starts(with: "put-".utf8) {
        guard let file = try? folder.file(entry.name, O_RDWR) else { continue }
        if flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 { _ = folder.remove(entry.name) }
      } else if entry.name.starts(with: "begin-".utf8) {
        guard let begun = try? folder.directory(entry.name) else { continue }
        if flock(begun.descriptor, LOCK_EX | LOCK_NB) == 0 { Self.removeTree(entry.name, in: folder) }
      } else if entry.name.starts(with: UploadFolder.prefix) {
        UploadFolder.removeIfEnded(entry.name, in: folder)
      }
    }
  }

  /// Removes a folder of this module's own making; links in it are removed, not followed.
  static func removeTree(_ name: Name, in parent: Directory) {
    guard let folder = try? parent.directory(name) else { return }
    for entry in (try? folder.entries()) ?? [] where folder.remove(entry.name) != 0 {
      removeTree(entry.name, in: folder)
    }
    _ = parent.removeDirectory(name)
  }
}
