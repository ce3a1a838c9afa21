/// The methods that the backends use.
public enum HTTPMethod: String, Sendable {
  case get = "GET"
  case head = "HEAD"
  case put = "PUT"
  case post = "POST"
  case delete = "DELETE"
  case patch = "PATCH"
}

/// Where a request goes. Every piece is text that is already percent-encoded and goes on the wire unchanged:
/// no client may tidy `//`, `.` or `..` segments, for a key may contain them and the signature covers them.
public struct HTTPTarget: Sendable, Equatable {
  /// `http` or `https`.
  public var scheme: String
  /// Lower-case host, with `:port` only where it is not the scheme's own.
  public var authority: String
  /// Begins with `/`.
  public var path: String
  /// Without the `?`; empty for none.
  public var query: String

  public init(scheme: String, authority: String, path: String, query: String = "") {
    self.scheme = scheme
    self.authority = authority
    self.path = path
    self.query = query
  }

  public var url: String { "\(scheme)://\(authority)\(path)" + (query.isEmpty ? "" : "?\(query)") }
}

/// The bytes of a request. All kinds can be read again from the start.
public enum HTTPBody: Sendable {
  case none
  case bytes([UInt8])
  /// Read with `pread` into the client's own buffer, never held in memory whole.
  case file(FileRange)

  public var length: Int64 {
    switch self {
    case .none: 0
    case .bytes(let bytes): Int64(bytes.count)
    case .file(let range): range.length
    }
  }
}

/// How long the client waits. A transfer that moves no byte for `stall` has failed; while everything has been
/// sent and no answer has begun, `answer` counts instead (completing a large upload may take minutes).
public struct HTTPPatience: Sendable, Equatable {
  public var connect: Duration
  public var stall: Duration
  public var answer: Duration

  public init(
    connect: Duration = .seconds(15), stall: Duration = .seconds(30), answer: Duration = .seconds(60)
  ) {
    self.connect = connect
    self.stall = stall
    self.answer = answer
  }
}

/// One request, sent once: nothing below repeats it.
public struct HTTPRequest: Sendable {
  public var method: HTTPMethod
  public var target: HTTPTarget
  public var headers: HTTPFields
  public var body: HTTPBody
  public var patience: HTTPPatience
  /// Redirects to follow; 0 hands a 3xx to the caller. `Authorization` never goes on to another host.
  public var redirects: Int
  /// Called on the client's thread with the number of body bytes just sent; must be quick.
  public var onSent: (@Sendable (Int) -> Void)?

  public init(
    _ method: HTTPMethod, _ target: HTTPTarget, headers: HTTPFields = [:], body: HTTPBody = .none,
    patience: HTTPPatience = HTTPPatience(), redirects: Int = 0, onSent: (@Sendable (Int) -> Void)? = nil
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.patience = patience
    self.redirects = redirects
    self.onSent = onSent
  }
}
