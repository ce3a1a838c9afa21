/// The digests that a backend may ask the engine to compute for it.
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable, Codable {
  case md5
  case sha256
}

/// Digests of one payload, by algorithm, as raw bytes.
public struct DigestSet: Sendable, Equatable {
  private var values: [DigestAlgorithm: [UInt8]] = [:]

  public init() {}

  public subscript(algorithm: DigestAlgorithm) -> [UInt8]? {
    get { values[algorithm] }
    set { values[algorithm] = newValue }
  }

  public var algorithms: Set<DigestAlgorithm> { Set(values.keys) }
}

/// What a whole object contains, in the two forms that can be computed here and checked against a remote.
public enum ContentDigest: Sendable, Hashable {
  /// MD5 of all bytes.
  case md5([UInt8])
  /// MD5 of the concatenated MD5s of equal parts: what S3 gives as the ETag of a multipart object.
  case md5OfParts([UInt8], count: Int)
}
