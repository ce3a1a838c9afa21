import SyncBackend
import SyncManifest

/// A fact about a run. The progress bar, the JSON lines, the log and the report read the same facts.
public enum Event: Sendable {
  case runStarted(RunStarted)
  case planned(PlannedAction)
  case uploadStarted(UploadStarted)
  /// Follows the part's durable record.
  case partUploaded(PartUploaded)
  /// Follows the row's durable record.
  case uploadFinished(UploadFinished)
  case deleted(Deleted)
  case retry(Retried)
  case failed(Failure)
  /// The only event that may be dropped: a newer one replaces an older that nobody has read yet.
  case progress(Progress)
  /// Always the last.
  case runFinished(RunSummary)
}

public struct RunStarted: Sendable {
  public var profile: String
  public var remote: String
  public var isDryRun: Bool
}

public struct PlannedAction: Sendable {
  public enum Action: String, Sendable { case upload, delete, skip, touch }

  public var action: Action
  /// Relative to the mapped directory, as bytes.
  public var path: [UInt8]
  public var key: [UInt8]
  public var size: Int64
  /// In words: `new`, `size 10 → 12`, `content`, `gone here` …
  public var reason: String
}

public struct UploadStarted: Sendable {
  public var path: [UInt8]
  public var key: [UInt8]
  public var size: Int64
  /// 0 for one put.
  public var parts: Int
  /// Parts that the remote has from an earlier run.
  public var resumedParts: Int
}

public struct PartUploaded: Sendable {
  public var path: [UInt8]
  public var key: [UInt8]
  public var number: Int
  public var parts: Int
  public var size: Int64
}

public struct UploadFinished: Sendable {
  public var path: [UInt8]
  public var key: [UInt8]
  public var size: Int64
  public var digest: StoredDigest
  public var etag: String?
  public var version: String?
  public var url: String?
  public var seconds: Double
  public var resumedParts: Int
}

public struct Deleted: Sendable {
  public var path: [UInt8]
  public var key: [UInt8]
}

public struct Retried: Sendable {
  public var operation: String
  public var key: [UInt8]
  /// The attempt that failed, from 1.
  public var attempt: Int
  public var delay: Duration
  public var error: BackendError
}

public struct Failure: Sendable {
  public var path: [UInt8]
  public var key: [UInt8]
  /// A stable word: a `BackendError.Kind`, or `unreadable`, `changed`, `refused_name` …
  public var code: String
  public var message: String
  /// A later run may succeed without anything being mended.
  public var isRetryable: Bool
}

public struct Progress: Sendable {
  public struct ActiveFile: Sendable {
    public var path: [UInt8]
    public var sent: Int64
    public var size: Int64
  }

  public var files: Int64
  public var totalFiles: Int64
  public var bytes: Int64
  public var totalBytes: Int64
  public var seconds: Double
  public var active: [ActiveFile]
}

/// What a run did, counted.
public struct RunSummary: Sendable {
  public var profile: String
  public var remote: String
  public var isDryRun: Bool
  /// What was planned; where a guard refused it, nothing of it was done.
  public var plan = PlanTotals()
  public var uploaded: Int64 = 0
  public var uploadedBytes: Int64 = 0
  public var deleted: Int64 = 0
  public var touched: Int64 = 0
  public var unchanged: Int64 = 0
  public var failed: Int64 = 0
  /// Left alone: excluded, skipped symlinks, special files.
  public var hidden: HiddenCounts = HiddenCounts()
  /// Gone here, but deleting is off.
  public var kept: Int64 = 0
  public var resumedParts: Int64 = 0
  public var seconds: Double = 0
  public var remoteRequests: [String: Int] = [:]
  /// The exit status that the run asks for.
  public var status: Int = 0

  public init(profile: String, remote: String, isDryRun: Bool) {
    self.profile = profile
    self.remote = remote
    self.isDryRun = isDryRun
  }

  public var requests: Int { remoteRequests.values.reduce(0, +) }
}

/// Entries that a scan saw and did not mirror.
public struct HiddenCounts: Sendable, Equatable {
  public var excluded: Int64 = 0
  public var symlinks: Int64 = 0
  public var specialFiles: Int64 = 0

  public init() {}
}
