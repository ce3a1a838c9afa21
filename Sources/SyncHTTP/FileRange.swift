import Glibc

/// An open file, closed when the last reference goes.
public final class OpenFile: Sendable {
  public let descriptor: CInt

  /// Takes over the descriptor.
  public init(owning descriptor: CInt) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}

/// Bytes `offset ..< offset + length` of an open file. Readers use `pread`: the file's own position never moves,
/// so many may read one file at once.
public struct FileRange: Sendable {
  public var file: OpenFile
  public var offset: Int64
  public var length: Int64

  public init(_ file: OpenFile, offset: Int64, length: Int64) {
    self.file = file
    self.offset = offset
    self.length = length
  }

  /// Reads at `position` (relative to the range) into `buffer`, as much as fits.
  ///
  /// - Returns: the number of bytes read; 0 where the range or the file ends; -1 with `errno` on failure.
  public func read(at position: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let wanted = min(Int64(buffer.count), length - position)
    guard wanted > 0 else { return 0 }
    while true {
      let count = pread(file.descriptor, buffer.baseAddress, Int(wanted), off_t(offset + position))
      if count >= 0 || errno != EINTR { return count }
    }
  }
}
