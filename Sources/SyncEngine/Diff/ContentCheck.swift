import Digests
import SyncBackend
import SyncManifest

/// Compares the content of files whose times (or `--checksum`) leave it open, many at once: what is the same only
/// has its row touched, what differs is uploaded.
struct ContentCheck: Sendable {
  /// Files hashed at once, so that every lane of the digest service has one.
  private static let width = 32

  let sources: [SourceDirectory]
  let symlinks: SymlinkPolicy
  let manifest: Manifest
  let digests: DigestService
  let blocking: BlockingWork
  let spool: ChangeSpool

  func run() async throws {
    let reader = SpoolReader(spool, [.check], order: .key, blocking)
    try await concurrently(atMost: ContentCheck.width) {
      try await reader.next()
    } _: { change in
      try await verdict(change)
    } collect: { verdict in
      try spool.update(verdict.id, action: verdict.action, reason: verdict.reason)
    }
  }

  private struct Verdict: Sendable {
    var id: Int64
    var action: SpooledChange.Action
    var reason: String
  }

  private func verdict(_ change: SpooledChange) async throws -> Verdict {
    do {
      guard let row = try manifest.row(for: change.key), try await isSame(change, row) else {
        return Verdict(id: change.id, action: .upload, reason: "content")
      }
      let isAsRecorded = row.stamp == change.stamp
      let reason = isAsRecorded ? "same content, read again to be sure" : "same content, other times"
      return Verdict(id: change.id, action: .touch, reason: reason)
    } catch let error as SourceError {
      return Verdict(id: change.id, action: .conflict, reason: "it can't be read: \(error)")
    } catch DigestError.unreadable(let code) {
      return Verdict(id: change.id, action: .conflict, reason: "it can't be read: \(systemMessage(code))")
    } catch DigestError.endedEarly {
      return Verdict(id: change.id, action: .upload, reason: "content")
    } catch DigestError.cancelled {
      throw CancellationError()
    }
  }

  private func isSame(_ change: SpooledChange, _ row: ManifestRow) async throws -> Bool {
    let (directory, symlinks) = (sources[change.directory], symlinks)
    let source = try await blocking.run {
      let (file, stamp) = try directory.open(change.path, symlinks: symlinks)
      return SourceFile(file: file, stamp: stamp)
    }
    guard source.stamp == change.stamp else { return false }
    let found = try await digest(of: source, like: row.digest)
    return found == row.digest && source.isUnchanged
  }

  /// In the form that the row has it.
  private func digest(of source: SourceFile, like stored: StoredDigest) async throws -> StoredDigest {
    guard case .md5OfParts(_, let partSize) = stored else {
      return .md5(try await digests.md5(of: source.whole))
    }
    let plan = UploadPlan(
      key: ObjectKey(""), size: source.stamp.size, partSize: partSize, options: ObjectOptions())
    var numbers = (1...max(1, plan.partCount)).makeIterator()
    var parts: [Int: [UInt8]] = [:]
    try await concurrently(atMost: ContentCheck.width) {
      numbers.next()
    } _: { number in
      let (offset, length) = plan.range(ofPart: number)
      return (number, try await digests.md5(of: source.range(offset: offset, length: length)))
    } collect: {
      parts[$0.0] = $0.1
    }
    return .md5OfParts(MD5.hash(parts.sorted { $0.key < $1.key }.flatMap(\.value)), partSize: partSize)
  }
}
