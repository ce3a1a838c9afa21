import Glibc
import SyncHTTP
import Synchronization
import TestSupport
import Testing

@testable import SyncCurl

@Suite("Patience")
struct PatienceTests {
  let client: CurlClient

  init() throws { client = try makeClient() }

  private let short = Duration.milliseconds(300)

  /// The error and how long it took.
  private func timed(_ request: HTTPRequest) async -> (HTTPError?, Duration) {
    let start = ContinuousClock.now
    let error = await failure { () throws(HTTPError) in try await client.send(request) }
    return (error, ContinuousClock.now - start)
  }

  /// The bound leaves room for a busy machine, on which the test's own task waits for its turn; the patience that
  /// must not count in these tests is a minute.
  private func expectOnTime(_ elapsed: Duration, _ patience: Duration) {
    #expect(elapsed >= patience - .milliseconds(20))
    #expect(elapsed < .seconds(20))
  }

  @Test("an upload that the server stops reading stalls")
  func stalledUpload() async throws {
    let server = try LoopbackServer { exchange in
      exchange.receive(upTo: 1000)
      exchange.hold()
    }
    let body = HTTPBody.bytes([UInt8](repeating: 7, count: 50_000_000))
    let patience = HTTPPatience(stall: short, answer: .seconds(60))
    let (error, elapsed) = await timed(HTTPRequest(.put, server.target("/"), body: body, patience: patience))
    #expect(error?.kind == .stalled)
    expectOnTime(elapsed, short)
  }

  @Test("an answer that stops in the middle stalls")
  func stalledAnswer() async throws {
    let server = try LoopbackServer { exchange in
      exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
      exchange.hold()
    }
    let patience = HTTPPatience(stall: short, answer: .seconds(60))
    let (error, elapsed) = await timed(HTTPRequest(.get, server.target("/"), patience: patience))
    #expect(error?.kind == .stalled)
    expectOnTime(elapsed, short)
  }

  @Test("once all is sent, the longer patience for an answer counts", arguments: [HTTPMethod.get, .post])
  func slowAnswer(method: HTTPMethod) async throws {
    let server = try LoopbackServer { exchange in
      exchange.receive()
      exchange.pause(.milliseconds(2500))
      exchange.answer(200, text: "done")
    }
    let patience = HTTPPatience(stall: .milliseconds(1500), answer: .seconds(30))
    let body = method == .post ? HTTPBody.bytes(pattern(1_000_000)) : .none
    let response = try await client.send(
      HTTPRequest(method, server.target("/"), body: body, patience: patience))
    #expect(response.body == Array("done".utf8))
  }

  @Test("no answer within that patience stalls too, on time")
  func noAnswer() async throws {
    let server = try LoopbackServer { exchange in
      exchange.receive()
      exchange.hold()
    }
    let patience = HTTPPatience(stall: .seconds(60), answer: short)
    let request = HTTPRequest(.put, server.target("/"), body: .bytes([1]), patience: patience)
    let (error, elapsed) = await timed(request)
    #expect(error?.kind == .stalled)
    #expect(error?.message.contains("no answer") == true)
    expectOnTime(elapsed, short)
  }

  @Test("interim answers keep a slow complete alive")
  func interimAnswers() async throws {
    let server = try LoopbackServer { exchange in
      for _ in 0..<5 {
        exchange.write("HTTP/1.1 102 Processing\r\n\r\n")
        exchange.pause(.milliseconds(500))
      }
      exchange.answer(200)
    }
    let patience = HTTPPatience(stall: .milliseconds(1800), answer: .milliseconds(1800))
    let response = try await client.send(HTTPRequest(.post, server.target("/"), patience: patience))
    #expect(response.status == 200)
  }

