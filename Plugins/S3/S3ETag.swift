import Digests
import ObjectREST
import SyncBackend

/// An ETag without its quotation marks, and the one place that reads an MD5 out of it.
struct S3ETag: Sendable, Equatable {
  let text: String

  /// - Returns: nil where there is none: RGW answers a finished upload with an empty one.
  init?(_ quoted: String?) {
    guard let quoted else { return nil }
    var bytes = quoted.utf8.trimmingBlanks
    if bytes.starts(with: "W/".utf8) { bytes = bytes.dropFirst(2) }
    if bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") {
      bytes = bytes.dropFirst().dropLast()
    }
    guard !bytes.isEmpty else { return nil }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// 32 hexadecimal digits: the form, not yet the promise, of an MD5.
  fileprivate var md5: [UInt8]? {
    text.utf8.count == 32 ? hexBytes(text) : nil
  }

  /// 32 hexadecimal digits, `-`, and the number of parts.
  fileprivate var md5OfParts: ContentDigest? {
    let halves = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard halves.count == 2, halves[0].count == 32, let digest = hexBytes(halves[0]),
      let count = Int(String(decoding: halves[1], as: UTF8.self)), count > 0
    else { return nil }
    return .md5OfParts(digest, count: count)
  }
}

/// What a store's ETags are worth. Where they are not known to be MD5s they stay opaque.
struct S3ETagMeaning: Sendable {
  /// Whether a multipart object's ETag is the MD5 of its parts' MD5s.
  private let statesParts: Bool

  /// - Parameter host: of the endpoint. R2's and Google's multipart ETags only look like S3's.
  init(host: String) {
    statesParts = ![".r2.cloudflarestorage.com", "storage.googleapis.com", ".aliyuncs.com"].contains {
      host.hasSuffix($0)
    }
  }

  /// The content that an answer about a whole object states; its headers tell whether it is encrypted.
  func content(_ etag: S3ETag?, _ headers: HTTPFields) -> ContentDigest? {
    guard let etag, !Self.isEncryptedWithKey(headers) else { return nil }
    if let md5 = etag.md5 { return .md5(md5) }
    return statesParts ? etag.md5OfParts : nil
  }

  /// The MD5 that an answer about a part, or about a whole put, states.
  func md5(_ etag: S3ETag?, _ headers: HTTPFields = [:]) -> [UInt8]? {
    Self.isEncryptedWithKey(headers) ? nil : etag?.md5
  }

  /// Under SSE-KMS and SSE-C an ETag has the form of an MD5 and is none (Amazon S3 API Reference, "Object").
  private static func isEncryptedWithKey(_ headers: HTTPFields) -> Bool {
    headers["x-amz-server-side-encryption-customer-algorithm"] != nil
      || headers["x-amz-server-side-encryption"]?.hasPrefix("aws:kms") == true
  }
}
