import SyncBackend
import SyncManifest

/// Completes an upload and proves that the object is the file.
struct UploadCompletion: Sendable {
  let transfer: MultipartTransfer
  let upload: OpenUpload
  let parts: [Part]
  let digest: ContentDigest

  func complete() async throws -> ObjectInfo {
    let summary = ContentSummary(size: upload.plan.size, digest: digest)
    do {
      let info = try await transfer.attempt(.completeUpload) { [upload, parts] backend throws(BackendError) in
        try await backend.completeUpload(upload.upload, parts: parts, content: summary)
      }
      return try await prove(info)
    } catch TransferProblem.backend(let error) where error.kind == .uploadGone {
      // An earlier attempt may have completed it and its answer was lost: the object tells.
      let proof = ObjectProof(transfer: transfer, digest: digest)
      guard let info = try await proof.find() else { throw TransferProblem.backend(error) }
      return info
    }
  }

  /// The remote said that the object is complete; where its answer states the content, it must be ours.
  private func prove(_ answer: ObjectInfo) async throws -> ObjectInfo {
    var info = answer
    if info.content == nil {
      // Some stores say nothing here (Ceph gives an empty ETag), but answer a question about the object.
      let reference = answer.reference
      info =
        try await transfer.attempt(.stat) { backend throws(BackendError) in try await backend.stat(reference)
        }
        ?? answer
      info.url = info.url ?? answer.url
      info.reference.version = info.reference.version ?? answer.reference.version
    }
    let isOther = info.content.map { ObjectProof.compare($0, digest) == .other } ?? false
    guard !isOther, info.size ?? upload.plan.size == upload.plan.size else {
      throw TransferProblem.corrupted(
        "the completed object is not the file; it is not recorded, the next run sends it again")
    }
    return info
  }
}

/// Whether the object that the remote has is the one that an upload should have made. Equal size is no proof.
struct ObjectProof: Sendable {
  enum Verdict { case same, other, unknown }

  let transfer: MultipartTransfer
  let digest: ContentDigest

  /// - Returns: the object, where it is proven to be ours.
  func find() async throws -> ObjectInfo? {
    let reference = ObjectReference(transfer.key)
    let found = try await transfer.attempt(.stat) { backend throws(BackendError) in
      try await backend.stat(reference)
    }
    guard let found, let content = found.content, found.size == transfer.source.stamp.size else { return nil }
    switch ObjectProof.compare(content, digest) {
    case .same: return found
    case .other: return nil
    case .unknown:
      // The store tells the plain MD5 (rclone does): reading the file once more is cheaper than sending it.
      let whole = try await transfer.context.digests(of: transfer.source.whole, [.md5])
      return whole[.md5].map(ContentDigest.md5) == content ? found : nil
    }
  }

  static func compare(_ found: ContentDigest, _ expected: ContentDigest) -> Verdict {
    switch (found, expected) {
    case (.md5, .md5), (.md5OfParts, .md5OfParts): found == expected ? .same : .other
    default: .unknown
    }
  }
}
