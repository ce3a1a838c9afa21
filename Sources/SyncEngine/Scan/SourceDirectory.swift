import Glibc
import SyncBackend
import SyncManifest

/// An open source directory. Everything in it is reached from its descriptor, one component at a time, so that
/// neither a renamed parent nor a link put in place of a folder leads anywhere else, and paths may be of any length.
/// Blocks; call it on threads where that is allowed.
public final class SourceDirectory: Sendable {
  let root: OpenFile

  /// - Throws: `SourceError`: missing, not a directory, or unreadable.
  public init(path: String) throws(SourceError) {
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SourceError(errno: errno) }
    root = OpenFile(owning: descriptor)
  }

  /// Opens a regular file for reading, and says how it is at that moment.
  ///
  /// - Parameter path: relative to the source, as a scan gives it.
  /// - Throws: `SourceError`: missing, not a regular file, a link that the policy does not follow, unreadable.
  public func open(
    _ path: [UInt8], symlinks: SymlinkPolicy = .skip
  ) throws(SourceError) -> (file: OpenFile, stamp: FileStamp) {
    // O_NONBLOCK: a FIFO put in the file's place must not hold us up. On regular files it means nothing.
    let file = try reach(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, symlinks)
    let status = try self.status(of: file)
    guard status.isRegularFile else { throw SourceError(.notRegularFile) }
    return (file, FileStamp(status))
  }

  /// How a file is now; nil where there is none to mirror under that name (nothing, or no regular file).
  ///
  /// - Throws: `SourceError` where that can't be told.
  public func stamp(of path: [UInt8], symlinks: SymlinkPolicy = .skip) throws(SourceError) -> FileStamp? {
    do throws(SourceError) {
      // O_PATH asks for no right to read the file, as stat does not.
      let status = try self.status(of: reach(path, OpenFlags.place, symlinks))
      return status.isRegularFile ? FileStamp(status) : nil
    } catch {
      guard error.kind == .unreadable || error.kind == .invalidPath else { return nil }
      throw error
    }
  }

  /// Whether an open file or directory is inside the source by its own place in the file system, whatever links led
  /// to it. Where `/proc` does not tell, it is not.
  func contains(_ descriptor: CInt) -> Bool {
    guard let root = location(of: root.descriptor), let place = location(of: descriptor) else { return false }
    return place == root
      || place.starts(with: root.last == UInt8(ascii: "/") ? root : root + [UInt8(ascii: "/")])
  }

  private func reach(
    _ path: [UInt8], _ flags: CInt, _ symlinks: SymlinkPolicy
  ) throws(SourceError) -> OpenFile {
    let components = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard components.allSatisfy(isName) else { throw SourceError(.invalidPath) }
    let follow = symlinks == .skip ? O_NOFOLLOW : 0
    var file = root
    for (index, name) in components.enumerated() {
      let isLast = index == components.count - 1
      file = try file.descendant(name, (isLast ? flags : OpenFlags.place | O_DIRECTORY) | follow)
    }
    if symlinks == .followInside, !contains(file.descriptor) { throw SourceError(.symlink) }
    return file
  }

  private func status(of file: OpenFile) throws(SourceError) -> stat {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0 else { throw SourceError(errno: errno) }
    // O_PATH with O_NOFOLLOW opens the link itself.
    if status.isSymlink { throw SourceError(.symlink) }
    return status
  }

  private func isName(_ component: ArraySlice<UInt8>) -> Bool {
    !component.isEmpty && !component.contains(0) && !component.elementsEqual(".".utf8)
      && !component.elementsEqual("..".utf8)
  }

  private func location(of descriptor: CInt) -> [UInt8]? {
    let path = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      count = buffer.withMemoryRebound(to: CChar.self) { buffer in
        guard let start = buffer.baseAddress else { return 0 }
        return max(0, readlink("/proc/self/fd/\(descriptor)", start, buffer.count))
      }
    }
    return path.isEmpty || path.count == Int(PATH_MAX) ? nil : path
  }
}

extension OpenFile {
  /// Opens what has this name in the directory.
  func descendant(_ name: some Sequence<UInt8>, _ flags: CInt) throws(SourceError) -> OpenFile {
    let name = name.map { CChar(bitPattern: $0) } + [0]
    let opened = openat(descriptor, name, flags | O_CLOEXEC)
    guard opened >= 0 else { throw SourceError(errno: errno) }
    return OpenFile(owning: opened)
  }
}
