import CCrypto

/// MD5 (RFC 1321) of one stream, fed piece by piece. A copy goes on by itself.
///
/// It tells whether bytes arrived, as S3's Content-MD5 and ETag do; it is no proof against a forger.
public struct MD5: Sendable {
  private var stream: DigestStream

  public init() {
    stream = DigestStream(EVP_md5())
  }

  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    stream.update(bytes)
  }

  public mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { stream.update($0) }
  }

  /// The digest of everything fed so far, 16 bytes; the stream then begins anew.
  public mutating func finish() -> [UInt8] {
    stream.finish()
  }

  /// The digest of `bytes`, 16 bytes.
  public static func hash(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { hash($0) }
  }

  public static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    DigestStream.hash(bytes, with: EVP_md5())
  }
}

/// SHA-256 (FIPS 180-4) of one stream, fed piece by piece. A copy goes on by itself.
public struct SHA256: Sendable {
  private var stream: DigestStream

  public init() {
    stream = DigestStream(EVP_sha256())
  }

  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    stream.update(bytes)
  }

  public mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { stream.update($0) }
  }

  /// The digest of everything fed so far, 32 bytes; the stream then begins anew.
  public mutating func finish() -> [UInt8] {
    stream.finish()
  }

  /// The digest of `bytes`, 32 bytes.
  public static func hash(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { hash($0) }
  }

  public static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    DigestStream.hash(bytes, with: EVP_sha256())
  }
}

/// HMAC-SHA256 (RFC 2104), 32 bytes. Keys of any length.
public func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
  // An empty array has no address, and libcrypto takes a missing key for "the key of last time".
  let key = key.isEmpty ? [0] : key
  return [UInt8](unsafeUninitializedCapacity: 32) { code, count in
    var length: CUnsignedInt = 0
    let made = HMAC(EVP_sha256(), key, CInt(key.count), message, message.count, code.baseAddress, &length)
    guard made != nil else { refused("HMAC-SHA256") }
    count = Int(length)
  }
}

/// A libcrypto digest as a value: the context is copied before a change that a copy of the value would see.
private struct DigestStream: Sendable {
  private var context: DigestContext

  init(_ algorithm: OpaquePointer?) {
    context = DigestContext(algorithm)
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    makeUnique()
    context.update(bytes)
  }

  mutating func finish() -> [UInt8] {
    makeUnique()
    return context.finish()
  }

  static func hash(_ bytes: UnsafeRawBufferPointer, with algorithm: OpaquePointer?) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { digest, count in
      var length: CUnsignedInt = 0
      let done = EVP_Digest(bytes.baseAddress, bytes.count, digest.baseAddress, &length, algorithm, nil)
      guard done == 1 else { refused("the digest") }
      count = Int(length)
    }
  }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
  }
}

/// Owns one `EVP_MD_CTX`.
///
/// Unchecked: the pointer never changes, and what it points to is changed only through a `DigestStream` that holds
/// the sole reference, so no two threads can meet there.
private final class DigestContext: @unchecked Sendable {
  private let pointer: OpaquePointer
  private let algorithm: OpaquePointer?

  init(_ algorithm: OpaquePointer?) {
    guard let pointer = EVP_MD_CTX_new(), EVP_DigestInit_ex(pointer, algorithm, nil) == 1 else {
      refused("the digest")
    }
    self.pointer = pointer
    self.algorithm = algorithm
  }

  init(copying other: DigestContext) {
    guard let pointer = EVP_MD_CTX_new(), EVP_MD_CTX_copy_ex(pointer, other.pointer) == 1 else {
      refused("the digest")
    }
    self.pointer = pointer
    algorithm = other.algorithm
  }

  deinit { EVP_MD_CTX_free(pointer) }

  func update(_ bytes: UnsafeRawBufferPointer) {
    guard EVP_DigestUpdate(pointer, bytes.baseAddress, bytes.count) == 1 else { refused("the digest") }
  }

  func finish() -> [UInt8] {
    let digest = [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { digest, count in
      var length: CUnsignedInt = 0
      guard EVP_DigestFinal_ex(pointer, digest.baseAddress, &length) == 1 else { refused("the digest") }
      count = Int(length)
    }
    guard EVP_DigestInit_ex(pointer, algorithm, nil) == 1 else { refused("the digest") }
    return digest
  }
}

/// libcrypto has no memory left, or its policy (FIPS) forbids the algorithm: no caller could go on.
private func refused(_ what: String) -> Never {
  fatalError("libcrypto could not compute \(what): out of memory, or its policy forbids the algorithm")
}
