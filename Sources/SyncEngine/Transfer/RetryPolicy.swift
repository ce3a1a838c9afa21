import SyncBackend
import Synchronization

/// When a failed attempt is worth another, and after how long. The only place that decides so.
///
/// Exponential backoff with full jitter (a pause is uniform between zero and its bound), as the AWS SDKs do it;
/// Retry-After is obeyed; all calls of a run share one budget, so that a remote that is down is not hammered by
/// every file in turn.
struct RetryPolicy: Sendable {
  static let automaticAttempts = 8

  /// At one call, the first included.
  var attempts: Int
  var base: Duration = .milliseconds(500)
  var longest: Duration = .seconds(30)
  /// A longer Retry-After is cut to this.
  var longestAskedFor: Duration = .seconds(300)
  /// Repeats at once after the backend mended itself.
  var mends = 3

  /// - Parameter attempt: the one that failed, from 1.
  /// - Returns: nil where another attempt can't help.
  func pause(after error: BackendError, attempt: Int, mended: Int, random: Double) -> Duration? {
    switch error.retry {
    case .never, .restartUpload: return nil
    case .now: return mended < mends ? .zero : nil
    case .backoff: return attempt < attempts ? jittered(attempt, random) : nil
    case .after(let asked):
      return attempt < attempts ? min(max(asked, jittered(attempt, random)), longestAskedFor) : nil
    }
  }

  private func jittered(_ attempt: Int, _ random: Double) -> Duration {
    min(base * Double(1 << min(attempt - 1, 20)), longest) * random
  }
}

/// Repeats that all calls of a run may make together: each takes one, each success gives a part of one back.
final class RetryBudget: Sendable {
  private let capacity: Double
  private let left: Mutex<Double>

  init(capacity: Double = 200) {
    self.capacity = capacity
    left = Mutex(capacity)
  }

  func take() -> Bool {
    left.withLock { left in
      guard left >= 1 else { return false }
      left -= 1
      return true
    }
  }

  func giveBack() {
    left.withLock { $0 = min(capacity, $0 + 0.2) }
  }

  var isSpent: Bool { left.withLock { $0 < 1 } }
}
