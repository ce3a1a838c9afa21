import Glibc
import SyncCurl
import SyncHTTP
import TestSupport
import Testing

@Suite("Bodies from files")
struct BodyTests {
  let directory: TemporaryDirectory
  let client: CurlClient

  init() throws {
    directory = try TemporaryDirectory()
    client = try makeClient()
  }

  @Test(
    "a file's range arrives equal, and is counted as it goes",
    arguments: [(0, 5_000_000), (123_457, 2_000_001), (9, 0)])
  func range(offset: Int, length: Int) async throws {
    let server = try LoopbackServer()
    let bytes = pattern(5_000_000)
    let file = try directory.open(bytes)
    let sent = Counter()
    let body = HTTPBody.file(FileRange(file, offset: Int64(offset), length: Int64(length)))
    let request = HTTPRequest(.put, server.target("/key"), body: body, onSent: { sent.add($0) })
    let response = try await client.send(request)
    #expect(response.status == 200)
    #expect(try same(#require(server.requests.first).body, bytes[offset..<offset + length]))
    #expect(sent.value == length)
  }

  @Test("ranges of one file are read side by side")
  func sideBySide() async throws {
    let server = try LoopbackServer()
    let bytes = pattern(8 << 20)
    let file = try directory.open(bytes)
    let (client, part) = (client, 1 << 20)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        let body = HTTPBody.file(FileRange(file, offset: Int64(number * part), length: Int64(part)))
        let target = server.target("/\(number)")
        group.addTask { _ = try await client.send(HTTPRequest(.put, target, body: body)) }
      }
      try await group.waitForAll()
    }
    #expect(server.requests.count == 8)
    for request in server.requests {
      let number = try #require(Int(request.target.dropFirst()))
      #expect(same(request.body, bytes[number * part..<(number + 1) * part]))
    }
  }

  @Test("a file that ends early fails as unreadable, never as a short upload")
  func shortFile() async throws {
    let server = try LoopbackServer()
    let file = try directory.open(pattern(300_000))
    let body = HTTPBody.file(FileRange(file, offset: 0, length: 300_001))
    let error = await failure { () throws(HTTPError) in
      try await client.send(HTTPRequest(.put, server.target("/key"), body: body))
    }
    #expect(error?.kind == .unreadableBody)
    #expect(error?.message == "\(server.authority): the file ended after 300000 of 300001 bytes")
  }

  @Test("a file that cannot be read fails as unreadable")
  func readError() async throws {
    let server = try LoopbackServer()
    let descriptor = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let body = HTTPBody.file(FileRange(OpenFile(owning: descriptor), offset: 0, length: 10))
    let error = await failure { () throws(HTTPError) in
      try await client.send(HTTPRequest(.put, server.target("/key"), body: body))
    }
    #expect(error?.kind == .unreadableBody)
  }

  /// Sends a file that nobody else holds on to.
  private func send(fileTo target: HTTPTarget) async throws -> WeakFile {
    let file = try directory.open(pattern(100_000))
    let body = HTTPBody.file(FileRange(file, offset: 0, length: 100_000))
    _ = try? await client.send(HTTPRequest(.put, target, body: body))
    return WeakFile(file: file)
  }

  @Test("the file is closed when a call has ended, however it ended", arguments: ["/fine", "/cut"])
  func fileIsReleased(path: String) async throws {
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/cut" { exchange.cut() }
    }
    for _ in 0..<20 {
      let sent = try await send(fileTo: server.target(path))
      #expect(sent.file == nil)
    }
  }
}
