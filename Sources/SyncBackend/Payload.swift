/// Bytes to send, readable again from the start, with the digests that the capabilities asked for.
/// The engine hashes; a backend never does.
public struct Payload: Sendable {
  public enum Source: Sendable {
    case bytes([UInt8])
    case file(FileRange)
    /// Bytes of an object on the same remote: copying on the server. Only where `Capabilities.copies`.
    case object(ObjectReference, offset: Int64, length: Int64)
  }

  public var source: Source
  public var digests: DigestSet
  /// Called as bytes leave, with their number. A failed attempt's bytes are counted too.
  public var onSent: (@Sendable (Int) -> Void)?

  public init(_ source: Source, digests: DigestSet = DigestSet(), onSent: (@Sendable (Int) -> Void)? = nil) {
    self.source = source
    self.digests = digests
    self.onSent = onSent
  }

  public var length: Int64 {
    switch source {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(let range): range.length
    case .object(_, _, let length): length
    }
  }
}
