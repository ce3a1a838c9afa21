import Foundation
import Memory
import SyncBackend
import SyncEngine
import SyncManifest
import Testing

@Suite("Faults: nothing untrue is recorded, and the next run mends it")
struct FaultTests {
  private let fixture: MirrorFixture

  init() throws {
    fixture = try MirrorFixture()
  }

  @Test("a file that is written to while it is read is tried again, and never recorded torn")
  func busy() async throws {
    let path = try fixture.source.write([UInt8](repeating: 1, count: 300_000), to: "log")
    let tries = Counter()
    fixture.bucket.setFaults { call, moment throws(BackendError) in
      guard call.verb == .put, moment == .before, tries.next() <= 2 else { return }
      let handle = FileHandle(forWritingAtPath: path)
      _ = try? handle?.seekToEnd()
      try? handle?.write(contentsOf: [2])
      try? handle?.close()
    }
    let outcome = try await fixture.run()
    #expect(outcome.summary.status == 0)
    #expect(fixture.bucket.contents[ObjectKey("p/log")]?.count == 300_002)
    #expect(try await fixture.run().summary.uploaded == 0)
  }

  @Test("a file that never settles is reported after a few tries")
  func restless() async throws {
    let path = try fixture.source.write([UInt8](repeating: 1, count: 300_000), to: "log")
    fixture.bucket.setFaults { call, moment throws(BackendError) in
      guard call.verb == .put, moment == .before else { return }
      let handle = FileHandle(forWritingAtPath: path)
      _ = try? handle?.seekToEnd()
      try? handle?.write(contentsOf: [2])
      try? handle?.close()
    }
    let outcome = try await fixture.run()
    #expect(outcome.summary.status == 1)
    #expect(outcome.failures.map(\.code) == ["changed"])
    fixture.bucket.setFaults(nil)
    #expect(try await fixture.run().summary.uploaded == 1)
  }

  @Test("the file that reverts: what a killed put may have changed is not believed")
  func reverts() async throws {
    try fixture.source.write("version 1", to: "a")
    fixture.age("a")
    try await fixture.run()
    let before = try await rowStamp()
    try fixture.source.write("version 2", to: "a")
    try await stopAfterPut { _ in }
    #expect(fixture.object("a") == "version 2")
    #expect(before.size == 9)

    try fixture.source.write("version 1", to: "a")
    fixture.age("a")
    let outcome = try await fixture.run()
    #expect(outcome.plan == ["upload a (in doubt after an interrupted run)"])
    #expect(fixture.object("a") == "version 1")
  }

  @Test(
    "what a killed put may have changed is not believed either where another source was mirrored there before"
  )
  func revertsAfterMove() async throws {
    try fixture.source.write("version 1", to: "a")
    try await fixture.run()
    let other = try MirrorFixture()
    try other.source.write("version 2", to: "a")
    let moved: @Sendable (inout MirrorJob) -> Void = {
      $0.directories = [MirrorDirectory(source: other.source.path, keyPrefix: ObjectKey("p/"))]
    }
    try await stopAfterPut(moved)
    #expect(fixture.object("a") == "version 2")
    try await fixture.run()
    #expect(fixture.object("a") == "version 1")
  }

  /// The put takes effect, its answer is lost, the run is stopped.
  private func stopAfterPut(_ change: @escaping @Sendable (inout MirrorJob) -> Void) async throws {
    let stop = Counter()
    fixture.bucket.setFaults { call, moment throws(BackendError) in
      guard call.verb == .put, moment == .after else { return }
      stop.stop?()
      try? await Task.sleep(for: .seconds(60))
      throw BackendError(.cancelled, "stopped")
    }
    let task = Task { try await fixture.run(change) }
    stop.onStop { task.cancel() }
    _ = try await task.value
    fixture.bucket.setFaults(nil)
  }

  private func rowStamp() async throws -> FileStamp {
    let job = try fixture.job()
    let manifest = try Manifest.open(stateDirectory: job.stateDirectory, identity: job.identity)
    defer { try? manifest.close() }
    return try #require(try manifest.row(for: Array("p/a".utf8))).stamp
  }

  @Test("what the remote stored otherwise is not recorded")
  func corrupted() async throws {
    try fixture.source.write("good", to: "a")
    fixture.bucket.setFaults { call, moment throws(BackendError) in
      if call.verb == .put { throw BackendError(.corrupted, "BadDigest", retry: .backoff) }
    }
    let outcome = try await fixture.run()
    #expect(outcome.summary.status == 1 && outcome.failures.map(\.code) == ["corrupted"])
    #expect(outcome.retries.count == 7)
    fixture.bucket.setFaults(nil)
    #expect(try await fixture.run().summary.uploaded == 1)
  }

