import CCurl
import SyncHTTP

/// The work of a loop's thread: hands calls to curl, lets it move bytes, ends what is done, failed, silent for
/// too long or cancelled. Made and used on that thread alone.
final class Reactor {
  /// More handles than this are not kept; each costs some kilobytes.
  private static let spareHandles = 32

  private let multi: MultiHandle
  private let mailbox: Mailbox
  private let options: CurlOptions
  private let time = SuspendingClock()
  private var transfers: [EasyHandle.Pointer: Transfer] = [:]
  private var spare: [EasyHandle] = []
  /// Callers to be told, once nothing here refers to their body, file or sink any more.
  private var ended: [(CheckedContinuation<Outcome, Never>, Outcome)] = []

  init(_ multi: MultiHandle, _ mailbox: Mailbox, _ options: CurlOptions) {
    self.multi = multi
    self.mailbox = mailbox
    self.options = options
  }

  func run() {
    var goesOn = true
    while goesOn {
      goesOn = readMail()
      // Silence is judged by the time before curl moved bytes: what came meanwhile, say while a sink blocked
      // the thread, has then been seen.
      let now = time.now
      perform()
      endSilent(asOf: now)
      tellEnded()
      if goesOn { wait() }
    }
  }

  /// False when the loop is to stop; then no transfer is left.
  private func readMail() -> Bool {
    let mail = mailbox.collect()
    for submission in mail.submissions {
      if mail.isStopping {
        ended.append((submission.continuation, .failure(.shutDown)))
      } else {
        start(submission)
      }
    }
    if mail.isStopping {
      for easy in transfers.keys { end(easy) { _ in .failure(.shutDown) } }
    } else if mail.hasCancellations {
      for (easy, transfer) in transfers where transfer.call.isCancelled {
        end(easy) { .failure($0.located(HTTPError(.cancelled, "cancelled"))) }
      }
    }
    return !mail.isStopping
  }

  private func start(_ submission: Submission) {
    if submission.call.isCancelled {
      return ended.append(
        (submission.continuation, .failure(HTTPError(.cancelled, "cancelled before it was sent"))))
    }
    guard let easy = spare.popLast() ?? EasyHandle() else {
      return ended.append(
        (submission.continuation, .failure(HTTPError(.unreachable, "libcurl is out of memory"))))
    }
    let transfer = Transfer(submission, on: easy, options, now: time.now)
    transfers[easy.pointer] = transfer
    guard easy.refusal == CURLE_OK else {
      return end(easy.pointer) { $0.outcome(of: easy.refusal) }
    }
    let added = curl_multi_add_handle(multi.pointer, easy.pointer)
    if added != CURLM_OK { end(easy.pointer) { .failure($0.located(Reactor.error(added))) } }
  }

  private func perform() {
    var running: CInt = 0
    let code = curl_multi_perform(multi.pointer, &running)
    var result = CURLE_OK
    while let easy = ccurl_multi_next_done(multi.pointer, &result) {
      end(easy) { $0.outcome(of: result) }
    }
    if code != CURLM_OK { endAll(code) }
  }

  private func endSilent(asOf before: StallClock.Instant) {
    let now = time.now
    for (easy, transfer) in transfers {
      transfer.observe(at: now)
      if let failure = transfer.clock.failure(at: before) {
        end(easy) { .failure($0.located(failure)) }
      }
    }
  }

  /// Sleeps until curl or the mailbox has something to do, or someone's patience ends.
  private func wait() {
    guard mailbox.fallAsleep(on: multi) else { return }
    var timeout = Int(Int32.max)
    if let next = transfers.values.compactMap(\.clock.deadline).min() {
      timeout = time.now.duration(to: next).milliseconds
    }
    let code = curl_multi_poll(multi.pointer, nil, 0, CInt(timeout), nil)
    if code != CURLM_OK { endAll(code) }
  }

  /// curl itself has failed, not a transfer.
  private func endAll(_ code: CURLMcode) {
    for easy in transfers.keys { end(easy) { .failure($0.located(Reactor.error(code))) } }
  }

  private static func error(_ code: CURLMcode) -> HTTPError {
    HTTPError(.broken, String(cString: curl_multi_strerror(code)))
  }

  /// Takes the handle out of curl's hands (which closes its connection unless the transfer is complete), asks
  /// for the outcome and lets go of the transfer.
  private func end(_ easy: EasyHandle.Pointer, _ outcome: (Transfer) -> Outcome) {
    guard let transfer = transfers.removeValue(forKey: easy) else { return }
    let result = outcome(transfer)
    curl_multi_remove_handle(multi.pointer, easy)
    ended.append((transfer.submission.continuation, result))
    transfer.easy.reset()
    if spare.count < Reactor.spareHandles { spare.append(transfer.easy) }
  }

  private func tellEnded() {
    for (continuation, outcome) in ended { continuation.resume(returning: outcome) }
    ended.removeAll(keepingCapacity: true)
  }
}
