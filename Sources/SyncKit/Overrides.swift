import SyncConfig
import SyncEngine

/// What one run asks for over its profile: the options of `run` and `plan`.
public struct Overrides: Sendable {
  /// Another remote of the configuration.
  public var remote: String?
  public var comparesContent = false
  public var deletes: Bool?
  public var maxDelete: SyncConfig.DeleteLimit?
  public var isForced = false
  public var exclude: [String] = []
  public var include: [String] = []
  public var transfer = TransferOverrides()
  public var reportsUnchanged = false

  public init() {}
}

extension MirrorJob {
  /// A profile of the configuration, with what this run asks for, as the engine takes it.
  init(
    _ profile: Profile, to remote: Remote<any BackendConfiguration>, at target: Target,
    in configuration: Configuration<any BackendConfiguration>, _ overrides: Overrides
  ) throws(PatternError) {
    let filter = try PathFilter(
      exclude: profile.exclude + overrides.exclude, include: profile.include + overrides.include)
    self.init(
      profile: profile.name, remote: remote.name,
      directories: profile.directories.map {
        MirrorDirectory(source: $0.path, keyPrefix: ObjectKey(remote.prefix + $0.prefix))
      },
      filter: filter,
      identity: ManifestIdentity(
        kind: target.kind, endpoint: target.endpoint, bucket: target.bucket, prefix: remote.prefix),
      stateDirectory: configuration.stateDirectory)
    symlinks = SyncEngine.SymlinkPolicy(profile.symlinks)
    deletes = overrides.deletes ?? profile.delete
    deleteLimit = SyncEngine.DeleteLimit(overrides.maxDelete ?? profile.maxDelete)
    isForced = overrides.isForced
    refusesEmptySource = profile.require.notEmpty
    sentinel = profile.require.sentinel
    comparesContent = overrides.comparesContent
    reportsUnchanged = overrides.reportsUnchanged
    transfer = TransferOptions(
      configuration.transfer(for: profile, remote: remote, options: overrides.transfer))
  }
}

extension TransferOptions {
  fileprivate init(_ settings: TransferSettings) {
    self.init()
    partSize = settings.partSize
    multipartThreshold = settings.multipartThreshold
    concurrency = settings.concurrency
    attempts = settings.retries.map { $0 + 1 }
    wholeMD5 = settings.wholeMD5
  }
}

extension SyncEngine.DeleteLimit {
  fileprivate init(_ limit: SyncConfig.DeleteLimit) {
    switch limit {
    case .count(let count): self = .count(Int64(count))
    case .percent(let percent): self = .percent(percent)
    }
  }
}

extension SyncEngine.SymlinkPolicy {
  fileprivate init(_ policy: SyncConfig.SymlinkPolicy) {
    switch policy {
    case .skip: self = .skip
    case .follow: self = .follow
    case .followInside: self = .followInside
    }
  }
}
