import Digests
import SyncBackend
import SyncManifest
import Synchronization

/// Sends a file in parts: intent → begin → parts → complete → prove → record. Exists once, for every backend.
///
/// Each step is durable before the next begins, so any later process goes on where this one was killed:
/// - an intent without an upload ID is resolved by listing the uploads of exactly that key;
/// - parts that the remote has are proven against the file and not sent again;
/// - a completion whose answer or record was lost is proven by the object itself.
struct MultipartTransfer: Sendable {
  /// An upload that the remote has forgotten, or that must begin again, is begun this often within a run.
  private static let beginnings = 3

  let context: TransferContext
  let change: SpooledChange
  let source: SourceFile
  let partSize: Int64
  let begun: Double

  var key: ObjectKey { ObjectKey(String(decoding: change.key, as: UTF8.self)) }

  func run() async throws {
    var beginning = 1
    while true {
      do {
        return try await send()
      } catch TransferProblem.backend(let error)
        where (error.retry == .restartUpload || error.kind == .uploadGone)
        && beginning < MultipartTransfer.beginnings
      {
        beginning += 1
        try await context.forgetUpload(of: change.key)
      }
    }
  }

  private func send() async throws {
    let readAt = context.timing.now()
    let resumption = UploadResumption(transfer: self)
    switch try await resumption.resume() {
    case .completed(let upload, let info, let digest):
      try await record(info, digest, of: upload, readAt: readAt, resumed: upload.known.count)
    case .open(let upload):
      try await finish(upload, readAt: readAt)
    case .none:
      try await finish(try await begin(), readAt: readAt)
    }
  }

  private func begin() async throws -> OpenUpload {
    let options = try await options()
    let plan = UploadPlan(key: key, size: source.stamp.size, partSize: partSize, options: options)
    let intent = UploadRecord(
      key: change.key, stamp: source.stamp, partSize: partSize,
      optionsFingerprint: context.fingerprint.multipart, intendedAt: context.timing.now())
    let id = try await context.manifest.recordIntent(intent, of: context.mappings[change.directory])
    let attempts = Atomic(0)
    let upload = try await attempt(.beginUpload) { backend throws(BackendError) in
      attempts.add(1, ordering: .relaxed)
      return try await backend.beginUpload(plan)
    }
    if attempts.load(ordering: .relaxed) > 1 {
      // One that failed may have begun an upload all the same, its answer lost. The intent stands for it until here.
      try await context.abortUploads(of: key, since: intent.intendedAt, but: upload.id)
    }
    try await context.manifest.recordBegun(id, uploadID: upload.id)
    return OpenUpload(record: id, upload: upload, plan: plan)
  }

  /// `whole_md5`: rclone's name for the MD5 of a multipart object's content, in base64.
  private func options() async throws -> ObjectOptions {
    guard storesWholeMD5 else { return ObjectOptions() }
    guard let md5 = try await context.digests(of: source.whole, [.md5])[.md5] else { return ObjectOptions() }
    return ObjectOptions(metadata: ["md5chksum": base64Text(md5)])
  }

  var storesWholeMD5: Bool { context.job.transfer.wholeMD5 && context.capabilities.storesMetadata }

  private func finish(_ upload: OpenUpload, readAt: Int64) async throws {
    let plan = upload.plan
    await context.events.send(
      .uploadStarted(
        UploadStarted(
          path: change.path, key: change.key, size: plan.size, parts: plan.partCount,
          resumedParts: upload.known.count)))
    context.meter.sent(upload.known.values.reduce(0) { $0 + $1.size }, of: change.id)
    let (parts, resumed) = try await PartSender(transfer: self, upload: upload).send()
    // Not completed where the file has changed: nothing torn is ever published.
    guard source.isUnchanged else { throw TransferProblem.changedWhileRead }
    let digest = ContentDigest(ofParts: parts)
    let info = try await UploadCompletion(transfer: self, upload: upload, parts: parts, digest: digest)
      .complete()
    try await record(info, digest, of: upload, readAt: readAt, resumed: resumed)
  }

  private func record(
    _ info: ObjectInfo, _ digest: ContentDigest, of upload: OpenUpload, readAt: Int64, resumed: Int
  ) async throws {
    guard case .md5OfParts(let value, _) = digest else { return }
    let row = ManifestRow(
      key: change.key, stamp: source.stamp, readAt: readAt,
      digest: .md5OfParts(value, partSize: upload.plan.partSize),
      optionsFingerprint: context.fingerprint.multipart, etag: info.reference.etag,
      version: info.reference.version, remoteID: info.reference.remoteID)
    try await context.manifest.recordMirrored(
      row, of: context.mappings[change.directory], finishing: upload.record)
    await context.upload(
      finished: change.key, path: change.path, row: row, info: info, begun: begun, resumed: resumed)
  }

  /// A call to the backend in a slot of the run, its error as a problem of this file.
  func attempt<Result: Sendable>(
    _ verb: RemoteVerb, _ body: @escaping @Sendable (any Backend) async throws(BackendError) -> Result
  ) async throws -> Result {
    do {
      return try await context.attempt(verb, key, body)
    } catch TransferProblem.backend(_) where !source.isUnchanged {
      throw TransferProblem.changedWhileRead
    }
  }
}

/// An upload that the remote knows, with the parts that it need not be sent again.
struct OpenUpload: Sendable {
  /// Of the manifest's record.
  let record: Int64
  let upload: Upload
  let plan: UploadPlan
  /// By number: recorded here, confirmed by the remote, and true of the file as it is.
  var known: [Int: Part] = [:]
  /// By number: on the remote but not recorded here, for the process was killed in between. They count once the
  /// file's own digest agrees.
  var unproven: [Int: Part] = [:]
}

extension ContentDigest {
  /// MD5 of the parts' MD5s, in order.
  init(ofParts parts: [Part]) {
    var all = MD5()
    for part in parts { all.update(part.md5 ?? []) }
    self = .md5OfParts(all.finish(), count: parts.count)
  }
}
