import SyncCurl
import SyncHTTP
import TestSupport
import Testing

@Suite("What goes on the wire")
struct RequestTests {
  let server: LoopbackServer
  let client: CurlClient

  init() throws {
    server = try LoopbackServer()
    client = try makeClient()
  }

  @Test("a GET is its line, Host, User-Agent and the caller's fields, and nothing else")
  func get() async throws {
    let request = HTTPRequest(
      .get, server.target("/key", query: "a=1&b"), headers: ["X-One": "1", "x-two": "2 2"])
    let response = try await client.send(request)
    #expect(response.status == 200)
    let expected = """
      GET /key?a=1&b HTTP/1.1\r
      Host: \(server.authority)\r
      User-Agent: sync\r
      X-One: 1\r
      x-two: 2 2\r
      \r

      """
    #expect(server.requests.map { String(decoding: $0.head, as: UTF8.self) } == [expected])
  }

  @Test(
    "the Host is sent exactly as given, for it is signed: curl would spell addresses in its own way",
    arguments: ["127.1:9000", "[0:0:0:0:0:0:0:1]:9000", "[::FFFF:127.0.0.1]:9000", "s3.example.com"])
  func host(authority: String) async throws {
    let client = try makeClient { $0.proxy = "http://\(server.authority)" }
    _ = try await client.send(
      HTTPRequest(.get, HTTPTarget(scheme: "http", authority: authority, path: "/key")))
    #expect(try #require(server.requests.first).headers["Host"] == authority)
  }

  @Test(
    "paths are sent exactly as given",
    arguments: [
      "/", "//", "/bucket//key", "/bucket/./key", "/bucket/../key", "/..", "/bucket/%2e%2E/key", "/a%2Fb%2fc",
      "///three", "/bucket/a+b%20c", "/~tilde/%7Etilde", "/tr%C3%A9ma", "/semi;colon,comma:colon@at",
      "/brackets[1]{2}|^`\"<>", "/back\\slash", "/percent%", "/ends/",
    ])
  func path(_ path: String) async throws {
    _ = try await client.send(HTTPRequest(.get, server.target(path)))
    _ = try await client.send(HTTPRequest(.head, server.target(path, query: "list-type=2&prefix=a/../b//?")))
    #expect(server.requests.map(\.target) == [path, path + "?list-type=2&prefix=a/../b//?"])
  }

