import SyncCurl
import SyncHTTP
import Synchronization
import TestSupport
import Testing

@Suite("Connections")
struct ConnectionTests {
  @Test("one connection serves many requests of every kind")
  func reuse() async throws {
    let server = try LoopbackServer { $0.answer($0.ordinal % 5 == 0 ? 404 : 200, text: "answer") }
    let client = try makeClient()
    for number in 0..<50 {
      let method = [HTTPMethod.get, .put, .post, .head, .delete][number % 5]
      let body = method == .put || method == .post ? HTTPBody.bytes(pattern(100_000)) : .none
      _ = try await client.send(HTTPRequest(method, server.target("/\(number)"), body: body))
    }
    #expect(server.requests.count == 50)
    #expect(server.connections == 1)
  }

  @Test("200 requests at once are all answered with what is theirs", arguments: [1, 3])
  func concurrency(loops: Int) async throws {
    let server = try LoopbackServer { exchange in
      exchange.receive()
      exchange.answer(200, headers: ["X-Path": exchange.request.target], body: exchange.request.body)
    }
    let client = try makeClient { $0.eventLoops = loops }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        let request = HTTPRequest(.put, server.target("/\(number)"), body: .bytes(pattern(number * 100)))
        group.addTask {
          let response = try await client.send(request)
          return response.headers["X-Path"] == "/\(number)" && same(response.body, pattern(number * 100))
        }
      }
      for try await isOwn in group { #expect(isOwn) }
    }
    #expect(server.requests.count == 200)
  }

  @Test("no more connections are kept than were asked for")
  func kept() async throws {
    let server = try LoopbackServer { exchange in
      exchange.pause(.milliseconds(100))
      exchange.answer(200)
    }
    let client = try makeClient { $0.keptConnections = 2 }
    for _ in 0..<2 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<6 {
          let request = HTTPRequest(.get, server.target("/\(number)"))
          group.addTask { _ = try await client.send(request) }
        }
        try await group.waitForAll()
      }
    }
    #expect(server.requests.count == 12)
    #expect(server.connections >= 8)
  }

  @Test(
    "a connection that the server closed after an answer costs nothing",
    arguments: [HTTPMethod.get, .put, .post])
  func closedBetween(method: HTTPMethod) async throws {
    let server = try LoopbackServer { exchange in
      exchange.answer(200)
      exchange.close()
    }
    let client = try makeClient()
    for _ in 0..<3 {
      let body = method == .get ? HTTPBody.none : .bytes(pattern(1000))
      let response = try await client.send(HTTPRequest(method, server.target("/"), body: body))
      #expect(response.status == 200)
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(server.connections == 3)
  }

  /// Answers the first request and ends the connection in the middle of the second.
  private func server(dyingAfter bytes: Int) throws -> LoopbackServer {
    try LoopbackServer { exchange in
      guard exchange.ordinal == 2 else { return exchange.answer(200) }
      exchange.receive(upTo: bytes)
      exchange.cut()
    }
  }

  @Test("a GET on a kept connection that dies is repeated on a fresh one")
  func repeatedGet() async throws {
    let server = try server(dyingAfter: 0)
    let client = try makeClient()
    for _ in 0..<2 {
      #expect(try await client.send(HTTPRequest(.get, server.target("/"))).status == 200)
    }
    #expect(server.requests.map(\.connection) == [1, 1, 2])
  }

  @Test(
    "a body that was not sent whole is repeated from its start, and counted once",
    arguments: [HTTPMethod.put, .post])
  func repeatedBody(method: HTTPMethod) async throws {
    let server = try server(dyingAfter: 200_000)
    let client = try makeClient()
    let directory = try TemporaryDirectory()
    let bytes = pattern(30_000_000)
    let file = try directory.open(bytes)
    let sent = Counter()
    _ = try await client.send(HTTPRequest(.get, server.target("/")))
    let body = HTTPBody.file(FileRange(file, offset: 0, length: 30_000_000))
    let request = HTTPRequest(method, server.target("/"), body: body, onSent: { sent.add($0) })
    let response = try await client.send(request)
    #expect(response.status == 200)
    #expect(server.requests.map(\.connection) == [1, 1, 2])
    #expect(try same(#require(server.requests.last).body, bytes))
    #expect(sent.value == 30_000_000)
  }

  @Test(
    "what the server may have acted on is not sent again",
    arguments: [HTTPMethod.put, .post, .patch, .delete])
  func notRepeated(method: HTTPMethod) async throws {
    let server = try server(dyingAfter: .max)
    let client = try makeClient()
    _ = try await client.send(HTTPRequest(.get, server.target("/")))
    let body = method == .delete ? HTTPBody.none : .bytes(pattern(1000))
    let error = await failure { () throws(HTTPError) in
      try await client.send(HTTPRequest(method, server.target("/"), body: body))
    }
    #expect(error?.kind == .broken)
    #expect(server.requests.count == 2)
  }

  @Test("a fresh connection that breaks is broken, at any point", arguments: [0, 10, 1000])
  func broken(bytes: Int) async throws {
    let server = try LoopbackServer { exchange in
      exchange.receive(upTo: bytes)
      exchange.cut()
    }
    let client = try makeClient()
    let error = await failure { () throws(HTTPError) in
      try await client.send(HTTPRequest(.put, server.target("/"), body: .bytes(pattern(1000))))
    }
    #expect(error?.kind == .broken)
    #expect(server.requests.count == 1)
  }

  @Test("a port on which nothing listens is unreachable, and the text names host and reason, no query")
  func refused() async throws {
    let client = try makeClient()
    let authority = "127.0.0.1:\(try LoopbackServer.unusedPort())"
    let target = HTTPTarget(scheme: "http", authority: authority, path: "/", query: "X-Amz-Signature=secret")
    let error = await failure { () throws(HTTPError) in
      try await client.send(
        HTTPRequest(.put, target, headers: ["Authorization": "secret"], body: .bytes([1])))
    }
    #expect(error?.kind == .unreachable)
    #expect(error?.message.hasPrefix("\(authority): ") == true)
    #expect(error?.message.contains("secret") == false)
  }

  @Test("a name that does not exist is unreachable")
  func noSuchHost() async throws {
    let client = try makeClient()
    let target = HTTPTarget(scheme: "http", authority: "no-such-host.invalid", path: "/")
    let error = await failure { () throws(HTTPError) in try await client.send(HTTPRequest(.get, target)) }
    #expect(error?.kind == .unreachable)
  }

  @Test("a proxy by option gets the whole URL, and its CONNECT answers stay out of the fields")
  func proxy() async throws {
    let proxy = try LoopbackServer { $0.answer(200, text: "by proxy") }
    let client = try makeClient { $0.proxy = "http://\(proxy.authority)" }
    let target = HTTPTarget(
      scheme: "http", authority: "bucket.example.invalid", path: "/a//b/../c", query: "q=1")
    let response = try await client.send(HTTPRequest(.put, target, body: .bytes(pattern(100))))
    #expect(response.body == Array("by proxy".utf8))
    let request = try #require(proxy.requests.first)
    #expect(request.line == "PUT http://bucket.example.invalid/a//b/../c?q=1 HTTP/1.1")
    #expect(request.headers["Host"] == "bucket.example.invalid")
    #expect(same(request.body, pattern(100)))
  }

  @Test("a proxy that is not there, or that refuses a tunnel, is unreachable and keeps its password")
  func badProxy() async throws {
    let refusing = try LoopbackServer { $0.answer(407) }
    let proxies = [
      "http://user:password@127.0.0.1:\(try LoopbackServer.unusedPort())",
      "http://user:password@\(refusing.authority)", "odd://user:password@127.0.0.1:1",
    ]
    for proxy in proxies {
      let client = try makeClient { $0.proxy = proxy }
      let target = HTTPTarget(scheme: "https", authority: "bucket.example.invalid", path: "/")
      let request = HTTPRequest(.get, target, headers: ["Authorization": "AWS4 secret"])
      let error = await failure { () throws(HTTPError) in try await client.send(request) }
      #expect(error?.kind == .unreachable, "\(String(describing: error))")
      #expect(error?.message.contains("password") == false)
    }
    // The tunnel's own request carries the proxy's credentials, not the bucket's.
    #expect(refusing.requests.map(\.line) == ["CONNECT bucket.example.invalid:443 HTTP/1.1"])
    #expect(refusing.requests.first?.headers["Authorization"] == nil)
  }
}
