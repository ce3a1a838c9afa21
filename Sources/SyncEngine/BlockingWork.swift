import Dispatch
import Synchronization

/// Runs work that may block (opening and reading files, walking directories, SQLite) on threads outside the pool
/// that tasks run on. How much runs at once is bounded by the callers.
struct BlockingWork: Sendable {
  private let queue = DispatchQueue(label: "blocking-work", attributes: .concurrent)

  func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result(catching: work)) }
    }
  }

  /// For work that takes long: it asks `CancellationFlag.check` now and then.
  func runLong<Result: Sendable>(
    _ work: @escaping @Sendable (CancellationFlag) throws -> Result
  ) async throws -> Result {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await run { try work(flag) }
    } onCancel: {
      flag.raise()
    }
  }
}

/// Says to a thread that the task it works for was cancelled.
final class CancellationFlag: Sendable {
  private let isRaised = Atomic<Bool>(false)

  func raise() { isRaised.store(true, ordering: .relaxed) }

  func check() throws {
    if isRaised.load(ordering: .relaxed) { throw CancellationError() }
  }
}
