import Synchronization

/// Hashes many sources at once on threads of its own.
///
/// Each thread has as many lanes as the CPU's vectors hold, and each lane works on one request, so the rate grows
/// with the number of requests that are under way together: keep as many coming as there are `lanes`. A thread keeps
/// 64 KiB for each lane, 2 MiB at most, from its first request to the shutdown.
public final class DigestService: Sendable {
  /// How many requests are hashed side by side.
  public let lanes: Int

  private let queue: DigestQueue
  private let threads: Mutex<[WorkerThread]>

  /// - Parameter threads: how many cores it may keep busy; at least 1.
  public convenience init(threads: Int = 1) {
    self.init(threads: threads, kernel: .fastest)
  }

  package init(threads: Int = 1, kernel: MD5Kernel) {
    let queue = DigestQueue()
    let started = (0..<max(1, threads)).compactMap { _ in
      WorkerThread { LaneWorker(kernel, queue).run() }
    }
    // Without any thread every request would wait for ever.
    if started.isEmpty { queue.close() }
    self.queue = queue
    self.threads = Mutex(started)
    lanes = kernel.lanes * max(1, started.count)
  }

  deinit { shutdown() }

  /// The digests of exactly `request.length` bytes.
  ///
  /// - Throws: `DigestError.endedEarly` and `.unreadable` as the source has it; `.cancelled` when the task is
  ///   cancelled or the service shut down. By then the source is no longer in use.
  public func digests(of request: DigestRequest) async throws(DigestError) -> DigestResult {
    let job = DigestJob()
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        guard job.wait(request, for: caller) else { return }
        if !queue.add(job) { job.cancel() }
      }
    } onCancel: {
      job.cancel()
    }
    return try answer.get()
  }

  /// Answers everything under way with `DigestError.cancelled` and returns when the threads have ended and their
  /// memory is free. Waits for a read that blocks. A second call does nothing.
  public func shutdown() {
    queue.close()
    let ended = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in ended { thread.join() }
  }
}