  @Test("refused credentials end the run at once with 77")
  func credentials() async throws {
    for number in 0..<50 { try fixture.source.write("x", to: "f\(number)") }
    fixture.bucket.setFaults { _, _ throws(BackendError) in throw BackendError(.credentials, "who are you?") }
    let outcome = try await fixture.run { $0.transfer.concurrency = 1 }
    #expect(outcome.summary.status == 77)
    #expect(fixture.bucket.calls.count == 1)
  }

  @Test("without credentials nothing is sent, and nothing is counted as a request; a refusal is counted")
  func missingCredentials() async throws {
    try fixture.source.write("x", to: "f")
    fixture.bucket.setFaults { _, _ throws(BackendError) in throw BackendError(.credentials, "none are set") }
    let missing = try await fixture.run()
    #expect(missing.summary.status == 77)
    #expect(missing.summary.requests == 0 && missing.summary.remoteRequests.isEmpty)
    fixture.bucket.setFaults { _, _ throws(BackendError) in
      throw BackendError(.credentials, "who are you?", status: 403)
    }
    #expect(try await fixture.run().summary.requests == 1)
  }

  @Test("a remote that can't be reached ends the run with 69, long before every file has been tried")
  func unreachable() async throws {
    for number in 0..<500 { try fixture.source.write("x", to: "f\(number)") }
    fixture.bucket.setFaults { _, _ throws(BackendError) in
      throw BackendError(.unavailable, "connection refused", retry: .backoff)
    }
    let outcome = try await fixture.run()
    #expect(outcome.summary.status == 69)
    #expect(fixture.bucket.calls.count < 300)
  }

  @Test("one file that the remote refuses doesn't keep the others back")
  func oneRefused() async throws {
    try fixture.source.write("x", to: "bad")
    try fixture.source.write("x", to: "good")
    fixture.bucket.setFaults { call, _ throws(BackendError) in
      if call.keys.first?.text == "p/bad" { throw BackendError(.denied, "not this one") }
    }
    let outcome = try await fixture.run()
    #expect(outcome.summary.status == 1 && outcome.summary.uploaded == 1)
    #expect(outcome.failures.map(\.code) == ["denied"])
  }

  @Test("a passing failure is repeated, and told")
  func passing() async throws {
    try fixture.source.write("x", to: "a")
    let tries = Counter()
    fixture.bucket.setFaults { call, moment throws(BackendError) in
      if moment == .before, tries.next() < 3 {
        throw BackendError(.throttled, "slow down", retry: .after(.seconds(3)))
      }
    }
    let outcome = try await fixture.run()
    #expect(outcome.summary.status == 0)
    #expect(outcome.retries.map(\.attempt) == [1, 2])
    #expect(outcome.retries.allSatisfy { $0.delay == .seconds(3) })
    #expect(outcome.summary.remoteRequests == ["put": 3])
  }

  @Test("names that can't be keys are refused one by one, and the run ends with 1")
  func names() async throws {
    let fixture = try MirrorFixture(MemoryLimits(maximumKeyBytes: 20))
    try fixture.source.write("x", to: "fine")
    try fixture.source.write("x", to: String(repeating: "l", count: 19))
    let outcome = try await fixture.run()
    #expect(outcome.summary.status == 1 && outcome.summary.failed == 1)
    #expect(fixture.keys == ["p/fine"])
    #expect(outcome.failures.first?.message.contains("21 bytes") == true)
  }

  @Test("a missing source ends the run with 66")
  func missingSource() async throws {
    let outcome = try await fixture.run {
      $0.directories = [MirrorDirectory(source: "/does/not/exist", keyPrefix: ObjectKey("p/"))]
    }
    #expect(outcome.summary.status == 66)
  }

  @Test("a source that can't be read as a whole ends the run with 66, and is named")
  func unreadableSource() async throws {
    let path = try fixture.source.write("", to: ".syncignore")
    // No list of patterns is that long.
    #expect(truncate(path, 5 << 20) == 0)
    let outcome = try await fixture.run()
    #expect(outcome.summary.status == 66)
    #expect(outcome.errorText.contains(fixture.source.path))
  }

  @Test("a second run of the same mapping is told who holds it; another mapping runs beside it")
  func locked() async throws {
    try fixture.source.write("x", to: "a")
    let other = try MirrorFixture()
    try other.source.write("y", to: "b")
    let inside = Counter()
    let results = ResultBox()
    fixture.bucket.setFaults { [fixture] call, moment throws(BackendError) in
      guard call.verb == .put, moment == .before, inside.next() == 1 else { return }
      let same = try? await fixture.run()
      let beside = try? await fixture.run {
        $0.directories = [MirrorDirectory(source: other.source.path, keyPrefix: ObjectKey("q/"))]
      }
      results.set(same, beside)
    }
    try await fixture.run()
    let (same, beside) = results.both
    #expect(same?.summary.status == 75)
    let told = same?.errorText ?? ""
    #expect(told.contains("\(getpid())"))
    #expect(beside?.summary.status == 0 && fixture.keys.contains("q/b"))
  }
}
