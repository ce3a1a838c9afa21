import S3
import SyncBackend
import Testing
import TestSupport

/// Recorded answers with what a reader must find in them.
struct AnswerVectors: Decodable {
  var responses: [Answer]

  static func read(_ folder: String) throws -> [Answer] {
    try VectorFiles.decode(AnswerVectors.self, from: "\(folder)/index.json").responses.map {
      var answer = $0
      answer.file = "\(folder)/\($0.file)"
      return answer
    }
  }

  static let plan = UploadPlan(
    key: ObjectKey("dir/movie.mov"), size: 10 << 20, partSize: 5 << 20, options: ObjectOptions())
  static let upload = Upload(key: ObjectKey("dir/movie.mov"), id: "u")
  static let part = Part(number: 1, size: 1, etag: "ffc88b4ca90a355f8ddba6b2c3b2af5c")

  /// Empty, with the digests that plain HTTP needs.
  static var payload: Payload {
    var digests = DigestSet()
    digests[.sha256] = [UInt8](repeating: 0, count: 32)
    return Payload(.bytes([]), digests: digests)
  }

  struct Answer: Decodable, Sendable, CustomTestStringConvertible {
    var file: String
    var operation: String
    var status: Int
    var headers: [String: String]
    var kind: String
    var expect: Expectation
    var action: Action?

    enum CodingKeys: String, CodingKey {
      case file, operation, headers, kind, expect
      case status = "http_status"
      case action = "suggested_action"
    }

    var testDescription: String { file }
  }

  struct Expectation: Decodable, Sendable {
    var code: String?
    var message: String?
    var uploadID: String?
    var isTruncated: Bool?
    var partMarker: Int?
    var parts: [Part]?
    var etag: String?
    var keys: [String]?
    var sizes: [Int64]?
    var continuationToken: String?
    var uploads: [[String]]?
    var deleted: [String]?
    var errors: [[String]]?

    enum CodingKeys: String, CodingKey {
      case code = "Code"
      case message = "Message"
      case uploadID = "UploadId"
      case isTruncated = "IsTruncated"
      case partMarker = "NextPartNumberMarker"
      case parts = "Parts"
      case etag = "ETag"
      case keys = "Keys"
      case sizes = "Sizes"
      case continuationToken = "NextContinuationToken"
      case uploads = "Uploads"
      case deleted = "Deleted"
      case errors = "Errors"
    }

    struct Part: Decodable, Sendable {
      var number: Int
      var etag: String
      var size: Int64

      enum CodingKeys: String, CodingKey {
        case number = "PartNumber"
        case etag = "ETag"
        case size = "Size"
      }
    }
  }
}

extension AnswerVectors.Answer {
  var response: HTTPResponse {
    get throws {
      var fields = HTTPFields()
      for (name, value) in headers { fields.append(name, value) }
      return HTTPResponse(status: status, headers: fields, body: try VectorFiles.bytes(file))
    }
  }

  /// Makes the call that was answered so.
  func call(_ backend: any Backend) async throws(BackendError) {
    switch operation {
    case "CompleteMultipartUpload":
      _ = try await backend.completeUpload(
        AnswerVectors.upload, parts: [AnswerVectors.part], content: ContentSummary(size: 1))
    case "CreateMultipartUpload":
      _ = try await backend.beginUpload(AnswerVectors.plan)
    case "UploadPart":
      _ = try await backend.uploadPart(1, payload: AnswerVectors.payload, of: AnswerVectors.upload)
    case "ListParts":
      _ = try await backend.listParts(of: AnswerVectors.upload, after: nil)
    case "GetObject":
      try await backend.read(ObjectReference(ObjectKey("dir/movie.mov")), range: nil, into: CollectingSink())
    default:
      _ = try await backend.put(
        AnswerVectors.payload, to: ObjectKey("dir/movie.mov"), options: ObjectOptions())
    }
  }
}

/// What the vectors' makers would do about an answer.
enum Action: String, Decodable, Sendable {
  case retry
  case retryBackoff = "retry-backoff"
  case retryLater = "retry-later"
  case fixClock = "fix-clock-and-retry"
  case refreshCredentials = "refresh-credentials"
  case presignAgain = "presign-again"
  case switchRegion = "switch-region"
  case followOnce = "follow-once-and-resign"
  case relistParts = "relist-and-reupload-part"
  case restartUpload = "restart-upload"
  case checkThenRetry = "check-then-retry"
  case alreadyExists = "already-exists"
  case fixRequest = "fix-request"
  case fail

  /// Whether an error leads a caller to that.
  func allows(_ error: BackendError) -> Bool {
    switch self {
    case .retry, .retryBackoff, .retryLater, .followOnce: error.isRetriedLater
    case .checkThenRetry: error.isRetriedLater || error.kind == .uploadGone
    case .fixClock: error.kind == .clock && error.retry == .now
    case .switchRegion: error.retry == .now
    case .refreshCredentials: error.kind == .credentials
    // Nothing is presigned, so the same request would be refused again.
    case .presignAgain: error.kind == .denied && error.retry == .never
    case .relistParts, .restartUpload: error.retry == .restartUpload
    case .alreadyExists: error.kind == .conflict && error.retry == .never
    case .fixRequest:
      error.retry == .never && [.invalidRequest, .invalidKey, .tooLarge, .unsupported].contains(error.kind)
    case .fail: error.retry == .never
    }
  }
}

extension BackendError {
  fileprivate var isRetriedLater: Bool {
    switch retry {
    case .backoff, .after: true
    default: false
    }
  }
}
