import SyncBackend

/// What is being tried, for messages: every error of an attempt begins with it.
public struct Attempt: Sendable {
  /// The service's own name for the call: `PutObject`.
  public var operation: String
  public var bucket: String
  public var key: ObjectKey?

  public init(_ operation: String, bucket: String, key: ObjectKey? = nil) {
    self.operation = operation
    self.bucket = bucket
    self.key = key
  }

  public func message(_ text: String) -> String {
    "\(operation) \(key.map { "\(printable(bucket.utf8))/\($0)" } ?? printable(bucket.utf8)): \(text)"
  }

  public func error(
    _ kind: BackendError.Kind, _ text: String, retry: BackendError.Retry = .never
  ) -> BackendError {
    BackendError(kind, message(text), retry: retry)
  }
}

extension Attempt {
  /// What it means that no answer came.
  ///
  /// - Parameter mayHaveHappened: the request changes something and cannot simply be sent again, so an answer lost
  ///   leaves its outcome unknown.
  public func error(_ error: HTTPError, mayHaveHappened: Bool) -> BackendError {
    let text = printable(error.message.utf8)
    switch error.kind {
    case .cancelled:
      return self.error(.cancelled, "it was cancelled")
    case .unreachable:
      return self.error(.unavailable, "the remote cannot be reached: \(text)", retry: .backoff)
    case .untrusted:
      return self.error(
        .unavailable,
        "the remote's certificate is not trusted: \(text); check the endpoint, the clock and the CA certificates"
      )
    case .broken, .stalled, .malformed:
      let kind: BackendError.Kind = mayHaveHappened ? .outcomeUnknown : .unavailable
      return self.error(kind, "no whole answer came: \(text)", retry: .backoff)
    case .unreadableBody:
      return self.error(.unreadableSource, "the source could not be read: \(text)")
    case .sinkFailed:
      return self.error(.cancelled, "what was read could not be taken: \(text)")
    case .invalidRequest:
      return self.error(.invalidRequest, "the request cannot be sent as HTTP: \(text)")
    }
  }
}

/// How long the remote asks to wait: Retry-After in seconds or as a date (RFC 9110, section 10.2.3); at most an hour.
///
/// - Parameter now: nanoseconds since 1970 by the remote's clock.
public func retryAfter(_ headers: HTTPFields, now: Int64) -> Duration? {
  guard let text = headers["Retry-After"] else { return nil }
  let value = text.utf8.trimmingBlanks
  let wanted: Duration
  if let seconds = Int64(String(decoding: value, as: UTF8.self)), seconds >= 0 {
    wanted = .seconds(min(seconds, 3600))
  } else if let moment = Timestamps.rfc1123(value) {
    wanted = .nanoseconds(max(0, moment &- now))
  } else {
    return nil
  }
  return min(wanted, .seconds(3600))
}
