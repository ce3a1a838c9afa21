import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Digests

@Suite("The digest service", .timeLimit(.minutes(1)))
struct DigestServiceTests {
  static let content: [UInt8] = {
    var random = SeededRandom(seed: 1)
    return (0..<300_007).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }()

  @Test("every kernel of this CPU agrees with libcrypto on lengths around the ends of blocks and buffers")
  func kernelsAgree() async throws {
    let lengths =
      Array(0...130) + [192, 447, 448, 65_535, 65_536, 65_537, 65_591, 65_592, 131_071, 131_072, 200_000]
    for kernel in MD5Kernel.all {
      let service = DigestService(kernel: kernel)
      try await expectDigests(of: lengths.map { ($0, $0 % 7) }, from: service, "\(kernel.name)")
      service.shutdown()
    }
  }

  @Test("hundreds of requests of mixed sizes at once, on one thread and on two", arguments: [1, 2])
  func manyAtOnce(threads: Int) async throws {
    var random = SeededRandom(seed: 2)
    let slices = (0..<400).map { _ in
      (
        Int.random(in: 0...(Bool.random(using: &random) ? 2000 : 200_000), using: &random),
        Int.random(in: 0...999, using: &random)
      )
    }
    try await expectDigests(of: slices, from: DigestService(threads: threads), "\(threads) threads")
  }

  @Test("SHA-256 alone, both digests and none mix with MD5")
  func whatIsWanted() async throws {
    let service = DigestService()
    let source = ByteSource(Self.content)
    async let both = service.digests(of: source.request(sha256: true))
    async let sha256 = service.digests(of: source.request(md5: false, sha256: true))
    async let none = service.digests(of: source.request(md5: false))
    let md5Expected = MD5.hash(Self.content), sha256Expected = SHA256.hash(Self.content)
    #expect(try await both == DigestResult(md5: md5Expected, sha256: sha256Expected))
    #expect(try await sha256 == DigestResult(sha256: sha256Expected))
    #expect(try await none == DigestResult())
  }

  @Test("exactly the length is read, though the source is longer")
  func notPastTheLength() async throws {
    let furthest = Mutex(Int64(0))
    let source = ByteSource(Self.content)
    let request = DigestRequest(length: 100_000) { position, buffer in
      furthest.withLock { $0 = max($0, position + Int64(buffer.count)) }
      return source.read(position, buffer)
    }
    let result = try await DigestService().digests(of: request)
    #expect(result.md5 == MD5.hash(Array(Self.content[..<100_000])))
    #expect(furthest.withLock { $0 } == 100_000)
  }

