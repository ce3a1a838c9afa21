import Dispatch
import Foundation
import Synchronization

/// Carries facts from the tasks of a run to its readers, which run on one thread of their own and may block on a
/// slow terminal or pipe.
///
/// Facts are never dropped: a full queue makes senders wait. Of `progress` only the newest is kept.
public final class EventQueue: Sendable {
  private struct State {
    var queued: [Event] = []
    var progress: Progress?
    var waiting: [CheckedContinuation<Void, Never>] = []
    var isClosed = false
  }

  private static let capacity = 1024

  private let state = Mutex(State())
  private let arrivals = DispatchSemaphore(value: 0)
  private let drained = DispatchGroup()

  /// - Parameter read: called for every event, in order, on one thread.
  public init(_ read: @escaping @Sendable (Event) -> Void) {
    drained.enter()
    // The thread keeps the queue alive until `close` ends it.
    Thread.detachNewThread { self.deliver(to: read) }
  }

  public func send(_ event: Event) async {
    if case .progress(let progress) = event {
      state.withLock { $0.progress = progress }
      arrivals.signal()
      return
    }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let mayGoOn = state.withLock { state in
        state.queued.append(event)
        guard state.queued.count > EventQueue.capacity else { return true }
        state.waiting.append(continuation)
        return false
      }
      arrivals.signal()
      if mayGoOn { continuation.resume() }
    }
  }

  /// Returns when every event has been read. Nothing may be sent afterwards.
  public func close() async {
    state.withLock { $0.isClosed = true }
    arrivals.signal()
    await withCheckedContinuation { continuation in
      drained.notify(queue: .global()) { continuation.resume() }
    }
  }

  private func deliver(to read: (Event) -> Void) {
    while true {
      arrivals.wait()
      let (events, waiting, isClosed) = state.withLock { state in
        var events = state.queued
        if let progress = state.progress { events.insert(.progress(progress), at: 0) }
        let taken = (events, state.waiting, state.isClosed)
        state.queued = []
        state.progress = nil
        state.waiting = []
        return taken
      }
      events.forEach(read)
      waiting.forEach { $0.resume() }
      if isClosed, events.isEmpty { break }
      if isClosed { arrivals.signal() }
    }
    drained.leave()
  }
}
