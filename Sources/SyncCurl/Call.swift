import SyncHTTP
import Synchronization

typealias Outcome = Result<HTTPResponse, HTTPError>

/// One `send`, on its way from the caller's task to a loop's thread.
final class Call: Sendable {
  let request: HTTPRequest
  let head: RequestHead
  let sink: (any ByteSink)?
  private let cancelled = Atomic<Bool>(false)

  init(_ request: HTTPRequest, head: RequestHead, sink: (any ByteSink)?) {
    self.request = request
    self.head = head
    self.sink = sink
  }

  /// May come before the call has reached its loop, which then never starts it.
  func cancel() { cancelled.store(true, ordering: .releasing) }

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }
}

/// A call and who waits for it.
struct Submission {
  let call: Call
  let continuation: CheckedContinuation<Outcome, Never>
}
