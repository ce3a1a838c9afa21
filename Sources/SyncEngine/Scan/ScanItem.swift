import SyncManifest

/// What a scan met at a path.
public enum ScanItem: Sendable, Hashable {
  /// A file to mirror.
  case file(FileStamp)
  /// Something that is there and is not mirrored. What is recorded at the path (below it, for a tree) is hidden,
  /// not gone.
  case hidden(HiddenReason, isTree: Bool)
  /// Something that could not be looked at: hidden too, and a failure.
  case unreadable(errno: CInt, isTree: Bool)
}

/// Why something is not mirrored.
public enum HiddenReason: Sendable, Hashable {
  /// The patterns say so.
  case excluded
  /// A symbolic link that the policy does not follow, or one that leads nowhere.
  case symlink
  /// A FIFO, socket or device.
  case specialFile
}

/// What a scan met, in numbers.
public struct ScanSummary: Sendable, Hashable {
  /// Everything in the directories that were read, mirrored or not: 0 tells an empty source.
  public var entriesSeen: Int64 = 0
  /// Files to mirror, and their bytes.
  public var files: Int64 = 0
  public var bytes: Int64 = 0
  /// Directories that were read, the source itself not counted.
  public var directories: Int64 = 0
  /// Files and whole directories that the patterns leave out.
  public var excluded: Int64 = 0
  public var skippedSymlinks: Int64 = 0
  public var specialFiles: Int64 = 0
  public var unreadable: Int64 = 0

  public init() {}

  mutating func count(_ item: ScanItem) {
    switch item {
    case .file(let stamp):
      files += 1
      bytes += stamp.size
    case .hidden(.excluded, _): excluded += 1
    case .hidden(.symlink, _): skippedSymlinks += 1
    case .hidden(.specialFile, _): specialFiles += 1
    case .unreadable: unreadable += 1
    }
  }
}
