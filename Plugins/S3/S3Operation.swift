import Digests
import ObjectREST
import SyncBackend

/// The calls of the S3 API that the backend makes, by their names in its reference.
enum S3Operation: String, Sendable {
  case putObject = "PutObject"
  case headObject = "HeadObject"
  case getObject = "GetObject"
  case deleteObject = "DeleteObject"
  case deleteObjects = "DeleteObjects"
  case listObjects = "ListObjectsV2"
  case createUpload = "CreateMultipartUpload"
  case uploadPart = "UploadPart"
  case listParts = "ListParts"
  case completeUpload = "CompleteMultipartUpload"
  case abortUpload = "AbortMultipartUpload"
  case listUploads = "ListMultipartUploads"

  /// The IAM permission that it needs, for advice.
  var permission: String {
    switch self {
    case .putObject, .createUpload, .uploadPart, .completeUpload: "s3:PutObject"
    case .headObject: "s3:GetObject and s3:ListBucket"
    case .getObject: "s3:GetObject"
    case .deleteObject, .deleteObjects: "s3:DeleteObject"
    case .listObjects: "s3:ListBucket"
    case .listParts: "s3:ListMultipartUploadParts"
    case .abortUpload: "s3:AbortMultipartUpload"
    case .listUploads: "s3:ListBucketMultipartUploads"
    }
  }

  /// It names an upload, so "not found" speaks of that.
  var namesUpload: Bool {
    switch self {
    case .uploadPart, .listParts, .completeUpload, .abortUpload: true
    default: false
    }
  }

  /// It asks for an object, so "not found" speaks of that and not of the bucket. Deleting does not: S3 calls what
  /// is missing deleted, and a 404 without a code comes from something else.
  var asksForObject: Bool {
    switch self {
    case .headObject, .getObject: true
    default: false
    }
  }

  /// It is about the bucket as a whole.
  var isOfBucket: Bool {
    switch self {
    case .deleteObjects, .listObjects, .listUploads: true
    default: false
    }
  }

  /// Once done it cannot be repeated to the same effect, so without an answer its outcome is unknown.
  var isUnrepeatable: Bool {
    switch self {
    case .createUpload, .completeUpload: true
    default: false
    }
  }
}

/// One request to be signed and sent.
struct S3Call: Sendable {
  var operation: S3Operation
  var method: HTTPMethod
  var key: ObjectKey?
  /// Of a listing, for messages; the request carries it in its query.
  var prefix: ObjectKey?
  var query = Query()
  var headers: HTTPFields = [:]
  var body = HTTPBody.none
  var hash: SignatureV4.PayloadHash = .ofNothing
  var patience = HTTPPatience()
  var onSent: (@Sendable (Int) -> Void)?

  init(_ operation: S3Operation, _ method: HTTPMethod, key: ObjectKey? = nil) {
    self.operation = operation
    self.method = method
    self.key = key
  }

  /// Gives the call a body of our own making, small enough to be hashed here.
  mutating func setXML(_ bytes: [UInt8]) {
    body = .bytes(bytes)
    hash = .signed(SHA256.hash(bytes))
    // Without one an HTTP client may add a form's type, which S3 forbids on Complete.
    headers["Content-Type"] = "application/xml"
  }
}
