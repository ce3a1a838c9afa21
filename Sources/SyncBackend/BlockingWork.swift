import Dispatch
import Synchronization

/// Runs work that may block (files, directories, SQLite) on threads of its own, so that no thread that serves tasks
/// ever waits for a disk. How much runs at once is bounded by the callers.
public struct BlockingWork: Sendable {
  private let queue: DispatchQueue

  /// - Parameter label: what debuggers call its threads.
  public init(label: String) {
    queue = DispatchQueue(label: label, attributes: .concurrent)
  }

  /// Returns only when `work` has ended, also where the task is cancelled: nothing that it uses is held afterwards.
  /// Work that takes long looks at the flag now and then.
  public func run<Answer: Sendable, Failure: Error>(
    _ work: @escaping @Sendable (CancellationFlag) throws(Failure) -> Answer
  ) async throws(Failure) -> Answer {
    let flag = CancellationFlag()
    let result: Result<Answer, Failure> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async {
          do throws(Failure) {
            continuation.resume(returning: .success(try work(flag)))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
    } onCancel: {
      flag.raise()
    }
    return try result.get()
  }

  /// The same for work that is soon done.
  public func run<Answer: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Answer
  ) async throws(Failure) -> Answer {
    try await run { (_: CancellationFlag) throws(Failure) in try work() }
  }
}

/// Says to a thread that the task it works for was cancelled.
public final class CancellationFlag: Sendable {
  private let raised = Atomic(false)

  public init() {}

  public func raise() { raised.store(true, ordering: .relaxed) }

  public var isRaised: Bool { raised.load(ordering: .relaxed) }
}
