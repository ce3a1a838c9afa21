import ObjectREST
import SyncBackend

/// An answer that refuses: a code and a message from an error document, or just a status.
struct S3Refusal: Sendable {
  var code: String?
  var text: String?
  /// nil for one object of a batch.
  var status: Int?
  var requestID: String?
  var retryAfter: Duration?

  /// One object's `<Error>` in the answer to a batch.
  init(code: String?, text: String?) {
    self.code = code
    self.text = text
  }

  /// - Parameter now: nanoseconds since 1970 by the remote's clock.
  init(_ document: ErrorDocument?, _ response: HTTPResponse, now: Int64) {
    code = document?.code
    text = document?.message
    status = response.status
    requestID = document?.requestID ?? response.headers["x-amz-request-id"]
    retryAfter = ObjectREST.retryAfter(response.headers, now: now)
  }

  /// Takes secrets out of what the remote said, should it have repeated them.
  mutating func hide(_ secrets: [String]) {
    for secret in secrets where !secret.isEmpty {
      text?.replace(secret, with: "****")
    }
  }

  /// - Parameter mended: what was wrong, where the backend has learned it, so that the next attempt differs.
  func error(
    _ operation: S3Operation, _ attempt: Attempt, mended: BackendError.Kind? = nil
  ) -> BackendError {
    let verdict =
      code.flatMap { S3Verdict(code: $0, operation) } ?? S3Verdict(status: status ?? 0, operation)
    var retry = mended == nil ? verdict.retry : .now
    if retry == .backoff, let retryAfter { retry = .after(retryAfter) }
    var message = text.map { printable($0.utf8.prefix(500)) } ?? "the remote refused it"
    while message.utf8.last == UInt8(ascii: ".") { message.removeLast() }
    if mended == nil, let advice = verdict.advice { message += "; \(advice)" }
    return BackendError(
      mended ?? verdict.kind, attempt.message(message), retry: retry,
      code: code.map { printable($0.utf8.prefix(100)) },
      status: status, requestID: requestID.map { printable($0.utf8.prefix(100)) })
  }
}
