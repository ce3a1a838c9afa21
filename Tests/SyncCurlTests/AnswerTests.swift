import SyncCurl
import SyncHTTP
import TestSupport
import Testing

@Suite("Answers")
struct AnswerTests {
  let client: CurlClient

  init() throws { client = try makeClient() }

  private func answer(
    _ text: String, to method: HTTPMethod = .get, closing: Bool = true, into sink: KeepingSink? = nil
  ) async throws(HTTPError) -> HTTPResponse {
    guard
      let server = try? LoopbackServer({ exchange in
        exchange.receive()
        exchange.write(text)
        if closing { exchange.close() }
      })
    else { throw HTTPError(.unreachable, "no server") }
    return try await client.send(HTTPRequest(method, server.target("/key")), into: sink)
  }

  @Test(
    "status, fields in order and body are handed over, whatever the status",
    arguments: [200, 204, 301, 404, 503])
  func anyStatus(status: Int) async throws {
    let server = try LoopbackServer {
      $0.answer(
        status, headers: ["Retry-After": "7", "ETag": "\"a\"", "etag": "b"], text: status == 204 ? "" : "text"
      )
    }
    let response = try await client.send(HTTPRequest(.put, server.target("/"), body: .bytes([1])))
    #expect(response.status == status)
    #expect(response.headers["retry-after"] == "7")
    #expect(response.headers.fields.map(\.name).prefix(3) == ["Retry-After", "ETag", "etag"])
    #expect(response.body == Array(status == 204 ? "".utf8 : "text".utf8))
  }

  @Test("HEAD has the length but waits for no body")
  func head() async throws {
    let response = try await answer(
      "HTTP/1.1 200 OK\r\nContent-Length: 12345\r\n\r\n", to: .head, closing: false)
    #expect(response.headers["content-length"] == "12345")
    #expect(response.body.isEmpty)
  }

  @Test("interim answers and trailers are kept out of the fields")
  func interim() async throws {
    let response = try await answer(
      "HTTP/1.1 100 Continue\r\nX-Interim: 1\r\n\r\nHTTP/1.1 102 Processing\r\nX-Interim: 2\r\n\r\n"
        + "HTTP/1.1 200 OK\r\nX-Final:  3 \r\nTransfer-Encoding: chunked\r\nTrailer: X-Late\r\n\r\n"
        + "4\r\nbody\r\n0\r\nX-Late: 4\r\n\r\n")
    #expect(response.status == 200)
    #expect(
      response.headers == ["X-Final": "3", "Transfer-Encoding": "chunked", "Trailer": "X-Late"])
    #expect(response.body == Array("body".utf8))
  }

  @Test("a body of the right status goes to the sink")
  func sink() async throws {
    let bytes = pattern(3_000_000)
    let server = try LoopbackServer { $0.answer(206, body: bytes) }
    let sink = KeepingSink()
    let response = try await client.send(HTTPRequest(.get, server.target("/")), into: sink)
    #expect(response.status == 206)
    #expect(response.body.isEmpty)
    #expect(same(sink.bytes, bytes))
  }

  @Test("the body of an error does not go to the sink")
  func sinkOfError() async throws {
    let server = try LoopbackServer { $0.answer(404, text: "<Error/>") }
    let sink = KeepingSink()
    let response = try await client.send(HTTPRequest(.get, server.target("/")), into: sink)
    #expect(response.body == Array("<Error/>".utf8))
    #expect(sink.bytes.isEmpty)
  }

  @Test("a sink that refuses ends the transfer")
  func refusingSink() async throws {
    let server = try LoopbackServer { $0.answer(200, body: pattern(1_000_000)) }
    let error = await failure { () throws(HTTPError) in
      try await client.send(HTTPRequest(.get, server.target("/")), into: KeepingSink(bound: 100_000))
    }
    #expect(error?.kind == .sinkFailed)
  }

  @Test("an answer longer than what is kept is an error, to the byte")
  func bound() async throws {
    let client = try makeClient { $0.answerBound = 1000 }
    let server = try LoopbackServer { $0.answer(200, body: pattern($0.ordinal == 1 ? 1000 : 1001)) }
    #expect(try await client.send(HTTPRequest(.get, server.target("/"))).body.count == 1000)
    let error = await failure { () throws(HTTPError) in
      try await client.send(HTTPRequest(.get, server.target("/")))
    }
    #expect(error?.kind == .malformed)
  }

  @Test(
    "an answer that is cut short is broken, never a shorter success",
    arguments: [
      "", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n123456789",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbo",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n",
      "HTTP/1.1 100 Continue\r\n\r\n",
    ])
  func truncated(text: String) async throws {
    let kept = await failure { () throws(HTTPError) in try await answer(text) }
    #expect(kept?.kind == .broken, "\(String(describing: kept))")
    let sunk = await failure { () throws(HTTPError) in try await answer(text, into: KeepingSink()) }
    #expect(sunk?.kind == .broken, "\(String(describing: sunk))")
  }

  @Test(
    "what is not HTTP is malformed",
    arguments: [
      "SSH-2.0-OpenSSH\r\n", "nonsense", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
      "HTTP/1.1 200 OK\r\nX: \0\r\n\r\n",
    ])
  func notHTTP(text: String) async throws {
    let error = await failure { () throws(HTTPError) in try await answer(text) }
    #expect(error?.kind == .malformed, "\(String(describing: error))")
  }

  @Test("an endless head is refused")
  func endlessHead() async throws {
    let field = "X-Long: " + String(repeating: "x", count: 1000) + "\r\n"
    let error = await failure { () throws(HTTPError) in
      try await answer("HTTP/1.1 200 OK\r\n" + String(repeating: field, count: 2000))
    }
    #expect(error != nil)
  }

  @Test("a refusal in mid-upload is the answer, and the rest is not sent")
  func earlyRefusal() async throws {
    let server = try LoopbackServer { exchange in
      exchange.receive(upTo: 100_000)
      exchange.answer(403, body: Array("<Code>AccessDenied</Code>".utf8), readingBody: false)
      exchange.hold()
    }
    let body = HTTPBody.bytes([UInt8](repeating: 7, count: 50_000_000))
    let response = try await client.send(HTTPRequest(.put, server.target("/"), body: body))
    #expect(response.status == 403)
    #expect(response.body == Array("<Code>AccessDenied</Code>".utf8))
  }
}
