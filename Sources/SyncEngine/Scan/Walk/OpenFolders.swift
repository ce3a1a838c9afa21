import Glibc
import SyncBackend
import Synchronization

/// Descriptors of the directories that were used last, for their subdirectories are opened from them. A tree may be
/// deeper than a process may have open files: what has been closed is reopened from the nearest directory above.
final class OpenFolders: Sendable {
  private static let capacity = 64

  private let source: SourceDirectory
  /// Those used last at the end.
  private let recent = Mutex<[(folder: ObjectIdentifier, file: OpenFile)]>([])

  init(_ source: SourceDirectory) {
    self.source = source
  }

  /// Opens a directory for reading, and keeps it at hand. Not through a link, unless the scan follows that one.
  func open(_ folder: Folder) throws(SourceError) -> OpenFile {
    let file: OpenFile
    if let parent = folder.parent {
      let follow = folder.isLink ? 0 : O_NOFOLLOW
      file = try place(of: parent).descendant(folder.name, O_RDONLY | O_DIRECTORY | follow)
    } else {
      file = try source.root.descendant(".".utf8, O_RDONLY | O_DIRECTORY)
    }
    keep(file, for: folder)
    return file
  }

  func forget(_ folder: Folder) {
    let id = ObjectIdentifier(folder)
    let closed = recent.withLock { recent -> OpenFile? in
      recent.lastIndex { $0.folder == id }.map { recent.remove(at: $0).file }
    }
    _ = consume closed
  }

  /// A descriptor of a directory that was loaded before.
  private func place(of folder: Folder) throws(SourceError) -> OpenFile {
    var names: [Folder] = []
    var above: Folder? = folder
    var file = source.root
    while let current = above, let parent = current.parent {
      if let kept = find(current) {
        file = kept
        break
      }
      names.append(current)
      above = parent
    }
    for step in names.reversed() {
      file = try file.descendant(step.name, OpenFlags.place | O_DIRECTORY | (step.isLink ? 0 : O_NOFOLLOW))
      // Another directory in its place is not the one that was read.
      guard FileIdentity(of: file.descriptor) == step.identity else {
        throw SourceError(.missing, code: ENOENT)
      }
    }
    if !names.isEmpty { keep(file, for: folder) }
    return file
  }

  private func find(_ folder: Folder) -> OpenFile? {
    let id = ObjectIdentifier(folder)
    return recent.withLock { recent in
      guard let index = recent.lastIndex(where: { $0.folder == id }) else { return nil }
      let found = recent.remove(at: index)
      recent.append(found)
      return found.file
    }
  }

  private func keep(_ file: OpenFile, for folder: Folder) {
    let oldest = recent.withLock { recent -> OpenFile? in
      recent.append((ObjectIdentifier(folder), file))
      return recent.count > OpenFolders.capacity ? recent.removeFirst().file : nil
    }
    // Closed here, outside the lock.
    _ = consume oldest
  }
}
