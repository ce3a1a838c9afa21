/// What went wrong with one attempt, and whether another can help.
public struct BackendError: Error, Sendable, Equatable {
  public enum Kind: String, Sendable {
    /// No such object, where the call needs one.
    case notFound = "not_found"
    /// The bucket, endpoint or directory that the remote names is not there.
    case targetMissing = "target_missing"
    /// The upload is unknown: completed, aborted or expired.
    case uploadGone = "upload_gone"
    /// The credentials themselves are refused: unknown key, wrong signature, expired token.
    case credentials
    /// The credentials are good but may not do this.
    case denied
    /// The remote's clock and ours differ too much.
    case clock
    /// The remote asks us to slow down.
    case throttled
    /// The remote could not be reached, or failed on its side.
    case unavailable
    /// No answer, or one that does not say whether the request was carried out.
    case outcomeUnknown = "outcome_unknown"
    /// The bytes that arrived are not those that were sent.
    case corrupted
    /// Something else stands in the way: a precondition, a directory where an object should be.
    case conflict
    /// The remote will never take this key.
    case invalidKey = "invalid_key"
    /// The remote refuses the request as wrong.
    case invalidRequest = "invalid_request"
    case tooLarge = "too_large"
    /// Quota or disk is full.
    case full
    /// The source could not be read, or ended early.
    case unreadableSource = "unreadable_source"
    case unsupported
    case cancelled
  }

  public enum Retry: Sendable, Equatable {
    /// The same attempt would fail the same way.
    case never
    /// The backend mended what was wrong (clock, credentials): at once.
    case now
    /// After a pause of the caller's choosing.
    case backoff
    /// Not before this has passed (Retry-After).
    case after(Duration)
    /// The upload must begin again with a new id.
    case restartUpload
  }

  public var kind: Kind
  public var retry: Retry
  /// What was tried and what came back, for a person; holds no secret.
  public var message: String
  /// The remote's own code (`NoSuchKey`), as it said it.
  public var code: String?
  /// HTTP status, where there was one.
  public var status: Int?
  /// What the remote's operator needs to find the request in its log.
  public var requestID: String?

  public init(
    _ kind: Kind, _ message: String, retry: Retry = .never, code: String? = nil, status: Int? = nil,
    requestID: String? = nil
  ) {
    self.kind = kind
    self.retry = retry
    self.message = message
    self.code = code
    self.status = status
    self.requestID = requestID
  }

  /// There were no credentials to ask with, so nothing was sent. Those that the remote refused come with its code
  /// or status.
  public var lacksCredentials: Bool { kind == .credentials && code == nil && status == nil }
}

extension BackendError: CustomStringConvertible {
  public var description: String {
    let facts = [code, status.map { "status \($0)" }, requestID.map { "request \($0)" }].compactMap { $0 }
    return facts.isEmpty ? message : "\(message) (\(facts.joined(separator: ", ")))"
  }
}
