import Foundation
import SyncCurl
import SyncHTTP
import TestSupport
import Testing

@Suite("Cancellation and shutdown")
struct CancellationTests {
  /// Starts an upload of 50 MB from a file that only the call holds on to, and says when it is under way.
  private func upload(
    to target: HTTPTarget, with client: CurlClient
  ) throws -> (Task<HTTPError?, Never>, AsyncStream<Void>, WeakFile) {
    let directory = try TemporaryDirectory()
    let file = try directory.open(pattern(50_000_000))
    let (started, signal) = AsyncStream<Void>.makeStream()
    let body = HTTPBody.file(FileRange(file, offset: 0, length: 50_000_000))
    let request = HTTPRequest(.put, target, body: body, onSent: { _ in signal.yield() })
    let task = Task { await failure { () throws(HTTPError) in try await client.send(request) } }
    return (task, started, WeakFile(file: file))
  }

  @Test("a cancelled upload ends as cancelled and has let go of its file")
  func midUpload() async throws {
    let server = try LoopbackServer { exchange in
      exchange.receive(upTo: 100_000)
      exchange.hold()
    }
    let client = try makeClient()
    for _ in 0..<5 {
      let (task, started, sent) = try upload(to: server.target("/"), with: client)
      for await _ in started { break }
      #expect(sent.file != nil)
      task.cancel()
      #expect(await task.value?.kind == .cancelled)
      // The task's own closure, which holds the request, may outlive its value by a moment.
      for _ in 0..<100 where sent.file != nil { try await Task.sleep(for: .milliseconds(5)) }
      #expect(sent.file == nil)
    }
  }

  @Test("when a cancelled call returns, its loop holds nothing of it and its sink hears no more")
  func sinkIsReleased() async throws {
    let server = try LoopbackServer { exchange in
      exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
      while exchange.write("x") { exchange.pause(.milliseconds(1)) }
    }
    let client = try makeClient()
    let (started, signal) = AsyncStream<Void>.makeStream()
    let sink = SignallingSink(signal)
    let request = HTTPRequest(.get, server.target("/"))
    let countWhenReturned = Task {
      _ = await failure { () throws(HTTPError) in try await client.send(request, into: sink) }
      return sink.count.value
    }
    for await _ in started { break }
    countWhenReturned.cancel()
    let count = await countWhenReturned.value
    try await Task.sleep(for: .milliseconds(50))
    #expect(sink.count.value == count)
  }

  @Test("a task that is cancelled already sends nothing")
  func before() async throws {
    let server = try LoopbackServer()
    let client = try makeClient()
    let request = HTTPRequest(.get, server.target("/"))
    let error = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure { () throws(HTTPError) in try await client.send(request) }
    }.value
    #expect(error?.kind == .cancelled)
    #expect(server.connections == 0)
  }

  @Test("one cancelled call leaves its neighbours alone")
  func neighbours() async throws {
    let server = try LoopbackServer { exchange in
      exchange.pause(.milliseconds(300))
      exchange.answer(200)
    }
    let client = try makeClient()
    let tasks = (0..<20).map { number in
      let request = HTTPRequest(.get, server.target("/\(number)"))
      return Task { try? await client.send(request).status }
    }
    try await Task.sleep(for: .milliseconds(50))
    for (number, task) in tasks.enumerated() where number % 2 == 0 { task.cancel() }
    for (number, task) in tasks.enumerated() {
      #expect(await task.value == (number % 2 == 0 ? nil : 200))
    }
  }

  @Test("a call that is still connecting can be cancelled")
  func cancelledWhileConnecting() async throws {
    let server = try LoopbackServer { $0.hold() }
    var target = server.target("/")
    target.scheme = "https"
    let client = try makeClient()
    let request = HTTPRequest(.get, target)
    let task = Task { await failure { () throws(HTTPError) in try await client.send(request) } }
    while server.connections == 0 { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    #expect(await task.value?.kind == .cancelled)
  }

  @Test("shutdown ends what is in flight, and what comes later")
  func shutdown() async throws {
    let server = try LoopbackServer { $0.hold() }
    let client = try makeClient { $0.eventLoops = 2 }
    let tasks = (0..<6).map { number in
      let request = HTTPRequest(.get, server.target("/\(number)"))
      return Task { await failure { () throws(HTTPError) in try await client.send(request) } }
    }
    while server.requests.count < 6 { try await Task.sleep(for: .milliseconds(5)) }
    client.shutdown()
    for task in tasks { #expect(await task.value?.kind == .cancelled) }
    let late = await failure { () throws(HTTPError) in
      try await client.send(HTTPRequest(.get, server.target("/late")))
    }
    #expect(late?.kind == .cancelled)
    client.shutdown()
  }

  @Test("shutdown may be called from a callback, on the loop's own thread")
  func shutdownOnTheLoop() async throws {
    let server = try LoopbackServer { $0.hold() }
    let client = try makeClient()
    let request = HTTPRequest(
      .put, server.target("/"), body: .bytes([1]), onSent: { _ in client.shutdown() })
    let error = await failure { () throws(HTTPError) in try await client.send(request) }
    #expect(error?.kind == .cancelled)
  }

  @Test("a client may go at once, with or without having sent anything")
  func shortLived() async throws {
    let server = try LoopbackServer()
    for number in 0..<20 {
      let client = try makeClient()
      if number % 2 == 0 { _ = try await client.send(HTTPRequest(.get, server.target("/"))) }
    }
    #expect(server.connections == 10)
  }

  @Test("a client that cannot be made says why")
  func setup() {
    #expect(throws: CurlSetupError.self) { try makeClient { $0.eventLoops = 0 } }
    #expect(throws: CurlSetupError.self) { try makeClient { $0.keptConnections = 0 } }
  }
}

private final class SignallingSink: ByteSink {
  let count = Counter()
  private let signal: AsyncStream<Void>.Continuation

  init(_ signal: AsyncStream<Void>.Continuation) { self.signal = signal }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    count.add(bytes.count)
    signal.yield()
    return true
  }
}
