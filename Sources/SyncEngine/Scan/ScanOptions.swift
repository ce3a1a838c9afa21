import Glibc

/// How a source is scanned.
public struct ScanOptions: Sendable {
  public var filter: PathFilter
  public var symlinks: SymlinkPolicy
  /// Obey the `.syncignore` files in the source.
  public var readsIgnoreFiles: Bool
  /// How many threads read directories, the calling one included; at least 1.
  public var threads: Int
  /// A directory with more entries is sorted in runs on disk, so that memory stays bounded; at least 1.
  public var entriesInMemory: Int
  /// Where the runs go. Their files have no names, so nothing is left behind even by a crash.
  public var temporaryDirectory: String

  public init(
    filter: PathFilter = PathFilter(), symlinks: SymlinkPolicy = .skip, readsIgnoreFiles: Bool = true,
    threads: Int = 2, entriesInMemory: Int = 100_000, temporaryDirectory: String? = nil
  ) {
    self.filter = filter
    self.symlinks = symlinks
    self.readsIgnoreFiles = readsIgnoreFiles
    self.threads = threads
    self.entriesInMemory = entriesInMemory
    self.temporaryDirectory = temporaryDirectory ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }
}
