import Glibc
import SyncBackend

/// Removes objects, and the folders that they leave empty.
struct Remover: Sendable {
  let reader: Reader

  /// - Returns: the failures by key. What is no object of exactly this name is left alone, and counts as
  ///   missing.
  func remove(
    _ objects: [(key: ObjectKey, path: ObjectPath)], _ interrupt: CancellationFlag
  ) throws(BackendError) -> [ObjectKey: BackendError] {
    var failures: [ObjectKey: BackendError] = [:]
    // Folder by folder, so that each is made durable once.
    for (folders, group) in Dictionary(grouping: objects, by: \.path.folders) {
      do throws(BackendError) {
        guard let folder = try reader.folder(folders) else { continue }
        for object in group {
          try interrupt.check()
          if let failure = removeFile(object.path.name, in: folder) { failures[object.key] = failure }
        }
        try folder.sync()
        try prune(folders)
      } catch {
        if error.kind == .cancelled { throw error }
        for object in group where failures[object.key] == nil { failures[object.key] = error }
      }
    }
    return failures
  }

  private func removeFile(_ name: Name, in folder: Directory) -> BackendError? {
    do throws(BackendError) {
      guard let status = try folder.status(name), status.isFile,
        try reader.folding.otherName(than: name, in: folder) == nil
      else { return nil }
    } catch {
      return error
    }
    let code = folder.remove(name)
    return code == 0 || code == ENOENT ? nil : .file(code, "unlink")
  }

  /// Removes empty folders from the innermost out; the first that is not empty ends it. One that came back
  /// after a power loss would hold nothing.
  private func prune(_ folders: [Name]) throws(BackendError) {
    var rest = folders
    while !rest.isEmpty {
      let parents = try reader.parents(of: rest)
      guard !parents.isEmpty else { return }
      for parent in parents.reversed() {
        guard let name = rest.popLast(), parent.removeDirectory(name) == 0 else { return }
      }
    }
  }
}
