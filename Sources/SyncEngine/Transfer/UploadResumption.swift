import SyncBackend
import SyncManifest

/// Goes on with an upload that an earlier process left, as far as the file and the remote bear it out.
struct UploadResumption: Sendable {
  enum Outcome {
    /// Nothing to go on with; what was left has been cleared away.
    case none
    case open(OpenUpload)
    /// It had been completed; only the record was missing.
    case completed(OpenUpload, ObjectInfo, ContentDigest)
  }

  let transfer: MultipartTransfer

  private var context: TransferContext { transfer.context }

  func resume() async throws -> Outcome {
    guard let record = try context.manifest.upload(for: transfer.change.key) else { return .none }
    guard let id = record.uploadID, fits(record) else {
      try await context.forgetUpload(of: transfer.change.key)
      return .none
    }
    let plan = UploadPlan(
      key: transfer.key, size: record.stamp.size, partSize: record.partSize, options: ObjectOptions())
    var upload = OpenUpload(
      record: record.id, upload: Upload(key: transfer.key, id: id, plan: plan), plan: plan)
    guard let recorded = try await provenParts(of: record, plan) else {
      try await context.forgetUpload(of: transfer.change.key)
      return .none
    }
    do {
      try await reconcile(&upload, with: recorded)
      return .open(upload)
    } catch TransferProblem.backend(let error) where error.kind == .uploadGone {
      return try await completedBefore(upload, recorded)
    }
  }

  /// Another size, other options or a part size that the remote doesn't take: another upload. So is another stamp
  /// where the MD5 of the whole went along with begin: parts that weren't sent yet may have changed.
  private func fits(_ record: UploadRecord) -> Bool {
    guard let limits = context.capabilities.parts else { return false }
    let count = (record.stamp.size + record.partSize - 1) / record.partSize
    return record.stamp.size == transfer.source.stamp.size && count <= limits.maximumCount
      && record.optionsFingerprint == context.fingerprint.multipart
      && (!transfer.storesWholeMD5 || record.stamp == transfer.source.stamp)
  }

  /// The recorded parts, if they are still what the file holds. Where the file's stamp has moved, or would not tell a
  /// change since the upload began, they are hashed again: a changed mode or a restored copy doesn't cost the upload,
  /// changed content does.
  private func provenParts(of record: UploadRecord, _ plan: UploadPlan) async throws -> [PartRecord]? {
    let parts = try context.manifest.parts(of: record.id)
    let isSure = record.stamp == transfer.source.stamp && !record.stamp.isRacy(readAt: record.intendedAt)
    if isSure { return parts }
    var rest = parts[...]
    var areEqual = true
    try await concurrently(atMost: context.slots.count) {
      areEqual ? rest.popFirst() : nil
    } _: { part in
      let (offset, length) = plan.range(ofPart: part.number)
      let range = transfer.source.range(offset: offset, length: length)
      return try await context.digests(of: range, [.md5])[.md5] == part.md5
    } collect: {
      areEqual = areEqual && $0
    }
    guard areEqual else { return nil }
    try await context.manifest.restampUpload(record.id, transfer.source.stamp)
    return parts
  }

  private func reconcile(_ upload: inout OpenUpload, with recorded: [PartRecord]) async throws {
    let byNumber = Dictionary(recorded.map { ($0.number, $0) }) { $1 }
    var token: PageToken?
    repeat {
      let page = try await transfer.attempt(.listParts) { [upload, token] backend throws(BackendError) in
        try await backend.listParts(of: upload.upload, after: token)
      }
      for part in page.items {
        if let mine = byNumber[part.number], mine.etag == part.etag, mine.size == part.size {
          var known = part
          known.md5 = mine.md5
          upload.known[part.number] = known
        } else {
          upload.unproven[part.number] = part
        }
      }
      token = page.next
    } while token != nil
  }

  /// The remote doesn't know the upload: it was aborted there, or completed by a process that could not record it.
  private func completedBefore(_ upload: OpenUpload, _ recorded: [PartRecord]) async throws -> Outcome {
    if recorded.count == upload.plan.partCount {
      let parts = recorded.map { Part(number: $0.number, size: $0.size, etag: $0.etag, md5: $0.md5) }
      let digest = ContentDigest(ofParts: parts)
      if let info = try await ObjectProof(transfer: transfer, digest: digest).find() {
        var completed = upload
        completed.known = Dictionary(uniqueKeysWithValues: parts.map { ($0.number, $0) })
        return .completed(completed, info, digest)
      }
    }
    try await context.manifest.removeUpload(upload.record)
    return .none
  }
}
