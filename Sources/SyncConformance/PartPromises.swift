import SyncBackend

extension ConformanceSuite {
  /// Parts: how they arrive, what is known of them, what comes of them.
  static let partPromises: [ConformancePromise] = [
    ConformancePromise(
      "parts.assembled", "parts sent at once, in any order that is allowed, make the object",
      needs: [.multipart],
      check: assembled),
    ConformancePromise("parts.replaced", "a part sent again replaces the earlier one", needs: [.multipart]) {
      trial throws(PromiseBroken) in
      let upload = try await trial.begin("object", size: 2000)
      try await trial.send(1, trial.bytes(2000), of: upload)
      let bytes = trial.bytes(2000)
      let part = try await trial.send(1, bytes, of: upload)
      if trial.can(.listParts) {
        let listed = try await trial.parts(of: upload)
        try trial.expect("listParts of \(upload.key), the ETags", listed.map(\.etag), [part.etag])
      }
      _ = try await trial.complete(upload, [part], contents: [bytes])
      try await trial.expectObject(upload.key, holds: bytes)
    },
    ConformancePromise(
      "parts.listed", "listParts has exactly the parts that arrived", needs: [.multipart, .listParts]
    ) {
      trial throws(PromiseBroken) in
      let size = trial.partSize
      let upload = try await trial.begin("object", size: 3 * size, partSize: size)
      try trial.expect("listParts of \(upload.key), at first", try await trial.parts(of: upload), [])
      var sent: [Part] = []
      for number in trial.capabilities.parts?.order == .ascending ? [1, 2] : [3, 1] {
        sent.append(try await trial.send(number, trial.bytes(size), of: upload))
      }
      let listed = try await trial.parts(of: upload)
      sent.sort { $0.number < $1.number }
      try trial.expect("listParts of \(upload.key), the numbers", listed.map(\.number), sent.map(\.number))
      try trial.expect("listParts of \(upload.key), the ETags", listed.map(\.etag), sent.map(\.etag))
      try trial.expect("listParts of \(upload.key), the sizes", listed.map(\.size), sent.map(\.size))
    },
    ConformancePromise("parts.file", "a part is a range of a file", needs: [.multipart]) {
      trial throws(PromiseBroken) in
      let bytes = trial.bytes(5000)
      let wanted = Array(bytes[500..<4500])
      let file = try ScratchFile.holding(bytes)
      let upload = try await trial.begin("object", size: 4000)
      let payload = Payload(
        .file(FileRange(file, offset: 500, length: 4000)),
        digests: trial.digests(of: wanted, trial.capabilities.partDigests))
      let part = try await trial.succeed("uploadPart 1 of \(upload.key)") { () throws(BackendError) in
        try await trial.backend.uploadPart(1, payload: payload, of: upload)
      }
      _ = try await trial.complete(upload, [part], contents: [wanted])
      try await trial.expectObject(upload.key, holds: wanted)
    },
    ConformancePromise(
      "parts.corrupted", "a part that does not have the MD5 it comes with is refused", needs: [.multipart],
      unless: { $0.partDigests.contains(.md5) ? nil : "parts carry no MD5" }
    ) { trial throws(PromiseBroken) in
      let upload = try await trial.begin("object", size: 2000)
      let payload = Payload(
        .bytes(trial.bytes(2000)),
        digests: trial.digests(of: trial.bytes(2000), trial.capabilities.partDigests))
      try await trial.refuse("uploadPart with the MD5 of other bytes", as: [.corrupted]) {
        () throws(BackendError) in
        try await trial.backend.uploadPart(1, payload: payload, of: upload)
      }
      guard trial.can(.listParts) else { return }
      try trial.expect("listParts of \(upload.key)", try await trial.parts(of: upload), [])
    },
    ConformancePromise("parts.missing", "a part that never arrived ends completion", needs: [.multipart]) {
      trial throws(PromiseBroken) in
      let size = trial.partSize
      let missing = trial.bytes(size)
      let last = trial.bytes(500)
      let upload = try await trial.begin("object", size: size + 500, partSize: size)
      var parts = [Part(number: 1, size: Int64(size), etag: "0cc175b9c0f1b6a831c399e269772661")]
      // Where order counts the second part cannot be sent without the first; then both are missing.
      if trial.capabilities.parts?.order == .any {
        parts.append(try await trial.send(2, last, of: upload))
      } else {
        parts.append(Part(number: 2, size: 500, etag: "92eb5ffee6ae2fec3ad71c777531578f"))
      }
      let claimed = parts
      try await trial.refuse("completeUpload with a part that never arrived", as: []) {
        () throws(BackendError) in
        try await trial.backend.completeUpload(
          upload, parts: claimed, content: trial.summary(of: [missing, last]))
      }
      try await trial.expectNothing(at: upload.key)
    },
  ]

  private static let assembled: @Sendable (Trial) async throws(PromiseBroken) -> Void = {
    trial throws(PromiseBroken) in
    let size = trial.partSize
    let contents = [trial.bytes(size), trial.bytes(size), trial.bytes(777)]
    let upload = try await trial.begin("object", size: 2 * size + 777, partSize: size)
    let parts = try await sendAll(trial, contents, of: upload)
    try await trial.expectNothing(at: upload.key)
    let info = try await trial.complete(upload, parts, contents: contents)
    let stated = trial.digestOfParts(contents)
    try trial.expect("completeUpload \(upload.key), its content", info.content ?? stated, stated)
    if trial.can(.stat) {
      let found = try await trial.stat(upload.key)
      try trial.expect("stat \(upload.key), its content", found?.content ?? stated, stated)
      try provesOurs(trial, info.reference, found: found)
    }
    try await trial.expectObject(upload.key, holds: contents.flatMap { $0 })
  }

  /// At once where the remote allows it, the last part first; else one after the other.
  private static func sendAll(
    _ trial: Trial, _ contents: [[UInt8]], of upload: Upload
  ) async throws(PromiseBroken) -> [Part] {
    guard let limits = trial.capabilities.parts, limits.order == .any, limits.concurrency ?? 3 >= 3 else {
      var parts: [Part] = []
      for (index, bytes) in contents.enumerated() {
        parts.append(try await trial.send(index + 1, bytes, of: upload))
      }
      return parts
    }
    let numbered = Array(contents.enumerated()).reversed()
    return try await trial.atOnce(numbered) { content throws(PromiseBroken) in
      try await trial.send(content.offset + 1, content.element, of: upload)
    }.sorted { $0.number < $1.number }
  }
}
