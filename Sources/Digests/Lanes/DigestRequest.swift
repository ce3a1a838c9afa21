/// Bytes to be hashed, from anywhere that can be read by position.
public struct DigestRequest: Sendable {
  /// Reads at a position from 0 on into a buffer: the number of bytes, 0 at the end, -1 with `errno` on failure.
  /// Called on the service's thread, where it may block; it holds up the other requests for so long.
  public typealias Read = @Sendable (_ position: Int64, _ into: UnsafeMutableRawBufferPointer) -> Int

  /// Exactly so many bytes are hashed; what comes after them is not read.
  public var length: Int64
  public var wantsMD5: Bool
  public var wantsSHA256: Bool
  public var read: Read

  public init(length: Int64, wantsMD5: Bool = true, wantsSHA256: Bool = false, read: @escaping Read) {
    self.length = length
    self.wantsMD5 = wantsMD5
    self.wantsSHA256 = wantsSHA256
    self.read = read
  }
}

/// The digests that were asked for: 16 bytes of MD5, 32 of SHA-256.
public struct DigestResult: Sendable, Equatable {
  public var md5: [UInt8]?
  public var sha256: [UInt8]?

  public init(md5: [UInt8]? = nil, sha256: [UInt8]? = nil) {
    self.md5 = md5
    self.sha256 = sha256
  }
}

/// Why there is no digest.
public enum DigestError: Error, Sendable, Equatable {
  /// The source has only so many bytes, fewer than the length that was asked for.
  case endedEarly(at: Int64)
  /// A read failed with this `errno`.
  case unreadable(CInt)
  /// The task was cancelled, or the service shut down.
  case cancelled
}
