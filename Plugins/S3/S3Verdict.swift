import SyncBackend

/// What an error code or a status means for the caller.
///
/// Sources: Amazon S3 API Reference, "Error responses"; the codes that botocore and the AWS Common Runtime repeat;
/// Ceph RGW and MinIO where they have codes of their own.
struct S3Verdict: Equatable {
  var kind: BackendError.Kind
  var retry: BackendError.Retry
  /// What the user can do.
  var advice: String?

  private init(_ kind: BackendError.Kind, _ retry: BackendError.Retry = .never, _ advice: String? = nil) {
    self.kind = kind
    self.retry = retry
    self.advice = advice
  }
}

// MARK: - By code

extension S3Verdict {
  /// - Returns: nil for a code that says no more than its status.
  init?(code: String, _ operation: S3Operation) {
    guard
      let verdict = Self.onAccess(code, operation) ?? Self.onPlace(code, operation) ?? Self.onLoad(code)
        ?? Self.onContent(code, operation)
    else { return nil }
    self = verdict
  }

  /// Who asks, and when.
  private static func onAccess(_ code: String, _ operation: S3Operation) -> S3Verdict? {
    switch code {
    case "InvalidAccessKeyId", "InvalidClientTokenId":
      S3Verdict(
        .credentials, .never, "the remote does not know this access key: check access_key_id and the endpoint"
      )
    case "SignatureDoesNotMatch":
      S3Verdict(.credentials, .never, "check secret_access_key")
    case "ExpiredToken", "InvalidToken", "TokenRefreshRequired":
      S3Verdict(.credentials, .never, "get new temporary credentials")
    case "AccessDenied", "AllAccessDisabled", "AccountProblem", "NotSignedUp", "InvalidPayer":
      S3Verdict(.denied, .never, "allow these credentials \(operation.permission) on the bucket")
    case "RequestTimeTooSkewed":
      S3Verdict(.clock, .never, "set this machine's clock (NTP), then try again")
    default: nil
    }
  }

  /// Where the bucket, the object or the upload is.
  private static func onPlace(_ code: String, _ operation: S3Operation) -> S3Verdict? {
    switch code {
    case "NoSuchBucket":
      S3Verdict(.targetMissing, .never, "create the bucket, or correct bucket and endpoint of the remote")
    // RGW says of an upload that was aborted that its key is missing.
    case "NoSuchKey", "NoSuchVersion":
      operation.namesUpload ? S3Verdict(.uploadGone, .restartUpload) : S3Verdict(.notFound)
    case "NoSuchUpload":
      S3Verdict(.uploadGone, .restartUpload)
    case "AuthorizationHeaderMalformed", "IllegalLocationConstraintException":
      S3Verdict(.targetMissing, .never, "check region and access_key_id of the remote")
    case "PermanentRedirect", "Redirect":
      S3Verdict(.targetMissing, .never, "the bucket is elsewhere: check region and endpoint of the remote")
    // Just after a bucket was made, until its name is known everywhere.
    case "TemporaryRedirect":
      S3Verdict(.unavailable, .backoff)
    case "InvalidBucketName",
      "InvalidURI" where operation.isOfBucket:
      S3Verdict(.targetMissing, .never, "correct bucket of the remote")
    default: nil
    }
  }

  /// How the remote fares.
  private static func onLoad(_ code: String) -> S3Verdict? {
    switch code {
    case "SlowDown", "SlowDownRead", "SlowDownWrite", "RequestLimitExceeded", "BandwidthLimitExceeded",
      "RequestThrottled", "TooManyRequests":
      S3Verdict(.throttled, .backoff)
    case _ where code.hasPrefix("Throttling"):
      S3Verdict(.throttled, .backoff)
    case "InternalError", "InternalErrors", "ServiceUnavailable", "RequestTimeout":
      S3Verdict(.unavailable, .backoff)
    case "QuotaExceeded", "InsufficientCapacity", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded":
      S3Verdict(.full, .never, "make room, or have the quota raised")
    case "OperationAborted":
      S3Verdict(.conflict, .backoff)
    default: nil
    }
  }

  /// What was sent.
  private static func onContent(_ code: String, _ operation: S3Operation) -> S3Verdict? {
    switch code {
    // On completion it speaks of the object as a whole: the same parts would fail the same way.
    case "BadDigest":
      operation == .completeUpload ? S3Verdict(.corrupted) : S3Verdict(.corrupted, .backoff)
    case "XAmzContentSHA256Mismatch", "IncompleteBody":
      S3Verdict(.corrupted, .backoff)
    // A part is missing on the remote, or is another than the one named.
    case "InvalidPart":
      S3Verdict(.corrupted, .restartUpload)
    case "EntityTooSmall":
      S3Verdict(.invalidRequest, .restartUpload, "set a larger part_size")
    case "EntityTooLarge":
      S3Verdict(.tooLarge)
    case "ConditionalRequestConflict":
      S3Verdict(.conflict, operation.namesUpload ? .restartUpload : .backoff)
    case "PreconditionFailed", "InvalidObjectState":
      S3Verdict(.conflict)
    case "KeyTooLongError", "InvalidURI", "InvalidObjectName", "XMinioInvalidObjectName":
      S3Verdict(.invalidKey)
    case "NotImplemented", "MethodNotAllowed":
      S3Verdict(.unsupported)
    default: nil
    }
  }
}

// MARK: - By status

extension S3Verdict {
  /// For answers without a code: HEAD's, a proxy's page, an empty body.
  init(status: Int, _ operation: S3Operation) {
    self =
      switch status {
      case 401: S3Verdict(.credentials, .never, "check the remote's credentials")
      case 403: S3Verdict(.denied, .never, "allow these credentials \(operation.permission) on the bucket")
      case 404, 410: Self.missing(operation)
      case 300..<400: S3Verdict(.targetMissing, .never, "check region and endpoint of the remote")
      case 405, 501: S3Verdict(.unsupported)
      case 408: S3Verdict(.unavailable, .backoff)
      case 409: S3Verdict(.conflict, .backoff)
      case 412: S3Verdict(.conflict)
      case 413: S3Verdict(.tooLarge)
      case 429: S3Verdict(.throttled, .backoff)
      case 507: S3Verdict(.full, .never, "make room, or have the quota raised")
      case 500...: S3Verdict(.unavailable, .backoff)
      case 400..<500: S3Verdict(.invalidRequest)
      // An error in the body of a 200 that has no known code; or one object of a batch.
      default: S3Verdict(.outcomeUnknown, .backoff)
      }
  }

  private static func missing(_ operation: S3Operation) -> S3Verdict {
    if operation.namesUpload { return S3Verdict(.uploadGone, .restartUpload) }
    if operation.asksForObject { return S3Verdict(.notFound) }
    return S3Verdict(.targetMissing, .never, "check bucket and endpoint of the remote")
  }
}
