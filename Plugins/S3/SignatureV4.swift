import Digests
import ObjectREST
import SyncHTTP

/// AWS Signature Version 4 in the Authorization header, as S3 wants it.
///
/// A pure value: the same credentials, moment and request give the same signature. The path is signed exactly as it
/// is sent, never normalised; the query is signed sorted. Source: Amazon S3 API Reference, "Signature Calculations
/// for the Authorization Header".
package struct SignatureV4: Sendable {
  /// What the signature says of the body: the value of `x-amz-content-sha256`.
  package enum PayloadHash: Sendable, Equatable {
    /// SHA-256 of the body as it is sent.
    case signed([UInt8])
    /// The body is not covered: over TLS only.
    case unsigned
    /// The body comes in aws-chunked encoding with a checksum behind it, neither of them signed.
    case streamingUnsignedTrailer

    package var text: String {
      switch self {
      case .signed(let hash): hexText(hash)
      case .unsigned: "UNSIGNED-PAYLOAD"
      case .streamingUnsignedTrailer: "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
      }
    }
  }

  /// A signature with the steps that led to it. The bytes are those that are hashed, never normalised text.
  package struct Signed: Sendable {
    package var canonicalRequest: [UInt8]
    package var stringToSign: String
    package var signature: String
    /// The headers to be sent besides those that were given, Authorization among them.
    package var headers: HTTPFields
  }

  package var credentials: S3Credentials
  package var region: String
  /// Nanoseconds since 1970 by the remote's clock.
  package var moment: Int64
  private let keys: SigningKeys

  package init(
    credentials: S3Credentials, region: String, moment: Int64, keys: SigningKeys = SigningKeys()
  ) {
    self.credentials = credentials
    self.region = region
    self.moment = moment
    self.keys = keys
  }

  /// Signs every header given except those that a proxy or the HTTP client may touch on the way.
  ///
  /// The Host header is the target's authority unless `headers` names another.
  package func sign(
    _ method: HTTPMethod, _ target: HTTPTarget, headers: HTTPFields, payload: PayloadHash
  ) -> Signed {
    let timestamp = Timestamps.basic(moment)
    var added: HTTPFields = ["x-amz-date": timestamp]
    if let token = credentials.sessionToken { added["x-amz-security-token"] = token.exposed }
    added["x-amz-content-sha256"] = payload.text

    let host = HTTPFields.Field(name: "host", value: headers["host"] ?? target.authority)
    let given = headers.fields.filter { !$0.name.utf8.elementsEqual(host.name.utf8, by: sameLetter) }
    let canonical = CanonicalHeaders([host] + given + added.fields)
    let request = [
      Array(method.rawValue.utf8), Array(target.path.utf8), Array(canonicalQuery(target.query).utf8),
      canonical.block, Array(canonical.names.utf8), Array(payload.text.utf8),
    ].joined(separator: "\n".utf8)
    let canonicalRequest = Array(request)

    let date = String(timestamp.prefix(8))
    let scope = "\(date)/\(region)/s3/aws4_request"
    let stringToSign = "AWS4-HMAC-SHA256\n\(timestamp)\n\(scope)\n\(hexText(SHA256.hash(canonicalRequest)))"
    let key = keys.key(of: credentials.secretAccessKey, date: date, region: region)
    let signature = hexText(hmacSHA256(key: key, Array(stringToSign.utf8)))
    added["Authorization"] =
      "AWS4-HMAC-SHA256 Credential=\(credentials.accessKeyID)/\(scope), "
      + "SignedHeaders=\(canonical.names), Signature=\(signature)"
    return Signed(
      canonicalRequest: canonicalRequest, stringToSign: stringToSign, signature: signature, headers: added)
  }

  /// Sorted by encoded name, then value; a bare name signs as `name=`.
  private func canonicalQuery(_ query: String) -> String {
    let pairs = query.utf8.split(separator: UInt8(ascii: "&")).map { piece in
      let halves = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (name: Array(halves[0]), value: halves.count > 1 ? Array(halves[1]) : [])
    }
    let sorted = pairs.sorted { left, right in
      left.name == right.name
        ? left.value.lexicographicallyPrecedes(right.value) : left.name.lexicographicallyPrecedes(right.name)
    }
    return sorted.map {
      "\(String(decoding: $0.name, as: UTF8.self))=\(String(decoding: $0.value, as: UTF8.self))"
    }
    .joined(separator: "&")
  }
}

/// The headers as they are signed: names in lower case and sorted, values trimmed with runs of blanks made one,
/// repeats joined by commas in their order.
private struct CanonicalHeaders {
  /// `name:value\n` of each.
  var block: [UInt8] = []
  /// The names, joined by semicolons.
  var names = ""

  init(_ fields: [HTTPFields.Field]) {
    var values: [String: [UInt8]] = [:]
    for field in fields {
      let name = field.name.lowercased()
      guard !Self.isLeftOut(name) else { continue }
      let value = Self.folded(field.value)
      values[name] = values[name].map { $0 + [UInt8(ascii: ",")] + value } ?? value
    }
    let sorted = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (name, value) in sorted {
      block += Array(name.utf8) + [UInt8(ascii: ":")] + value + [UInt8(ascii: "\n")]
    }
    names = sorted.map(\.key).joined(separator: ";")
  }

  /// Headers of one connection, and those that proxies add or change.
  private static func isLeftOut(_ name: String) -> Bool {
    switch name {
    case "authorization", "connection", "expect", "keep-alive", "te", "trailer", "transfer-encoding",
      "upgrade",
      "user-agent", "x-amzn-trace-id":
      true
    default: name.hasPrefix("proxy-")
    }
  }

  /// Only ASCII blanks: SDKs and servers differ on others.
  private static func folded(_ value: String) -> [UInt8] {
    Array(
      value.utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) }.joined(separator: [UInt8(ascii: " ")]))
  }
}

private func sameLetter(_ left: UInt8, _ right: UInt8) -> Bool {
  func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
  return lowercased(left) == lowercased(right)
}
