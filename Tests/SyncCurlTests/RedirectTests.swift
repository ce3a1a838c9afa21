import SyncCurl
import SyncHTTP
import TestSupport
import Testing

@Suite("Redirects")
struct RedirectTests {
  let client: CurlClient

  init() throws { client = try makeClient() }

  /// Sends every request on to `location`.
  private func redirecting(_ status: Int = 302, to location: @escaping @Sendable (RecordedRequest) -> String)
    throws
    -> LoopbackServer
  {
    try LoopbackServer { exchange in
      exchange.answer(
        status, headers: ["Location": location(exchange.request), "X-Hop": "first"], text: "moved")
    }
  }

  @Test("without leave to follow, the redirect is the answer", arguments: [HTTPMethod.get, .put])
  func notFollowed(method: HTTPMethod) async throws {
    let end = try LoopbackServer()
    let start = try redirecting(307) { _ in "http://\(end.authority)/end" }
    let response = try await client.send(HTTPRequest(method, start.target("/")))
    #expect(response.status == 307)
    #expect(response.headers["location"] == "http://\(end.authority)/end")
    #expect(response.body == Array("moved".utf8))
    #expect(end.connections == 0)
  }

  @Test(
    "with leave, the last answer's status, fields and body alone are handed over",
    arguments: [HTTPMethod.get, .head])
  func followed(method: HTTPMethod) async throws {
    let end = try LoopbackServer { $0.answer(200, headers: ["X-End": "1"], text: "end") }
    let start = try redirecting { _ in "http://\(end.authority)/end//x/../y?q" }
    let sink = KeepingSink()
    let response = try await client.send(HTTPRequest(method, start.target("/"), redirects: 1), into: sink)
    #expect(response.status == 200)
    #expect(response.headers.fields.map(\.name) == ["X-End", "Content-Length"])
    #expect(sink.bytes == Array(method == .head ? "".utf8 : "end".utf8))
    #expect(end.requests.map(\.method) == [method.rawValue])
    #expect(end.requests.map(\.target) == ["/end//x/../y?q"])
  }

  @Test("Authorization and Cookie stay with the host, port and scheme that they were meant for")
  func authorization() async throws {
    let end = try LoopbackServer()
    let secrets: HTTPFields = ["Authorization": "AWS4 secret", "Cookie": "secret", "X-Plain": "1"]
    let hosts = ["127.0.0.1:\(end.port)", "localhost:\(end.port)"]
    for host in hosts {
      let start = try redirecting { _ in "http://\(host)/end" }
      _ = try await client.send(HTTPRequest(.get, start.target("/"), headers: secrets, redirects: 2))
      #expect(start.requests.first?.headers["Authorization"] == "AWS4 secret")
    }
    #expect(end.requests.map { $0.headers["Authorization"] } == [nil, nil])
    #expect(end.requests.map { $0.headers["Cookie"] } == [nil, nil])
    #expect(end.requests.map { $0.headers["X-Plain"] } == ["1", "1"])
  }

  @Test("another name for the same port is another host")
  func otherName() async throws {
    let server = try LoopbackServer { exchange in
      let port = exchange.request.headers["Host"]?.split(separator: ":").last ?? ""
      exchange.request.target == "/"
        ? exchange.answer(302, headers: ["Location": "http://localhost:\(port)/end"]) : exchange.answer(200)
    }
    let headers: HTTPFields = ["Authorization": "secret"]
    _ = try await client.send(HTTPRequest(.get, server.target("/"), headers: headers, redirects: 1))
    #expect(server.requests.map { $0.headers["Authorization"] } == ["secret", nil])
  }

  @Test("Authorization goes on where the host stays the same")
  func sameHost() async throws {
    let server = try LoopbackServer { exchange in
      exchange.request.target == "/"
        ? exchange.answer(302, headers: ["Location": "/end"]) : exchange.answer(200)
    }
    let headers: HTTPFields = ["Authorization": "secret"]
    _ = try await client.send(HTTPRequest(.get, server.target("/"), headers: headers, redirects: 1))
    #expect(server.requests.map { $0.headers["Authorization"] } == ["secret", "secret"])
    #expect(server.requests.map(\.target) == ["/", "/end"])
  }

  @Test("a request with a body is never sent on", arguments: [HTTPMethod.put, .post, .delete])
  func bodies(method: HTTPMethod) async throws {
    let end = try LoopbackServer()
    let start = try redirecting(307) { _ in "http://\(end.authority)/end" }
    let response = try await client.send(HTTPRequest(method, start.target("/"), redirects: 5))
    #expect(response.status == 307)
    #expect(end.connections == 0)
  }

  @Test("more redirects than allowed are malformed")
  func tooMany() async throws {
    let server = try redirecting { "/\($0.target.utf8.count)" }
    let error = await failure { () throws(HTTPError) in
      try await client.send(HTTPRequest(.get, server.target("/"), redirects: 3))
    }
    #expect(error?.kind == .malformed)
    #expect(server.requests.count == 4)
  }

  @Test(
    "a redirect out of HTTP is malformed",
    arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1"])
  func otherProtocol(location: String) async throws {
    let server = try redirecting { _ in location }
    let error = await failure { () throws(HTTPError) in
      try await client.send(HTTPRequest(.get, server.target("/"), redirects: 3))
    }
    #expect(error?.kind == .malformed, "\(String(describing: error))")
  }

  @Test("a redirect to where nothing listens is broken: the first request was sent")
  func deadEnd() async throws {
    let port = try LoopbackServer.unusedPort()
    let server = try redirecting { _ in "http://127.0.0.1:\(port)/?secret" }
    let error = await failure { () throws(HTTPError) in
      try await client.send(HTTPRequest(.get, server.target("/"), redirects: 3))
    }
    #expect(error?.kind == .broken)
    #expect(error?.message.contains("secret") == false)
  }

  @Test("each hop has its own patience for an answer")
  func patience() async throws {
    let end = try LoopbackServer { exchange in
      exchange.pause(.milliseconds(600))
      exchange.answer(200)
    }
    let start = try redirecting { _ in "http://\(end.authority)/" }
    let patience = HTTPPatience(stall: .milliseconds(200), answer: .seconds(30))
    let response = try await client.send(
      HTTPRequest(.get, start.target("/"), patience: patience, redirects: 1))
    #expect(response.status == 200)
  }
}
