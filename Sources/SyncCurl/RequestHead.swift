import SyncHTTP

/// A request's URL and header lines as curl takes them, checked: nothing in them can end a line or a string
/// early, and the fields that frame the message are the client's alone.
struct RequestHead: Sendable, Equatable {
  let url: String
  /// In curl's spelling: `Name: value`, `Name;` for a field without a value, `Name:` for a field that curl
  /// would add by itself and must not.
  let lines: [String]

  /// - Throws: `HTTPError` of kind `invalidRequest`; the text names a header, never its value.
  init(_ request: HTTPRequest) throws(HTTPError) {
    try RequestHead.check(request.target)
    url = request.target.url
    if request.body.length != 0, request.method == .get || request.method == .head {
      throw HTTPError(.invalidRequest, "a \(request.method.rawValue) request cannot carry a body")
    }
    guard request.body.length >= 0 else { throw HTTPError(.invalidRequest, "the body's length is negative") }
    var lines: [String] = []
    for field in request.headers.fields {
      if let line = try RequestHead.line(field, body: request.body) { lines.append(line) }
    }
    // A signature covers the host as it is written here; curl writes addresses in its own way (127.1 as 127.0.0.1).
    // Where a redirect may lead elsewhere, the host is curl's to name.
    if request.redirects == 0, request.headers["Host"] == nil {
      lines.append("Host: \(request.target.authority)")
    }
    // curl would wait a second for "100 Continue" before a large body, and accept anything by name.
    lines.append("Expect:")
    if request.headers["Accept"] == nil { lines.append("Accept:") }
    self.lines = lines
  }

  private static func line(_ field: HTTPFields.Field, body: HTTPBody) throws(HTTPError) -> String? {
    guard !field.name.isEmpty, field.name.utf8.allSatisfy(isToken) else {
      throw HTTPError(.invalidRequest, "a header's name is empty or holds a character that names cannot have")
    }
    guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw HTTPError(.invalidRequest, "the value of header \(field.name) holds a control character")
    }
    switch field.name.lowercased() {
    case "content-length":
      // A signer may list it; curl writes it from the body.
      guard field.value == String(body.length) else {
        throw HTTPError(.invalidRequest, "header Content-Length differs from the body's \(body.length) bytes")
      }
      return nil
    case "transfer-encoding", "expect":
      throw HTTPError(.invalidRequest, "header \(field.name) is the HTTP client's to set")
    default:
      return field.value.utf8.allSatisfy { $0 == 0x20 } ? "\(field.name);" : "\(field.name): \(field.value)"
    }
  }

  private static func check(_ target: HTTPTarget) throws(HTTPError) {
    guard target.scheme == "http" || target.scheme == "https" else {
      throw HTTPError(.invalidRequest, "the URL's scheme is neither http nor https")
    }
    // "@" would make the host's first half a password; the others would end the host early.
    let ending = Set("/?#@\\".utf8)
    guard !target.authority.isEmpty,
      target.authority.utf8.allSatisfy({ isGraphic($0) && !ending.contains($0) })
    else {
      throw HTTPError(.invalidRequest, "the URL's host is empty or holds a character that hosts cannot have")
    }
    let query = UInt8(ascii: "?"), fragment = UInt8(ascii: "#")
    guard target.path.utf8.first == UInt8(ascii: "/"),
      target.path.utf8.allSatisfy({ isGraphic($0) && $0 != query && $0 != fragment })
    else {
      throw HTTPError(.invalidRequest, "the URL's path does not begin with / or is not percent-encoded")
    }
    guard target.query.utf8.allSatisfy({ isGraphic($0) && $0 != fragment }) else {
      throw HTTPError(.invalidRequest, "the URL's query is not percent-encoded")
    }
  }

  /// Printable ASCII without the blank.
  private static func isGraphic(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

  /// RFC 9110, section 5.6.2: what a field's name is made of.
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: tokenMarks.contains(byte)
    }
  }

  private static let tokenMarks = Set("!#$%&'*+-.^_`|~".utf8)
}
