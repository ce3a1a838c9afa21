import SyncBackend
import SyncManifest

/// What has to be mirrored, and how: a profile as the engine sees it.
public struct MirrorJob: Sendable {
  public var profile: String
  public var remote: String
  public var directories: [MirrorDirectory]
  public var filter: PathFilter
  public var symlinks: SymlinkPolicy = .skip
  /// What is gone here is deleted there.
  public var deletes = false
  public var deleteLimit: DeleteLimit = .percent(10)
  /// Past the guards against deleting by accident.
  public var isForced = false
  public var refusesEmptySource = true
  /// A file that must exist in every directory, relative to it.
  public var sentinel: String?
  /// Compares contents even where size and times agree.
  public var comparesContent = false
  /// Reports what is equal, too.
  public var reportsUnchanged = false
  public var transfer = TransferOptions()
  public var identity: ManifestIdentity
  public var stateDirectory: String

  public init(
    profile: String, remote: String, directories: [MirrorDirectory], filter: PathFilter,
    identity: ManifestIdentity, stateDirectory: String
  ) {
    self.profile = profile
    self.remote = remote
    self.directories = directories
    self.filter = filter
    self.identity = identity
    self.stateDirectory = stateDirectory
  }
}

/// A mapped source: files below `source` get the keys `keyPrefix` + their path.
public struct MirrorDirectory: Sendable, Hashable {
  /// Absolute.
  public var source: String
  /// The remote's prefix and the mapping's own; empty, or ends in `/`.
  public var keyPrefix: ObjectKey

  public init(source: String, keyPrefix: ObjectKey) {
    self.source = source
    self.keyPrefix = keyPrefix
  }
}

/// How many deletions a run may make; beyond it nothing is done at all.
public enum DeleteLimit: Sendable, Hashable {
  case count(Int64)
  /// Of what is mirrored; ten files are always allowed.
  case percent(Double)

  func allows(_ deletions: Int64, of mirrored: Int64) -> Bool {
    switch self {
    case .count(let limit): deletions <= limit
    case .percent(let percent): Double(deletions) <= max(10, Double(mirrored) * percent / 100)
    }
  }
}

/// How files are sent; nil leaves the choice to the engine.
public struct TransferOptions: Sendable, Hashable {
  /// Bytes.
  public var partSize: Int64?
  /// Files of at least this many bytes are sent in parts.
  public var multipartThreshold: Int64?
  /// Puts and parts under way at once.
  public var concurrency: Int?
  /// Attempts at one request.
  public var attempts: Int?
  /// Multipart objects carry the MD5 of their whole content as metadata.
  public var wholeMD5 = false

  public init() {}

  /// Enough to fill a long, fast line with small files; the buffers for it stay within a few MiB.
  public static let automaticConcurrency = 16

  var slots: Int { concurrency ?? TransferOptions.automaticConcurrency }
}
