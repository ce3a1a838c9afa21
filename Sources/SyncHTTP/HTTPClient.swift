/// What came back. `body` is the answer's text, bounded by the client (16 MiB at least); where a sink was given
/// and the status is 2xx, the bytes went there and `body` is empty.
public struct HTTPResponse: Sendable {
  public var status: Int
  public var headers: HTTPFields
  public var body: [UInt8]

  public init(status: Int, headers: HTTPFields = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Why no answer came. An answer of any status is not an error here.
public struct HTTPError: Error, Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// Name not found, connection refused, no route: no byte of the request was sent.
    case unreachable
    /// The TLS handshake or certificate check failed.
    case untrusted
    /// The connection broke after the request had begun; the other side may have acted on it.
    case broken
    /// No byte moved for longer than the request's patience.
    case stalled
    /// The request's body could not be read from its file, or the file ended early.
    case unreadableBody
    /// The sink refused bytes.
    case sinkFailed
    /// The answer is not HTTP, is cut off, or is larger than the client keeps.
    case malformed
    /// The request could not be written as HTTP (control characters in a header, say).
    case invalidRequest
    case cancelled
  }

  public var kind: Kind
  /// What the transport said, without URL queries, headers or anything else that may hold a secret.
  public var message: String

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

/// Takes the bytes of an answer in order. Called on a thread where blocking in `write` is allowed.
public protocol ByteSink: Sendable {
  /// Returns false to stop the transfer (a full disk, a sink that has enough).
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool
}

/// Sends one request and waits for its answer.
///
/// Cancelling the task ends the transfer; the call returns only after the client has let go of the body, its
/// file and the sink.
public protocol HTTPClient: Sendable {
  func send(_ request: HTTPRequest, into sink: (any ByteSink)?) async throws(HTTPError) -> HTTPResponse
}

extension HTTPClient {
  public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try await send(request, into: nil)
  }
}
