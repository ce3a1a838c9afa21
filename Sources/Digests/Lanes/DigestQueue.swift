/// The requests that wait for a lane, first come, first served.
final class DigestQueue: Sendable {
  private struct Waiting {
    var jobs: [DigestJob] = []
    /// Those before it have been taken; cutting them off one by one would move all the others each time.
    var next = 0
    var isOpen = true

    mutating func take() -> DigestJob? {
      guard next < jobs.count else { return nil }
      defer {
        next += 1
        if next >= 1024 || next == jobs.count {
          jobs.removeFirst(next)
          next = 0
        }
      }
      return jobs[next]
    }
  }

  private let waiting = Monitor(Waiting())

  /// False when the queue is closed.
  func add(_ job: DigestJob) -> Bool {
    waiting.change { waiting in
      if waiting.isOpen { waiting.jobs.append(job) }
      return waiting.isOpen
    }
  }

  /// The next request, if one waits.
  func poll() -> DigestJob? {
    waiting.withLock { $0.take() }
  }

  /// Waits for the next request; nil when the queue is closed.
  func take() -> DigestJob? {
    waiting.wait { waiting -> DigestJob?? in
      guard waiting.isOpen else { return .some(nil) }
      return waiting.take().map { .some($0) }
    }
  }

  var isOpen: Bool { waiting.withLock { $0.isOpen } }

  /// Cancels what waits. Whoever takes from it is told to stop.
  func close() {
    let dropped = waiting.change { waiting in
      defer { waiting = Waiting(isOpen: false) }
      return waiting.jobs[waiting.next...]
    }
    for job in dropped { job.cancel() }
  }
}
