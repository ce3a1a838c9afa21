import Dispatch
import SyncBackend
import Synchronization

/// Runs work that blocks on threads of its own, so that no thread that serves tasks ever waits for a disk.
struct BlockingWork: Sendable {
  private let queue = DispatchQueue(label: "sync.local", attributes: .concurrent)

  /// Returns only when `body` has ended, also where the task is cancelled: nothing of the payload is held
  /// after.
  func run<Answer: Sendable>(
    _ body: @escaping @Sendable (Interrupt) throws(BackendError) -> Answer
  ) async throws(BackendError) -> Answer {
    let interrupt = Interrupt()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<Answer, BackendError>, Never>) in
        queue.async {
          do throws(BackendError) {
            try interrupt.check()
            continuation.resume(returning: .success(try body(interrupt)))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
    } onCancel: {
      interrupt.raise()
    }
    return try result.get()
  }
}

/// Tells work on another thread that its task was cancelled; the work asks between two buffers.
final class Interrupt: Sendable {
  private let isRaised = Atomic(false)

  func raise() {
    isRaised.store(true, ordering: .relaxed)
  }

  func check() throws(BackendError) {
    if isRaised.load(ordering: .relaxed) { throw BackendError(.cancelled, "cancelled") }
  }
}
