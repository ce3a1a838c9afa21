import SyncBackend
import SyncManifest

/// Sends the parts of an upload that the remote lacks, many at once, each recorded when it is confirmed.
struct PartSender: Sendable {
  let transfer: MultipartTransfer
  let upload: OpenUpload

  private var context: TransferContext { transfer.context }

  /// - Returns: all parts in order, each with its MD5, and how many of them need not be sent.
  func send() async throws -> (parts: [Part], resumed: Int) {
    var parts = upload.known
    var resumed = parts.count
    var missing = (1...upload.plan.partCount).filter { parts[$0] == nil }[...]
    try await concurrently(atMost: window, { missing.popFirst() }, send) { sent in
      parts[sent.part.number] = sent.part
      resumed += sent.wasThere ? 1 : 0
    }
    return (parts.values.sorted { $0.number < $1.number }, resumed)
  }

  /// Twice the slots: while one half is sent, the other is being hashed.
  private var window: Int {
    guard let limits = context.capabilities.parts else { return 1 }
    if limits.order == .ascending { return 1 }
    return min(2 * context.slots.count, limits.concurrency ?? .max)
  }

  @Sendable private func send(_ number: Int) async throws -> (part: Part, wasThere: Bool) {
    let (offset, length) = upload.plan.range(ofPart: number)
    let range = transfer.source.range(offset: offset, length: length)
    let digests = try await context.digests(of: range, context.capabilities.partDigests.union([.md5]))
    guard let md5 = digests[.md5] else { throw TransferProblem.unreadable("part \(number) has no digest") }
    if let there = upload.unproven[number], there.size == length, there.md5 == md5 {
      try await record(there, md5)
      context.meter.sent(length, of: transfer.change.id)
      return (there, true)
    }
    var part = try await send(number, Payload(.file(range), digests: digests))
    if let stored = part.md5, stored != md5 {
      throw TransferProblem.corrupted("part \(number): the remote stored other bytes than were sent")
    }
    part.md5 = md5
    try await record(part, md5)
    return (part, false)
  }

  private func send(_ number: Int, _ payload: Payload) async throws -> Part {
    let attempt = ProgressMeter.Attempt(context.meter, transfer.change.id)
    let counted = Payload(payload.source, digests: payload.digests, onSent: { attempt.sent($0) })
    return try await transfer.attempt(.uploadPart) { [upload = upload.upload] backend throws(BackendError) in
      attempt.takeBack()
      return try await backend.uploadPart(number, payload: counted, of: upload)
    }
  }

  private func record(_ part: Part, _ md5: [UInt8]) async throws {
    let record = PartRecord(number: part.number, size: part.size, md5: md5, etag: part.etag)
    try await context.manifest.recordPart(record, of: upload.record)
    let change = transfer.change
    await context.events.send(
      .partUploaded(
        PartUploaded(
          path: change.path, key: change.key, number: part.number, parts: upload.plan.partCount,
          size: part.size)))
  }
}
