import SyncHTTP
import TestSupport
import Testing

@testable import SyncCurl

@Suite("TLS")
struct TrustTests {
  let server: TLSServer

  init() async throws { server = try await TLSServer() }

  private func target(_ host: String = "127.0.0.1") -> HTTPTarget {
    HTTPTarget(scheme: "https", authority: "\(host):\(server.port)", path: "/")
  }

  @Test("a certificate that nobody vouches for is refused as untrusted")
  func selfSigned() async throws {
    let client = try makeClient()
    let error = await failure { () throws(HTTPError) in try await client.send(HTTPRequest(.get, target())) }
    #expect(error?.kind == .untrusted)
    #expect(error?.message.hasPrefix("127.0.0.1:\(server.port): ") == true)
  }

  @Test(
    "it is accepted with a CA file that holds it, by each of its names",
    arguments: ["127.0.0.1", "localhost"])
  func trusted(host: String) async throws {
    let client = try makeClient { $0.caFile = server.certificate }
    #expect(try await client.send(HTTPRequest(.get, target(host))).status == 200)
  }

  @Test("under a name that it does not have it is refused all the same")
  func otherName() async throws {
    let port = server.port
    let tunnel = try LoopbackServer { $0.tunnel(to: port) }
    let client = try makeClient {
      $0.caFile = server.certificate
      $0.proxy = "http://\(tunnel.authority)"
    }
    let target = HTTPTarget(scheme: "https", authority: "other.invalid", path: "/")
    let error = await failure { () throws(HTTPError) in try await client.send(HTTPRequest(.get, target)) }
    #expect(error?.kind == .untrusted)
  }

  @Test("the opt-out accepts it under any name")
  func optOut() async throws {
    let client = try makeClient { $0.verifiesTLS = false }
    for host in ["127.0.0.1", "localhost"] {
      #expect(try await client.send(HTTPRequest(.get, target(host))).status == 200)
    }
  }

  @Test("through a proxy's tunnel TLS holds end to end, and the proxy's fields are not the answer's")
  func tunnel() async throws {
    let port = server.port
    let tunnel = try LoopbackServer { $0.tunnel(to: port) }
    let client = try makeClient {
      $0.caFile = server.certificate
      $0.proxy = "http://\(tunnel.authority)"
    }
    let request = HTTPRequest(
      .get, HTTPTarget(scheme: "https", authority: "localhost", path: "/"),
      headers: ["Authorization": "secret"])
    let response = try await client.send(request)
    #expect(response.status == 200)
    #expect(response.headers["X-Proxy"] == nil)
    #expect(tunnel.requests.map(\.line) == ["CONNECT localhost:443 HTTP/1.1"])
    #expect(tunnel.requests.first?.headers["Authorization"] == nil)
  }

  @Test("a CA file that is not there is untrusted")
  func missingFile() async throws {
    let client = try makeClient { $0.caFile = "/nowhere/ca.pem" }
    let error = await failure { () throws(HTTPError) in try await client.send(HTTPRequest(.get, target())) }
    #expect(error?.kind == .untrusted)
  }

  @Test("a server that speaks no TLS is untrusted")
  func noTLS() async throws {
    let error = try await handshakeFailure(
      with: LoopbackServer(hangingUpAfter: Array("HTTP/1.1 400 Bad\r\n\r\n".utf8)))
    #expect(error?.kind == .untrusted, "\(String(describing: error))")
  }

  @Test("a server that hangs up during the handshake is unreachable", arguments: [true, false])
  func hangsUp(resetting: Bool) async throws {
    let error = try await handshakeFailure(with: LoopbackServer(hangingUpAfter: [], resetting: resetting))
    #expect(error?.kind == .unreachable, "\(String(describing: error))")
  }

  private func handshakeFailure(with server: LoopbackServer) async throws -> HTTPError? {
    let client = try makeClient()
    let target = HTTPTarget(scheme: "https", authority: server.authority, path: "/")
    return await failure { () throws(HTTPError) in
      try await client.send(HTTPRequest(.get, target))
    }
  }
}

@Suite("Options")
struct CurlOptionsTests {
  private func completed(
    _ environment: [String: String], _ options: CurlOptions = CurlOptions()
  ) -> [String?] {
    let complete = options.completed { environment[$0] }
    return [complete.caFile, complete.caDirectory]
  }

  @Test("certificates come from the options, else curl's variable, else OpenSSL's two")
  func certificates() {
    let all = ["CURL_CA_BUNDLE": "curl", "SSL_CERT_FILE": "file", "SSL_CERT_DIR": "directory"]
    #expect(completed([:]) == [nil, nil])
    #expect(completed(["SSL_CERT_FILE": "file"]) == ["file", nil])
    #expect(completed(["SSL_CERT_FILE": "file", "SSL_CERT_DIR": "directory"]) == ["file", "directory"])
    #expect(completed(all) == ["curl", nil])
    #expect(completed(all, CurlOptions(caFile: "own")) == ["own", nil])
    #expect(completed(all, CurlOptions(caDirectory: "own")) == [nil, "own"])
  }
}
