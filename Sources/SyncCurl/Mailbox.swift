import Synchronization

/// What tasks hand to a loop's thread. The thread is woken once for a batch, and not at all while it is awake.
final class Mailbox: Sendable {
  struct Mail {
    var submissions: [Submission] = []
    var hasCancellations = false
    var isStopping = false

    var isEmpty: Bool { submissions.isEmpty && !hasCancellations && !isStopping }
  }

  private struct State {
    var mail = Mail()
    var isStopped = false
    /// Who sleeps and wants to be woken. Woken under the lock, so that a loop that has left cannot be.
    var sleeper: MultiHandle?
  }

  private let state = Mutex(State())

  /// False once the loop was told to stop: nobody would answer.
  func submit(_ submission: Submission) -> Bool {
    state.withLock { state in
      guard !state.isStopped else { return false }
      state.mail.submissions.append(submission)
      Mailbox.wake(&state)
      return true
    }
  }

  func noteCancellation() {
    state.withLock { state in
      state.mail.hasCancellations = true
      Mailbox.wake(&state)
    }
  }

  func stop() {
    state.withLock { state in
      state.mail.isStopping = true
      state.isStopped = true
      Mailbox.wake(&state)
    }
  }

  /// For the loop's thread: everything that has come since it last looked.
  func collect() -> Mail {
    state.withLock { state in
      defer { state.mail = Mail() }
      state.sleeper = nil
      return state.mail
    }
  }

  /// For the loop's thread, before it waits on `multi`: false when there is mail already.
  func fallAsleep(on multi: MultiHandle) -> Bool {
    state.withLock { state in
      guard state.mail.isEmpty else { return false }
      state.sleeper = multi
      return true
    }
  }

  private static func wake(_ state: inout State) {
    state.sleeper?.wakeUp()
    state.sleeper = nil
  }
}
