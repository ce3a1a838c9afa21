import Glibc
import SyncBackend
import Synchronization

/// Gives finished files their names. Between two calls of one process nothing can slip; other processes that
/// write to the same bucket are met by trying again.
final class Publisher: Sendable {
  private let folding: NameFolding
  /// Held while a folder is made and made durable.
  private let making = Mutex(())
  /// Held while a name is looked at and taken.
  private let naming = Mutex(())

  init(folding: NameFolding) {
    self.folding = folding
  }

  /// Moves `file` from `folder` to its place, over an object that is there. When this returns it stays.
  func publish(
    _ file: Name, in folder: Directory, as path: ObjectPath, in bucket: Directory
  ) throws(BackendError) {
    // A folder that a delete has just emptied and removed is made again.
    for _ in 0..<100 {
      guard let parent = try folders(path.folders, in: bucket) else { continue }
      let code = try naming.withLock { _ throws(BackendError) in
        try take(path.name, in: parent, with: file, from: folder)
      }
      if code == ENOENT, try folder.status(file) != nil { continue }
      guard code == 0 else { throw .file(code, "rename") }
      try parent.sync()
      // A folder on the way may be another call's, not durable yet: that call holds the lock until it is.
      making.withLock { _ in }
      return
    }
    throw .file(ENOENT, "making the folders of the object")
  }

  /// Throws `.conflict` where an object could not be published as things are now.
  func checkFree(_ path: ObjectPath, in bucket: Directory) throws(BackendError) {
    var folder = bucket
    for name in path.folders {
      guard let next = try existing(name, in: folder) else { return }
      folder = next
    }
    _ = try isTaken(path.name, in: folder)
  }

  /// - Returns: 0, or the `errno` of the rename.
  private func take(
    _ name: Name, in parent: Directory, with file: Name, from folder: Directory
  ) throws(BackendError) -> CInt {
    let wasTaken = try isTaken(name, in: parent)
    let code = folder.move(file, to: parent, as: name)
    // Some filesystems write a name down in another way than it was given: it could not be found again.
    if code == 0, !wasTaken, let other = try folding.otherName(than: name, in: parent) {
      _ = parent.remove(other)
      throw BackendError(
        .invalidKey, "the bucket's filesystem makes \"\(printable(name))\" into \"\(printable(other))\"")
    }
    return code
  }

  /// Throws where something other than an object of exactly this name is in its place.
  private func isTaken(_ name: Name, in parent: Directory) throws(BackendError) -> Bool {
    try refuseTwin(of: name, in: parent)
    guard let status = try parent.status(name) else { return false }
    guard status.isFile else {
      let what = status.isDirectory ? "a folder" : status.isLink ? "a symbolic link" : "no file"
      throw BackendError(.conflict, "\"\(printable(name))\" is \(what) in the bucket")
    }
    return true
  }

  private func refuseTwin(of name: Name, in parent: Directory) throws(BackendError) {
    guard let other = try folding.otherName(than: name, in: parent) else { return }
    throw BackendError(
      .conflict,
      "the bucket's filesystem takes \"\(printable(name))\" and \"\(printable(other))\" for the same name")
  }

  // MARK: - Folders

  /// - Returns: nil where a folder went away meanwhile.
  private func folders(_ names: [Name], in bucket: Directory) throws(BackendError) -> Directory? {
    var folder = bucket
    for name in names {
      if let next = try existing(name, in: folder) {
        folder = next
        continue
      }
      let parent = folder
      let made = try making.withLock { _ throws(BackendError) in
        let code = parent.make(name)
        if code == 0 { try parent.sync() }
        return code
      }
      if made == ENOENT { return nil }
      guard made == 0 || made == EEXIST else { throw .file(made, "mkdir \(printable(name))") }
      guard let next = try existing(name, in: parent) else { return nil }
      folder = next
    }
    return folder
  }

  private func existing(_ name: Name, in folder: Directory) throws(BackendError) -> Directory? {
    try refuseTwin(of: name, in: folder)
    if let next = try folder.directory(name) { return next }
    if let status = try folder.status(name), !status.isDirectory {
      let what = status.isLink ? "a symbolic link" : "a file"
      throw BackendError(
        .conflict, "\"\(printable(name))\" is \(what) in the bucket, where a folder is needed")
    }
    return nil
  }
}