  @Test("a slow but steady transfer outlives any patience, in both directions")
  func steady() async throws {
    let server = try LoopbackServer { exchange in
      for _ in 0..<12 {
        exchange.receive(upTo: 1_000_000)
        exchange.pause(.milliseconds(200))
      }
      exchange.receive()
      exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n")
      for _ in 0..<12 {
        exchange.write("x")
        exchange.pause(.milliseconds(200))
      }
    }
    let body = HTTPBody.bytes([UInt8](repeating: 7, count: 20_000_000))
    let patience = HTTPPatience(stall: .milliseconds(1800), answer: .milliseconds(1800))
    let response = try await client.send(
      HTTPRequest(.put, server.target("/"), body: body, patience: patience))
    #expect(response.body.count == 12)
  }

  @Test("a sink that blocks the loop does not make its neighbours look stalled")
  func blockingSink() async throws {
    struct SlowSink: ByteSink {
      func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        usleep(2_500_000)
        return true
      }
    }
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/slow" { return exchange.answer(200, text: "slow") }
      exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n")
      for _ in 0..<30 {
        exchange.write("x")
        exchange.pause(.milliseconds(150))
      }
    }
    let (client, steady) = (client, server.target("/steady"))
    let patience = HTTPPatience(stall: .milliseconds(1800), answer: .milliseconds(1800))
    async let neighbour = client.send(HTTPRequest(.get, steady, patience: patience))
    _ = try await client.send(HTTPRequest(.get, server.target("/slow")), into: SlowSink())
    #expect(try await neighbour.body.count == 30)
  }

  @Test("a connection that is never made is unreachable once its patience ends")
  func connect() async throws {
    // A TLS client waits for a hello that a plain server never gives.
    let server = try LoopbackServer { $0.hold() }
    var target = server.target("/")
    target.scheme = "https"
    let (error, elapsed) = await timed(
      HTTPRequest(.get, target, patience: HTTPPatience(connect: short, stall: .seconds(60))))
    #expect(error?.kind == .unreachable)
    expectOnTime(elapsed, short)
  }

  @Test("a loop that waits uses no time")
  func idle() async throws {
    let server = try LoopbackServer { exchange in
      exchange.receive()
      exchange.pause(.milliseconds(500))
    }
    // The callback runs on the loop's thread, whose clock it can therefore read.
    let readings = Mutex<[Int]>([])
    let read: @Sendable (Int) -> Void = { _ in
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      readings.withLock { $0.append(time.tv_sec * 1_000_000 + time.tv_nsec / 1000) }
    }
    for _ in 0..<2 {
      _ = try await client.send(HTTPRequest(.put, server.target("/"), body: .bytes([1]), onSent: read))
      try await Task.sleep(for: .milliseconds(300))
    }
    let microseconds = try readings.withLock { try #require($0.last) - #require($0.first) }
    #expect(microseconds < 100_000)
  }
}

@Suite("The stall clock")
struct StallClockTests {
  private let start = SuspendingClock().now
  private let patience = HTTPPatience(connect: .seconds(1), stall: .seconds(30), answer: .seconds(60))

  private func after(_ seconds: Int) -> StallClock.Instant { start.advanced(by: .seconds(seconds)) }

  @Test("connecting is curl's to time")
  func connecting() {
    let clock = StallClock(patience, now: start)
    #expect(clock.deadline == nil)
    #expect(clock.failure(at: after(1000)) == nil)
  }

  @Test("silence counts from the last byte that moved, whichever way the number went")
  func moving() {
    var clock = StallClock(patience, now: start)
    clock.observe(.moving, moved: 10, at: after(5))
    clock.observe(.moving, moved: 10, at: after(20))
    #expect(clock.deadline == after(35))
    clock.observe(.moving, moved: 4, at: after(30))
    #expect(clock.failure(at: after(59)) == nil)
    #expect(clock.failure(at: after(60))?.kind == .stalled)
  }

  @Test("waiting for an answer begins a patience of its own")
  func awaiting() {
    var clock = StallClock(patience, now: start)
    clock.observe(.moving, moved: 10, at: after(0))
    clock.observe(.awaitingAnswer, moved: 10, at: after(29))
    #expect(clock.failure(at: after(88)) == nil)
    #expect(clock.failure(at: after(89))?.kind == .stalled)
    clock.observe(.moving, moved: 11, at: after(88))
    #expect(clock.deadline == after(118))
  }
}
