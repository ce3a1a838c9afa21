import Digests
import ObjectREST
import S3
import SyncBackend
import Testing
import TestSupport

@Suite("S3 Signature V4 in headers, on known answers")
struct S3SigV4HeadersVectorsTests {
  static let vectors = Result {
    try VectorFiles.decode(SigV4HeaderVectors.self, from: "s3-sigv4-headers.json").vectors
  }

  @Test("Every step of every signature is as the SDKs make it", arguments: try vectors.get())
  func signature(vector: SigV4HeaderVectors.Vector) throws {
    let signed = try vector.signature.sign(
      vector.method, vector.target, headers: vector.fields, payload: vector.payload)
    let expected = vector.expected
    // As bytes: to String's == composed and decomposed accents are the same.
    #expect(signed.canonicalRequest == Array(expected.canonicalRequest.utf8))
    #expect(signed.stringToSign == expected.stringToSign)
    #expect(signed.signature == expected.signature)
    #expect(signed.headers["Authorization"] == expected.authorization)
    let added = Dictionary(
      uniqueKeysWithValues: signed.headers.fields.map { ($0.name.lowercased(), $0.value) })
    #expect(
      added == Dictionary(uniqueKeysWithValues: expected.headersAdded.map { ($0[0].lowercased(), $0[1]) }))
  }
}

struct SigV4HeaderVectors: Decodable {
  var vectors: [Vector]

  struct Vector: Decodable, Sendable, CustomTestStringConvertible {
    var id: String
    var operation: String
    var accessKeyID: String
    var secretAccessKey: String
    var sessionToken: String?
    var region: String
    var timestamp: String
    var methodName: String
    var url: String
    var headers: [[String]]
    var payloadMode: String
    var payloadHash: String
    var expected: Expected

    enum CodingKeys: String, CodingKey {
      case id, operation, region, timestamp, url, headers, expected
      case accessKeyID = "access_key_id"
      case secretAccessKey = "secret_access_key"
      case sessionToken = "session_token"
      case methodName = "method"
      case payloadMode = "payload_mode"
      case payloadHash = "payload_hash"
    }

    var testDescription: String { "\(id) \(operation)" }
  }

  struct Expected: Decodable, Sendable {
    var canonicalRequest: String
    var stringToSign: String
    var signature: String
    var authorization: String
    var headersAdded: [[String]]

    enum CodingKeys: String, CodingKey {
      case signature, authorization
      case canonicalRequest = "canonical_request"
      case stringToSign = "string_to_sign"
      case headersAdded = "headers_added"
    }
  }
}

extension SigV4HeaderVectors.Vector {
  var signature: SignatureV4 {
    get throws {
      SignatureV4(
        credentials: S3Credentials(
          accessKeyID: accessKeyID, secretAccessKey: Secret(secretAccessKey),
          sessionToken: sessionToken.map(Secret.init)),
        region: region, moment: try #require(Timestamps.iso8601(timestamp.utf8)))
    }
  }

  var method: HTTPMethod {
    get throws { try #require(HTTPMethod(rawValue: methodName)) }
  }

  /// The URL cut into its pieces, none of them changed but the host's letter case and the scheme's own port.
  var target: HTTPTarget {
    get throws {
      let scheme = url.hasPrefix("http://") ? "http" : "https"
      let rest = url.dropFirst(scheme.count + 3)
      let slash = try #require(rest.firstIndex(of: "/"))
      let halves = rest[slash...].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let host = rest[..<slash].split(separator: "@").last.map(String.init) ?? ""
      return HTTPTarget(
        scheme: scheme, authority: try #require(Endpoint("\(scheme)://\(host)")).authority,
        path: String(halves[0]),
        query: halves.count > 1 ? String(halves[1]) : "")
    }
  }

  var fields: HTTPFields {
    var fields = HTTPFields()
    for header in headers { fields.append(header[0], header[1]) }
    return fields
  }

  var payload: SignatureV4.PayloadHash {
    get throws {
      switch payloadMode {
      case "UNSIGNED-PAYLOAD": .unsigned
      case "STREAMING-UNSIGNED-PAYLOAD-TRAILER": .streamingUnsignedTrailer
      default: .signed(try #require(hexBytes(payloadHash)))
      }
    }
  }
}
