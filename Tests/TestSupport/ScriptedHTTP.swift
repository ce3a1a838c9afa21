import SyncHTTP
import Synchronization

/// An `HTTPClient` whose answers a test gives; it keeps every request.
public final class ScriptedHTTP: HTTPClient {
  public typealias Answer = @Sendable (HTTPRequest) throws(HTTPError) -> HTTPResponse

  private let answer: Answer
  private let seen = Mutex<[HTTPRequest]>([])

  public init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  /// Answers in turn; a request more than there are answers is refused as unreachable.
  public convenience init(_ answers: [HTTPResponse]) {
    let rest = Mutex(answers[...])
    let next: @Sendable () -> HTTPResponse? = { rest.withLock { $0.popFirst() } }
    self.init { (_: HTTPRequest) throws(HTTPError) -> HTTPResponse in
      guard let response = next() else { throw HTTPError(.unreachable, "no answer left in the script") }
      return response
    }
  }

  public var requests: [HTTPRequest] { seen.withLock { $0 } }

  public func send(_ request: HTTPRequest, into sink: (any ByteSink)?) async throws(HTTPError) -> HTTPResponse
  {
    seen.withLock { $0.append(request) }
    var response = try answer(request)
    if let sink, (200..<300).contains(response.status) {
      guard response.body.withUnsafeBytes({ sink.write($0) }) else {
        throw HTTPError(.sinkFailed, "the sink refused bytes")
      }
      response.body = []
    }
    return response
  }
}