  @Test("reads may be short")
  func shortReads() async throws {
    let source = ByteSource(Self.content)
    let request = DigestRequest(length: source.length) { position, buffer in
      source.read(position, UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(1 + Int(position % 4099))))
    }
    #expect(try await DigestService().digests(of: request).md5 == MD5.hash(Self.content))
  }

  @Test("a source that ends early is an error that says where", arguments: [0, 1, 65_536, 70_000])
  func endedEarly(length: Int) async {
    let source = ByteSource(Array(Self.content[..<length]))
    await #expect(throws: DigestError.endedEarly(at: Int64(length))) {
      try await DigestService().digests(of: source.request(length: 200_000))
    }
  }

  @Test("a failing read gives its errno, and the other requests go on")
  func failingRead() async throws {
    let service = DigestService()
    let failing = DigestRequest(length: 100_000) { position, buffer in
      guard position == 0 else {
        errno = EIO
        return -1
      }
      return buffer.count
    }
    async let others: Void = expectDigests(of: (0..<50).map { ($0 * 1000, 0) }, from: service, "others")
    await #expect(throws: DigestError.unreadable(EIO)) { try await service.digests(of: failing) }
    try await others
  }

  @Test("a cancelled request that waits is let go without a read")
  func cancelWaiting() async throws {
    let gate = Gate()
    let service = DigestService(kernel: MD5Kernel.fastest)
    let holding = Task {
      try await service.digests(of: DigestRequest(length: 1) { _, buffer in gate.hold(buffer) })
    }
    try await gate.awaitHeld()
    let source = ByteSource(Self.content)
    let waiting = Task { try await service.digests(of: source.request()) }
    waiting.cancel()
    let answer = await waiting.result
    #expect(throws: DigestError.cancelled) { try answer.get() }
    gate.open()
    _ = try await holding.value
    #expect(source.readCount == 0)
  }

  @Test("a cancelled request that runs throws only after its last read")
  func cancelRunning() async throws {
    let gate = Gate()
    let service = DigestService()
    let ended = Atomic(false)
    let running = Task {
      defer { ended.store(true, ordering: .sequentiallyConsistent) }
      return try await service.digests(of: DigestRequest(length: 1 << 40) { _, buffer in gate.hold(buffer) })
    }
    try await gate.awaitHeld()
    running.cancel()
    // The read is still at it, so the call has to be too.
    try await Task.sleep(for: .milliseconds(20))
    let hasEnded = ended.load(ordering: .sequentiallyConsistent)
    #expect(!hasEnded)
    gate.open()
    let answer = await running.result
    #expect(throws: DigestError.cancelled) { try answer.get() }
    let reads = gate.count
    _ = try await service.digests(of: ByteSource(Self.content).request())
    #expect(gate.count == reads)
  }

  @Test("a task that is cancelled beforehand reads nothing")
  func cancelledBefore() async {
    let source = ByteSource(Self.content)
    let service = DigestService()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await service.digests(of: source.request())
    }
    let answer = await task.result
    #expect(throws: DigestError.cancelled) { try answer.get() }
    #expect(source.readCount == 0)
  }

  @Test("cancelling any of many leaves the others right")
  func cancelSome() async throws {
    let service = DigestService()
    let source = ByteSource(Self.content)
    let tasks = (0..<200).map { index in
      Task { try await service.digests(of: source.request(length: Int64(index) * 1000)).md5 }
    }
    for index in stride(from: 0, to: 200, by: 3) { tasks[index].cancel() }
    for (index, task) in tasks.enumerated() {
      switch await task.result {
      case .success(let md5): #expect(md5 == MD5.hash(Array(Self.content[..<(index * 1000)])))
      case .failure(let error):
        #expect(index % 3 == 0)
        #expect(error as? DigestError == .cancelled)
      }
    }
  }

  @Test("a shutdown answers what waits and what comes later with cancelled")
  func shutdown() async throws {
    let gate = Gate()
    let service = DigestService()
    let running = Task {
      try await service.digests(of: DigestRequest(length: 1 << 40) { _, buffer in gate.hold(buffer) })
    }
    try await gate.awaitHeld()
    let source = ByteSource(Self.content)
    let waiting = Task { try await service.digests(of: source.request()) }
    let shutdown = try #require(WorkerThread { service.shutdown() })
    gate.open()
    shutdown.join()
    for task in [running, waiting] {
      let answer = await task.result
      #expect(throws: DigestError.cancelled) { try answer.get() }
    }
    await #expect(throws: DigestError.cancelled) { try await service.digests(of: source.request()) }
    service.shutdown()
  }

  /// Hashes slices (length, offset) of the content at once and compares each with libcrypto.
  private func expectDigests(of slices: [(Int, Int)], from service: DigestService, _ comment: Comment)
    async throws
  {
    let source = ByteSource(Self.content)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (length, offset) in slices {
        group.addTask {
          let result = try await service.digests(
            of: source.request(from: Int64(offset), length: Int64(length)))
          #expect(result.md5 == MD5.hash(Array(Self.content[offset..<(offset + length)])), comment)
        }
      }
      try await group.waitForAll()
    }
  }
}

/// Holds up reads until it is opened.
private final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var reads = 0
  }
  private let state = Monitor(State())

  var count: Int { state.withLock { $0.reads } }

  func hold(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.change { $0.reads += 1 }
    return state.wait { $0.isOpen ? buffer.count : nil }
  }

  func awaitHeld() async throws {
    while count == 0 { try await Task.sleep(for: .milliseconds(1)) }
  }

  func open() {
    state.change { $0.isOpen = true }
  }
}