  @Test("methods are what they are called, and a body of no bytes is told as such")
  func methods() async throws {
    for method in [HTTPMethod.get, .head, .put, .post, .delete, .patch] {
      let response = try await client.send(HTTPRequest(method, server.target("/key")))
      #expect(response.status == 200)
    }
    #expect(server.requests.map(\.method) == ["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH"])
    #expect(
      server.requests.map { $0.headers["Content-Length"] } == [nil, nil, "0", "0", nil, "0"])
  }

  @Test(
    "a body brings its length and nothing that the caller did not ask for", arguments: [1, 1000, 3_000_000])
  func plainBodies(size: Int) async throws {
    let body = pattern(size)
    for method in [HTTPMethod.put, .post, .patch, .delete] {
      _ = try await client.send(HTTPRequest(method, server.target("/key"), body: .bytes(body)))
    }
    for request in server.requests {
      #expect(request.headers["Content-Length"] == String(size))
      for name in ["Expect", "Transfer-Encoding", "Content-Type", "Accept", "Accept-Encoding"] {
        #expect(request.headers[name] == nil, "\(name)")
      }
      #expect(same(request.body, body))
    }
    #expect(server.requests.map(\.method) == ["PUT", "POST", "PATCH", "DELETE"])
  }

  @Test("fields reach the server as given: empty values, doubles, the client's own names")
  func fields() async throws {
    var headers: HTTPFields = [
      "X-Empty": "", "X-Blank": "  ", "Content-Type": "text/plain; charset=utf-8", "User-Agent": "mine",
      "Accept": "text/xml", "Content-Length": "3", "X-Accent": "tréma",
    ]
    headers.append("X-Double", "1")
    headers.append("X-Double", "2;")
    _ = try await client.send(
      HTTPRequest(.put, server.target("/"), headers: headers, body: .bytes([1, 2, 3])))
    let lines = try #require(server.requests.first).lines.dropFirst()
    let expected = [
      "Host: \(server.authority)", "X-Empty:", "X-Blank:", "Content-Type: text/plain; charset=utf-8",
      "User-Agent: mine", "Accept: text/xml", "Content-Length: 3", "X-Accent: tréma", "X-Double: 1",
      "X-Double: 2;",
    ]
    #expect(lines.sorted() == expected.sorted())
  }

  @Test(
    "control characters in a field are refused before anything is sent",
    arguments: ["a\r\nX-Smuggled: 1", "a\n", "\r", "a\0b", "a\u{1}", "\u{7F}", "a\tb"])
  func controlCharacters(text: String) async throws {
    let inValue = await failure { () throws(HTTPError) in
      try await client.send(HTTPRequest(.get, server.target("/"), headers: ["X-Name": text]))
    }
    #expect(inValue?.kind == .invalidRequest)
    #expect(inValue?.message.contains("X-Name") == true)
    let inName = await failure { () throws(HTTPError) in
      try await client.send(HTTPRequest(.get, server.target("/"), headers: [text: "value"]))
    }
    #expect(inName?.kind == .invalidRequest)
    #expect(server.connections == 0)
  }

  @Test("names that are no names, and fields that would frame the message anew, are refused")
  func forbiddenFields() async throws {
    let fields: [HTTPFields] = [
      ["": "x"], ["a b": "x"], ["a:b": "x"], ["a;": ""], ["tréma": "x"], ["Content-Length": "4"],
      ["Transfer-Encoding": "chunked"], ["Expect": "100-continue"],
    ]
    for headers in fields {
      let request = HTTPRequest(.put, server.target("/"), headers: headers, body: .bytes([1, 2, 3]))
      let error = await failure { () throws(HTTPError) in try await client.send(request) }
      #expect(error?.kind == .invalidRequest, "\(headers)")
    }
    #expect(server.connections == 0)
  }

  @Test("URLs that curl would read differently are refused")
  func forbiddenTargets() async throws {
    let host = server.authority
    let targets = [
      HTTPTarget(scheme: "ftp", authority: host, path: "/"),
      HTTPTarget(scheme: "file", authority: "", path: "/etc"),
      HTTPTarget(scheme: "http", authority: "", path: "/"),
      HTTPTarget(scheme: "http", authority: "user:word@\(host)", path: "/"),
      HTTPTarget(scheme: "http", authority: "\(host)/x?", path: "/"),
      HTTPTarget(scheme: "http", authority: "\(host)\r\nX: 1", path: "/"),
      HTTPTarget(scheme: "http", authority: host, path: "key"),
      HTTPTarget(scheme: "http", authority: host, path: ""),
      HTTPTarget(scheme: "http", authority: host, path: "/a b"),
      HTTPTarget(scheme: "http", authority: host, path: "/a#b"),
      HTTPTarget(scheme: "http", authority: host, path: "/a?b"),
      HTTPTarget(scheme: "http", authority: host, path: "/é"),
      HTTPTarget(scheme: "http", authority: host, path: "/a\0"),
      HTTPTarget(scheme: "http", authority: host, path: "/a\r\nb"),
      HTTPTarget(scheme: "http", authority: host, path: "/", query: "a#b"),
      HTTPTarget(scheme: "http", authority: host, path: "/", query: "a\nb"),
    ]
    for target in targets {
      let error = await failure { () throws(HTTPError) in try await client.send(HTTPRequest(.get, target)) }
      #expect(error?.kind == .invalidRequest, "\(target)")
    }
    #expect(server.connections == 0)
  }

  @Test("GET and HEAD carry no body", arguments: [HTTPMethod.get, .head])
  func bodiless(method: HTTPMethod) async throws {
    let error = await failure { () throws(HTTPError) in
      try await client.send(HTTPRequest(method, server.target("/"), body: .bytes([1])))
    }
    #expect(error?.kind == .invalidRequest)
  }
}
