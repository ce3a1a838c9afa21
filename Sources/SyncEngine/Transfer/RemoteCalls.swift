import SyncBackend
import Synchronization

/// The verbs of `Backend`, as the events and the summary name them.
enum RemoteVerb: String, Sendable {
  case put
  case beginUpload = "begin_upload"
  case uploadPart = "upload_part"
  case listParts = "list_parts"
  case completeUpload = "complete_upload"
  case abortUpload = "abort_upload"
  case listUploads = "list_uploads"
  case stat
  case delete
}

/// Calls the backend on behalf of a run: counts every attempt, and alone sleeps and repeats.
final class RemoteCalls: Sendable {
  let backend: any Backend
  private let policy: RetryPolicy
  private let budget = RetryBudget()
  private let timing: Timing
  private let events: EventQueue
  private let counts = Mutex<[RemoteVerb: Int]>([:])
  private let successes = Atomic<Int>(0)

  init(_ backend: any Backend, policy: RetryPolicy, timing: Timing, events: EventQueue) {
    self.backend = backend
    self.policy = policy
    self.timing = timing
    self.events = events
  }

  /// Attempts by verb; those that had no credentials to leave with are none.
  var requests: [String: Int] {
    counts.withLock { counts in
      Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) })
    }
  }

  /// Something has succeeded, so the remote is there and takes our credentials.
  var hasSucceeded: Bool { successes.load(ordering: .relaxed) > 0 }

  /// So much has failed that asking on makes no sense.
  var isExhausted: Bool { budget.isSpent }

  func call<Result>(
    _ verb: RemoteVerb, _ key: [UInt8],
    _ attempt: (any Backend) async throws(BackendError) -> Result
  ) async throws(BackendError) -> Result {
    var number = 0
    var mended = 0
    while true {
      number += 1
      counts.withLock { $0[verb, default: 0] += 1 }
      do {
        let result = try await attempt(backend)
        successes.add(1, ordering: .relaxed)
        budget.giveBack()
        return result
      } catch {
        if error.lacksCredentials { takeBack(verb) }
        if Task.isCancelled { throw BackendError(.cancelled, "stopped") }
        let pause = policy.pause(
          after: error, attempt: number, mended: mended, random: timing.random())
        guard let pause, budget.take() else { throw error }
        if error.retry == .now { mended += 1 }
        await events.send(
          .retry(Retried(operation: verb.rawValue, key: key, attempt: number, delay: pause, error: error)))
        try await sleep(pause)
      }
    }
  }

  private func takeBack(_ verb: RemoteVerb) {
    counts.withLock { counts in
      counts[verb] = counts[verb].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }

  private func sleep(_ pause: Duration) async throws(BackendError) {
    do {
      try await timing.sleep(pause)
    } catch {
      throw BackendError(.cancelled, "stopped")
    }
  }
}
