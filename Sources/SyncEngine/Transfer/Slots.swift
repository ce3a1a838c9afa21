import Synchronization

/// A bound on what is under way at once, over files and parts together. First come, first served, so that a file
/// with a thousand parts and a thousand small files take turns.
final class Slots: Sendable {
  private struct Waiter {
    var id: Int
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var free: Int
    var nextID = 0
    var waiting: [Waiter] = []
    /// Cancelled before they came to wait.
    var cancelled: Set<Int> = []
  }

  let count: Int
  private let state: Mutex<State>

  init(_ count: Int) {
    self.count = count
    state = Mutex(State(free: count))
  }

  /// Throws `CancellationError`; the slot is free again whatever `work` does.
  func hold<Result: Sendable>(_ work: () async throws -> Result) async throws -> Result {
    try await take()
    defer { give() }
    return try await work()
  }

  private func take() async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let isTaken = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if state.cancelled.remove(id) != nil { return false }
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.waiting.append(Waiter(id: id, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      cancel(id)
    }
    guard isTaken else { throw CancellationError() }
  }

  private func cancel(_ id: Int) {
    let waiter: Waiter? = state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      return state.waiting.remove(at: index)
    }
    waiter?.continuation.resume(returning: false)
  }

  private func give() {
    let next: Waiter? = state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.continuation.resume(returning: true)
  }
}
