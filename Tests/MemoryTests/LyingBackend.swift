import Memory
import SyncBackend

/// A backend that breaks one promise, to show that the suite notices.
struct LyingBackend: Backend {
  enum Lie: String, CaseIterable {
    case putChangesBytes
    case putDoesNotReplace
    case putTakesWrongDigest
    case putLosesMetadata
    case putAnswersAnotherETag
    case statInventsObjects
    case readIgnoresRanges
    case readIsEmptyWhereMissing
    case listStopsAfterFirstPage
    case listIsReversed
    case listTakesPrefixForFolder
    case listNeverEnds
    case deleteDoesNothing
    case deleteFailsWhereMissing
    case deleteTakesPrefix
    case keysAreFolded
    case partsKeepTheFirst
    case partsAreNotListed
    case completeIgnoresOrder
    case completeTakesWhatIsThere
    case abortForgetsNothing
    case abortFailsTwice
    case uploadsAreNotListed
    case cancellationIsIgnored
  }

  let lie: Lie
  let memory: MemoryBackend

  var capabilities: Capabilities { memory.capabilities }

  private func stored(_ key: ObjectKey) -> ObjectKey {
    lie == .keysAreFolded ? ObjectKey(key.text.lowercased()) : key
  }

  func put(
    _ payload: Payload, to key: ObjectKey, options: ObjectOptions
  ) async throws(BackendError) -> ObjectInfo {
    var payload = payload
    var options = options
    if lie == .putTakesWrongDigest { payload.digests = DigestSet() }
    if lie == .putLosesMetadata { options = ObjectOptions() }
    if lie == .putChangesBytes, case .bytes(let bytes) = payload.source, let first = bytes.first {
      payload = Payload(.bytes([first ^ 1] + bytes.dropFirst()))
    }
    if lie == .putDoesNotReplace, let old = try await memory.stat(ObjectReference(key)) { return old }
    if lie == .cancellationIsIgnored {
      let kept = (payload, options)
      let answer = await Task { try? await memory.put(kept.0, to: key, options: kept.1) }.value
      if let answer { return answer }
    }
    var info = try await memory.put(payload, to: stored(key), options: options)
    info.reference.key = key
    if lie == .putAnswersAnotherETag { info.reference.etag = "another" }
    return info
  }

  func beginUpload(_ plan: UploadPlan) async throws(BackendError) -> Upload {
    try await memory.beginUpload(plan)
  }

  func uploadPart(_ number: Int, payload: Payload, of upload: Upload) async throws(BackendError) -> Part {
    if lie == .partsKeepTheFirst,
      let old = try await memory.listParts(of: upload, after: nil).items.first(where: { $0.number == number })
    {
      return old
    }
    return try await memory.uploadPart(number, payload: payload, of: upload)
  }

  func listParts(of upload: Upload, after: PageToken?) async throws(BackendError) -> Page<Part> {
    let page = try await memory.listParts(of: upload, after: after)
    return lie == .partsAreNotListed ? Page([]) : page
  }

  func completeUpload(
    _ upload: Upload, parts: [Part], content: ContentSummary
  ) async throws(BackendError) -> ObjectInfo {
    guard lie == .completeTakesWhatIsThere || lie == .completeIgnoresOrder else {
      return try await memory.completeUpload(upload, parts: parts, content: content)
    }
    let there = try await memory.listParts(of: upload, after: nil).items
    if lie == .completeTakesWhatIsThere {
      let size = there.reduce(0) { $0 + $1.size }
      return try await memory.completeUpload(upload, parts: there, content: ContentSummary(size: size))
    }
    let info = try await memory.completeUpload(upload, parts: parts, content: content)
    let bytes = memory.contents[upload.key] ?? []
    _ = try await memory.put(Payload(.bytes(bytes.reversed())), to: upload.key, options: ObjectOptions())
    return info
  }

  func abortUpload(_ upload: Upload) async throws(BackendError) {
    if lie == .abortForgetsNothing { return }
    if lie == .abortFailsTwice { _ = try await memory.listParts(of: upload, after: nil) }
    try await memory.abortUpload(upload)
  }

  func listUploads(prefix: ObjectKey, after: PageToken?) async throws(BackendError) -> Page<Upload> {
    lie == .uploadsAreNotListed ? Page([]) : try await memory.listUploads(prefix: prefix, after: after)
  }

  func stat(_ object: ObjectReference) async throws(BackendError) -> ObjectInfo? {
    var info = try await memory.stat(ObjectReference(stored(object.key)))
    info?.reference.key = object.key
    return lie == .statInventsObjects ? info ?? ObjectInfo(object, size: 0) : info
  }

  func read(_ object: ObjectReference, range: ReadRange?, into sink: any ByteSink) async throws(BackendError)
  {
    if lie == .readIsEmptyWhereMissing, try await memory.stat(object) == nil { return }
    try await memory.read(
      ObjectReference(stored(object.key)), range: lie == .readIgnoresRanges ? nil : range, into: sink)
  }

  func list(prefix: ObjectKey, after: PageToken?) async throws(BackendError) -> Page<ObjectInfo> {
    var page = try await memory.list(prefix: prefix, after: lie == .listNeverEnds ? nil : after)
    switch lie {
    case .listStopsAfterFirstPage: page.next = nil
    case .listIsReversed: page.items.reverse()
    case .listTakesPrefixForFolder:
      page.items.removeAll { prefix.bytes.last != UInt8(ascii: "/") && $0.reference.key != prefix }
    default: break
    }
    return page
  }

  func delete(_ objects: [ObjectReference]) async throws(BackendError) -> [ObjectReference: BackendError] {
    switch lie {
    case .deleteDoesNothing: return [:]
    case .deleteFailsWhereMissing:
      var failures: [ObjectReference: BackendError] = [:]
      for object in objects where try await memory.stat(object) == nil {
        failures[object] = BackendError(.notFound, "no such object")
      }
      _ = try await memory.delete(objects)
      return failures
    case .deleteTakesPrefix:
      for object in objects {
        for found in memory.contents.keys where found.hasPrefix(object.key.bytes) {
          _ = try await memory.delete([ObjectReference(found)])
        }
      }
      return [:]
    default: return try await memory.delete(objects.map { ObjectReference(stored($0.key)) })
    }
  }
}
