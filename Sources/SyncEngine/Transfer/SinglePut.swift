import SyncBackend
import SyncManifest

/// Sends a file as one object in one request.
struct SinglePut: Sendable {
  /// Up to here a file is read once, into memory: what was hashed is what is sent.
  static let largestInMemory: Int64 = 256 << 10

  let context: TransferContext
  let change: SpooledChange
  let source: SourceFile
  let begun: Double

  func run() async throws {
    await context.events.send(
      .uploadStarted(
        UploadStarted(
          path: change.path, key: change.key, size: source.stamp.size, parts: 0, resumedParts: 0)))
    let readAt = context.timing.now()
    let (info, md5) = try await send()
    let row = ManifestRow(
      key: change.key, stamp: source.stamp, readAt: readAt, digest: .md5(md5),
      optionsFingerprint: context.fingerprint.put, etag: info.reference.etag,
      version: info.reference.version, remoteID: info.reference.remoteID)
    try await context.manifest.recordMirrored(row, of: context.mappings[change.directory], finishing: nil)
    await context.upload(
      finished: change.key, path: change.path, row: row, info: info, begun: begun, resumed: 0)
  }

  private func send() async throws -> (ObjectInfo, md5: [UInt8]) {
    var payload = try await payload()
    guard let md5 = payload.digests[.md5] else { throw TransferProblem.unreadable("it has no digest") }
    let attempt = ProgressMeter.Attempt(context.meter, change.id)
    payload.onSent = { attempt.sent($0) }
    let (ready, key) = (payload, ObjectKey(String(decoding: change.key, as: UTF8.self)))
    do {
      let info = try await context.attempt(.put, key) { backend throws(BackendError) in
        attempt.takeBack()
        return try await backend.put(ready, to: key, options: ObjectOptions())
      }
      try prove(info, md5: md5, of: ready)
      return (info, md5)
    } catch TransferProblem.backend(_) where !source.isUnchanged {
      // A refused digest most often means that the file was written to between hashing and sending.
      throw TransferProblem.changedWhileRead
    }
  }

  /// The digests are of the very bytes that will be sent, or the file is caught changing.
  private func payload() async throws -> Payload {
    let wanted = context.capabilities.putDigests.union([.md5])
    if source.stamp.size <= SinglePut.largestInMemory {
      let bytes = try await context.blocking.run { [source] in
        guard let bytes = source.whole.bytes(), source.isUnchanged else {
          throw TransferProblem.changedWhileRead
        }
        return bytes
      }
      return Payload(.bytes(bytes), digests: DigestSet(of: bytes, wanted))
    }
    let digests = try await context.digests(of: source.whole, wanted)
    guard source.isUnchanged else { throw TransferProblem.changedWhileRead }
    return Payload(.file(source.whole), digests: digests)
  }

  private func prove(_ info: ObjectInfo, md5: [UInt8], of payload: Payload) throws {
    if let content = info.content, content != .md5(md5) {
      throw TransferProblem.corrupted(
        "the remote stored other bytes than were sent; the object is not recorded, the next run sends it again"
      )
    }
    // A range of the file was read twice, to hash and to send: the remote checked the digest where it does so,
    // and a change in between shows here.
    if case .file = payload.source, !source.isUnchanged { throw TransferProblem.changedWhileRead }
  }
}
