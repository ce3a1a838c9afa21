import Glibc
import SyncBackend

/// Finds objects: files that are there under exactly the bytes of a key.
struct Reader: Sendable {
  let bucket: Directory
  let folding: NameFolding

  /// - Returns: nil where there is no such folder.
  func folder(_ names: [Name], in start: Directory? = nil) throws(BackendError) -> Directory? {
    var folder = start ?? bucket
    for name in names {
      guard let next = try folder.directory(name), try folding.otherName(than: name, in: folder) == nil else {
        return nil
      }
      folder = next
    }
    return folder
  }

  /// The folders that hold the last of `names`, outermost first, from one way down; only so many of the
  /// innermost as may be open at once, however deep the way is. None where a folder is missing.
  func parents(of names: [Name]) throws(BackendError) -> [Directory] {
    var parents = [bucket]
    for name in names.dropLast() {
      guard let next = try folder([name], in: parents[parents.count - 1]) else { return [] }
      parents = parents.suffix(31) + [next]
    }
    return parents
  }

  func stat(_ path: ObjectPath, _ key: ObjectKey) throws(BackendError) -> ObjectInfo? {
    guard let folder = try folder(path.folders), let info = try Self.info(path.name, in: folder, key),
      try folding.otherName(than: path.name, in: folder) == nil
    else { return nil }
    return info
  }

  func open(_ path: ObjectPath) throws(BackendError) -> (file: OpenFile, size: Int64)? {
    guard let folder = try folder(path.folders), let file = try folder.file(path.name, O_RDONLY),
      try folding.otherName(than: path.name, in: folder) == nil
    else { return nil }
    let status = try file.status()
    return status.isFile ? (file, Int64(status.st_size)) : nil
  }

  /// What is known of a file; nil where it is none. One that may not be read has no noted content.
  static func info(_ name: Name, in folder: Directory, _ key: ObjectKey) throws(BackendError) -> ObjectInfo? {
    do throws(BackendError) {
      guard let file = try folder.file(name, O_RDONLY) else { return nil }
      let status = try file.status()
      return status.isFile ? info(key, status, ContentMark.read(from: file, status)) : nil
    } catch {
      guard error.kind == .denied, let status = try folder.status(name) else { throw error }
      return status.isFile ? info(key, status, nil) : nil
    }
  }

  static func info(_ key: ObjectKey, _ status: Glibc.stat, _ content: ContentDigest?) -> ObjectInfo {
    ObjectInfo(
      ObjectReference(key, etag: ContentMark.etag(status)), size: Int64(status.st_size), content: content,
      modified: status.modified)
  }

  /// Hands the bytes of an object to `sink` in order, through a buffer of fixed size.
  func read(
    _ path: ObjectPath, _ range: ReadRange?, into sink: any ByteSink, _ interrupt: CancellationFlag
  ) throws(BackendError) {
    guard let (file, size) = try open(path) else { throw BackendError(.notFound, "no such object") }
    let offset = range?.offset ?? 0
    guard offset >= 0, offset <= size, range?.length ?? 0 >= 0 else {
      throw BackendError(.invalidRequest, "no bytes from \(offset) on, the object has \(size)")
    }
    let wanted = FileRange(file, offset: offset, length: min(range?.length ?? size, size - offset))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
    defer { buffer.deallocate() }
    var position: Int64 = 0
    while position < wanted.length {
      try interrupt.check()
      let count = wanted.read(at: position, into: buffer)
      guard count >= 0 else { throw .file(errno, "read") }
      guard count > 0 else {
        throw BackendError(.corrupted, "the object shrank while it was read", retry: .backoff)
      }
      guard sink.write(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else {
        throw BackendError(.cancelled, "the reader takes no more bytes")
      }
      position += Int64(count)
    }
  }
}
