import Digests
import Glibc
import SyncBackend

extension Payload {
  /// Writes the payload into `file` from `offset` on, through a buffer of fixed size, and plays the server's
  /// part: the digest is of the bytes that were written.
  ///
  /// - Returns: their MD5. Throws `.corrupted` where it is not the one that the payload came with.
  func write(to file: OpenFile, at offset: Int64, _ interrupt: CancellationFlag) throws(BackendError)
    -> [UInt8]
  {
    var md5 = MD5()
    var position: Int64 = 0
    func take(_ bytes: UnsafeRawBufferPointer) throws(BackendError) {
      try interrupt.check()
      try file.write(bytes, at: offset + position)
      md5.update(bytes)
      position += Int64(bytes.count)
      onSent?(bytes.count)
    }
    switch source {
    case .bytes(let bytes): try Self.each(of: bytes, take)
    case .file(let range): try Self.each(of: range, take)
    case .object(let reference, _, _):
      throw BackendError(.unsupported, "\(reference.key): a local bucket does not copy its objects")
    }
    let digest = md5.finish()
    if let expected = digests[.md5], expected != digest {
      throw BackendError(
        .corrupted, "MD5 \(hexText(expected)) was announced, \(hexText(digest)) arrived", retry: .backoff)
    }
    return digest
  }

  private static let bufferSize = 256 << 10

  private static func each(
    of bytes: [UInt8], _ take: (UnsafeRawBufferPointer) throws(BackendError) -> Void
  ) throws(BackendError) {
    var start = 0
    while start < bytes.count {
      let end = min(start + bufferSize, bytes.count)
      try bytes.withUnsafeBufferPointer { all throws(BackendError) in
        try take(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(all)[start..<end]))
      }
      start = end
    }
  }

  private static func each(
    of range: FileRange, _ take: (UnsafeRawBufferPointer) throws(BackendError) -> Void
  ) throws(BackendError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 4096)
    defer { buffer.deallocate() }
    var position: Int64 = 0
    while position < range.length {
      let count = range.read(at: position, into: buffer)
      guard count >= 0 else {
        throw BackendError(.unreadableSource, "read of the source: \(String(cString: strerror(errno)))")
      }
      guard count > 0 else {
        throw BackendError(
          .unreadableSource, "the source ended after \(position) of \(range.length) bytes; it was changed")
      }
      try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      position += Int64(count)
    }
  }
}

extension OpenFile {
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(BackendError) {
    var rest = bytes
    var offset = offset
    while !rest.isEmpty {
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset))
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .file(count < 0 ? errno : EIO, "write") }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      offset += Int64(count)
    }
  }

  func sync() throws(BackendError) {
    guard fsync(descriptor) == 0 else { throw .file(errno, "fsync") }
  }

  func status() throws(BackendError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .file(errno, "stat") }
    return status
  }

  /// Gives the finished file its time, its note of content, and durability; it must not be written any more.
  func seal(_ content: ContentDigest) throws(BackendError) -> stat {
    // Set by us, the time is the one that stays: a network filesystem sets its own when buffers arrive there.
    guard futimens(descriptor, nil) == 0 else { throw .file(errno, "setting the time") }
    let status = try status()
    ContentMark.set(content, on: self, status)
    try sync()
    return status
  }
}
