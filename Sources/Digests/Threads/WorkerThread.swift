import Glibc

/// A thread of one's own, for work that blocks.
package struct WorkerThread: Sendable {
  private let thread: pthread_t

  /// Starts `body`; nil where the system has no thread left to give. Every thread that was started must be joined.
  package init?(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Box(body))
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    guard failure == 0 else {
      box.release()
      return nil
    }
    self.thread = thread
  }

  /// Waits for its end. Once only.
  package func join() {
    pthread_join(thread, nil)
  }

  private final class Box: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }
}
