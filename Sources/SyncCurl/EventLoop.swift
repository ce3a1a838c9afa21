import Glibc
import SyncHTTP
import Synchronization

/// One loop as its callers see it: a mailbox and the thread that empties it.
final class EventLoop: Sendable {
  private let mailbox: Mailbox
  private let thread: Mutex<pthread_t?>

  init(_ options: CurlOptions) throws(CurlSetupError) {
    let multi = try MultiHandle(keptConnections: options.keptConnections)
    let mailbox = Mailbox()
    self.mailbox = mailbox
    thread = Mutex(try LoopThread.start { Reactor(multi, mailbox, options).run() })
  }

  deinit { stop() }

  func submit(_ call: Call, _ continuation: CheckedContinuation<Outcome, Never>) {
    if !mailbox.submit(Submission(call: call, continuation: continuation)) {
      continuation.resume(returning: .failure(.shutDown))
    }
  }

  func cancel(_ call: Call) {
    call.cancel()
    mailbox.noteCancellation()
  }

  /// Returns when the thread has ended. On that very thread, called by a sink or `onSent`, it returns at once and
  /// the thread ends by itself.
  func stop() {
    mailbox.stop()
    guard let thread = thread.withLock({ $0.take() }) else { return }
    if pthread_equal(thread, pthread_self()) != 0 {
      pthread_detach(thread)
    } else {
      pthread_join(thread, nil)
    }
  }
}

extension HTTPError {
  static let shutDown = HTTPError(.cancelled, "the HTTP client was shut down")
}

/// A POSIX thread that runs a closure: curl's loop blocks, and must not hold one of Swift's own threads.
private enum LoopThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  static func start(_ body: @escaping @Sendable () -> Void) throws(CurlSetupError) -> pthread_t {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
        LoopThread.leaveSignalsToOthers()
        work.body()
        return nil
      }, work.toOpaque())
    guard code == 0 else {
      work.release()
      throw CurlSetupError(description: "starting a thread: \(String(cString: strerror(code)))")
    }
    return thread
  }

  /// Signals are the program's business, and a write to a closed connection must end in EPIPE, not SIGPIPE.
  private static func leaveSignalsToOthers() {
    var set = sigset_t()
    sigfillset(&set)
    for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { sigdelset(&set, fault) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }
}
