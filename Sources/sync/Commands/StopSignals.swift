import Dispatch
import Foundation
import Synchronization

/// SIGINT and SIGTERM stop a run cleanly: what is under way is let go, started uploads stay resumable. A second
/// signal ends the process at once.
final class StopSignals: Sendable {
  private static let caught = [SIGINT, SIGTERM]

  private struct State {
    var signal: Int32?
    var stop: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  /// Immutable once made; dispatch sources may be used from any thread.
  private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

  init() {
    sources = StopSignals.caught.map { number in
      // The source is told; the signal's own effect is off.
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: .global())
    }
    for (source, number) in zip(sources, StopSignals.caught) {
      source.setEventHandler { [weak self] in self?.receive(number) }
      source.resume()
    }
  }

  /// As shells report a process that a signal ended: 130, 143.
  var status: Int { 128 + Int(state.withLock { $0.signal } ?? SIGINT) }

  var isStopping: Bool { state.withLock { $0.signal } != nil }

  /// Runs `body` in a task that the signals cancel.
  func cancelling<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws
    -> Result
  {
    let task = Task(operation: body)
    let isStopped = state.withLock { state in
      state.stop = { task.cancel() }
      return state.signal != nil
    }
    if isStopped { task.cancel() }
    return try await task.value
  }

  private func receive(_ number: Int32) {
    let stop: (@Sendable () -> Void)? = state.withLock { state in
      guard state.signal == nil else { return nil }
      state.signal = number
      return state.stop ?? {}
    }
    guard let stop else { _exit(128 + number) }
    stop()
  }
}
