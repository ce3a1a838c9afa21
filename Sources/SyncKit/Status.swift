import SyncBackend
import SyncConfig
import SyncEngine
import SyncManifest

/// What is known of a profile without asking the remote: `sync status`.
public struct ProfileStatus: Sendable {
  public var profile: String
  public var remote: String
  /// Newest first.
  public var runs: [RunRecord]
  public var objects: Int64
  public var bytes: Int64
  /// Touched by a run that was interrupted: the next run looks at them again.
  public var inDoubt: Int64
  public var uploads: [PendingUpload]

  /// When the last run that mirrored everything ended, in nanoseconds since 1970. It may be older than `runs`.
  public var lastComplete: Int64?
}

/// A multipart upload that waits to be resumed.
public struct PendingUpload: Sendable {
  public var key: [UInt8]
  public var size: Int64
  public var sent: Int64
  /// Nanoseconds since 1970.
  public var begun: Int64
}

extension Session {
  /// - Throws: `ConfigurationError`, or `ManifestError` where the manifest can't be read.
  public func status(of name: String, remote: String? = nil, runs: Int = 5) throws -> ProfileStatus {
    var overrides = Overrides()
    overrides.remote = remote
    let (job, _) = try job(name, overrides)
    var status = ProfileStatus(
      profile: name, remote: job.remote, runs: [], objects: 0, bytes: 0, inDoubt: 0, uploads: [])
    guard
      let manifest = try Manifest.openExisting(stateDirectory: job.stateDirectory, identity: job.identity)
    else { return status }
    defer { try? manifest.close() }
    status.runs = try manifest.lastRuns(profile: name, limit: runs)
    status.lastComplete = try manifest.lastRuns(profile: name, status: 0, limit: 1).first?.finishedAt
    for directory in job.directories {
      let mapping = try manifest.existingMapping(
        source: Array(directory.source.utf8), keyPrefix: directory.keyPrefix.bytes)
      guard let mapping else { continue }
      let totals = try manifest.totals(of: mapping)
      status.objects += totals.objects
      status.bytes += totals.bytes
      status.inDoubt += totals.inDoubt
      status.uploads += try manifest.uploads(of: mapping).map { upload in
        PendingUpload(
          key: upload.key, size: upload.stamp.size,
          sent: try manifest.parts(of: upload.id).reduce(0) { $0 + $1.size }, begun: upload.intendedAt)
      }
    }
    return status
  }
}
