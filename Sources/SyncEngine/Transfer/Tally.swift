import SyncBackend
import Synchronization

/// Counts what the tasks of a run have done.
final class Tally: Sendable {
  struct Counts: Sendable {
    var uploaded: Int64 = 0
    var uploadedBytes: Int64 = 0
    var deleted: Int64 = 0
    var touched: Int64 = 0
    var failed: Int64 = 0
    var resumedParts: Int64 = 0
    /// Failures that the remote alone is to blame for, and the last of them.
    var refusals: Int64 = 0
    var lastRefusal: BackendError?
  }

  private let counts = Mutex(Counts())

  var current: Counts { counts.withLock { $0 } }

  func add(_ change: (inout Counts) -> Void) {
    counts.withLock { change(&$0) }
  }
}
