import SyncBackend

extension Trial {
  /// Begins an upload of `size` bytes in parts of `partSize`; in a single one where that is left out.
  func begin(
    _ name: String, size: Int, partSize: Int? = nil, options: ObjectOptions = ObjectOptions()
  ) async throws(PromiseBroken) -> Upload {
    let inParts = Int64(partSize ?? max(self.partSize, size))
    let plan = UploadPlan(key: key(name), size: Int64(size), partSize: inParts, options: options)
    let upload = try await succeed("beginUpload \(plan.key)") { () throws(BackendError) in
      try await backend.beginUpload(plan)
    }
    remember(upload)
    try expect("beginUpload \(plan.key), the key of its answer", upload.key, plan.key)
    return upload
  }

  @discardableResult
  func send(_ number: Int, _ bytes: [UInt8], of upload: Upload) async throws(PromiseBroken) -> Part {
    let call = "uploadPart \(number) of \(upload.key)"
    let part = try await succeed(call) { () throws(BackendError) in
      try await backend.uploadPart(number, payload: partPayload(bytes), of: upload)
    }
    try expect("\(call), the number of its answer", part.number, number)
    try expect("\(call), the size of its answer", part.size, Int64(bytes.count))
    try expect("\(call), the MD5 of its answer", part.md5 ?? md5(bytes), md5(bytes))
    return part
  }

  func complete(
    _ upload: Upload, _ parts: [Part], contents: [[UInt8]]
  ) async throws(PromiseBroken) -> ObjectInfo {
    try await succeed("completeUpload \(upload.key)") { () throws(BackendError) in
      try await backend.completeUpload(upload, parts: parts, content: summary(of: contents))
    }
  }

  func abort(_ upload: Upload) async throws(PromiseBroken) {
    try await succeed("abortUpload \(upload.key)") { () throws(BackendError) in
      try await backend.abortUpload(upload)
    }
  }

  /// An object of one small part, which every store takes as its last.
  func storeInOnePart(
    _ name: String, _ bytes: [UInt8], options: ObjectOptions = ObjectOptions()
  ) async throws(PromiseBroken) -> ObjectInfo {
    let upload = try await begin(name, size: bytes.count, options: options)
    let part = try await send(1, bytes, of: upload)
    return try await complete(upload, [part], contents: [bytes])
  }

  func parts(of upload: Upload) async throws(PromiseBroken) -> [Part] {
    try await succeed("listParts of \(upload.key)") { () throws(BackendError) in
      try await allParts(of: upload)
    }
  }

  func uploads(_ prefix: ObjectKey) async throws(PromiseBroken) -> [Upload] {
    try await succeed("listUploads \(prefix)") { () throws(BackendError) in try await allUploads(prefix) }
  }

  func summary(of contents: [[UInt8]]) -> ContentSummary {
    ContentSummary(
      size: contents.reduce(0) { $0 + Int64($1.count) }, digest: digestOfParts(contents),
      md5: md5(contents.flatMap { $0 }))
  }

  func digestOfParts(_ contents: [[UInt8]]) -> ContentDigest {
    .md5OfParts(md5(contents.flatMap { md5($0) }), count: contents.count)
  }
}
