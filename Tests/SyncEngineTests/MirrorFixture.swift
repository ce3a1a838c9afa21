import Digests
import Foundation
import Memory
import SyncBackend
import SyncEngine
import SyncManifest
import Synchronization
import TestSupport

/// A source folder, a bucket in memory and a state directory, and runs between them.
final class MirrorFixture: Sendable {
  let source: TemporaryDirectory
  let state: TemporaryDirectory
  let bucket: MemoryBackend
  private let digests = DigestService()

  init(_ limits: MemoryLimits = MemoryLimits()) throws {
    source = try TemporaryDirectory()
    state = try TemporaryDirectory()
    bucket = MemoryBackend(limits, now: { MirrorFixture.now() })
  }

  deinit { digests.shutdown() }

  /// What a run did, with everything it said.
  struct Outcome: Sendable {
    var summary: RunSummary
    var error: MirrorError?
    var events: [Event]

    /// `upload a.txt (new)`, in the order of the plan.
    var plan: [String] {
      events.compactMap { event in
        guard case .planned(let planned) = event else { return nil }
        return "\(planned.action.rawValue) \(printable(planned.path)) (\(planned.reason))"
      }
    }

    /// Why the run stopped as a whole; empty where it did not.
    var errorText: String { error.map { "\($0)" } ?? "" }

    var failures: [Failure] {
      events.compactMap { event in
        guard case .failed(let failure) = event else { return nil }
        return failure
      }
    }

    var retries: [Retried] {
      events.compactMap { event in
        guard case .retry(let retried) = event else { return nil }
        return retried
      }
    }
  }

  func job(
    exclude: [String] = [], include: [String] = [], _ change: (inout MirrorJob) -> Void = { _ in }
  ) throws -> MirrorJob {
    var job = MirrorJob(
      profile: "test", remote: "memory",
      directories: [MirrorDirectory(source: source.path, keyPrefix: ObjectKey("p/"))],
      filter: try PathFilter(exclude: exclude, include: include),
      identity: ManifestIdentity(kind: "memory", endpoint: "", bucket: "test", prefix: ""),
      stateDirectory: state.path + "/state")
    change(&job)
    return job
  }

  /// Runs with pauses that take no time.
  ///
  /// - Parameter later: how far the run's clock is ahead, in seconds.
  @discardableResult
  func run(
    dryRun: Bool = false, exclude: [String] = [], include: [String] = [], later: Int64 = 0,
    _ change: (inout MirrorJob) -> Void = { _ in }
  ) async throws -> Outcome {
    let seen = Mutex<[Event]>([])
    let record: @Sendable (Event) -> Void = { event in seen.withLock { $0.append(event) } }
    let events = EventQueue(record)
    let mirror = Mirror(
      try job(exclude: exclude, include: include, change), backend: bucket, digests: digests,
      timing: MirrorFixture.timing(later: later), events: events, stopStatus: { 143 })
    let (summary, error) = await mirror.run(isDryRun: dryRun)
    await events.close()
    return Outcome(summary: summary, error: error, events: seen.withLock { $0 })
  }

  private static func timing(later seconds: Int64) -> Timing {
    Timing(
      now: { now() + seconds * 1_000_000_000 }, uptime: { ProcessInfo.processInfo.systemUptime },
      sleep: { _ in try Task.checkCancellation() }, random: { 0.5 })
  }

  static func now() -> Int64 {
    Int64(Date().timeIntervalSince1970 * 1e9)
  }

  // MARK: - The bucket

  /// Text of an object under the mapping's prefix.
  func object(_ path: String) -> String? {
    bucket.contents[ObjectKey("p/" + path)].map { String(decoding: $0, as: UTF8.self) }
  }

  var keys: [String] { bucket.contents.keys.sorted().map(\.text) }

  func calls(_ verb: MemoryCall.Verb) -> Int { bucket.calls.filter { $0.verb == verb }.count }

  // MARK: - The source

  /// Sets a file's time of modification to the past, so that the "racy" rule doesn't look at it again. Its ctime
  /// is the present: tests that need a settled row wait for it with `settle`.
  func age(_ path: String, to seconds: Int = 1_000_000_000) {
    var times = [timeval(tv_sec: seconds, tv_usec: 0), timeval(tv_sec: seconds, tv_usec: 0)]
    utimes(source.path + "/" + path, &times)
  }

  /// Lets every row be older than the clock's grain of 2 s, and checked once more.
  func settle() async throws {
    try await run(later: 3)
    bucket.forgetCalls()
  }
}
