import Synchronization

/// Counts calls from any task, and remembers what to do at the one that matters.
final class Counter: Sendable {
  private struct State {
    var count = 0
    var stop: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  func next() -> Int {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  var stop: (@Sendable () -> Void)? { state.withLock { $0.stop } }

  func onStop(_ stop: @escaping @Sendable () -> Void) {
    state.withLock { $0.stop = stop }
  }
}
