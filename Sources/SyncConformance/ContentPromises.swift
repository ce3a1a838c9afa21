import SyncBackend

extension ConformanceSuite {
  /// What a backend says of an object's content, and how the engine proves by it what a lost answer left
  /// behind.
  static let contentPromises: [ConformancePromise] = [
    ConformancePromise("content.true", "a digest that is stated is the content's", needs: [.put, .stat]) {
      trial throws(PromiseBroken) in
      let bytes = trial.bytes(4000)
      let key = trial.key("object")
      let info = try await trial.put(bytes, to: key)
      let stated = ContentDigest.md5(trial.md5(bytes))
      try trial.expect("put \(key), the content of its answer", info.content ?? stated, stated)
      let found = try await trial.stat(key)
      try trial.expect("stat \(key), its content", found?.content ?? stated, stated)
    },
    ConformancePromise(
      "content.proof", "put's answer and stat name the same ETag, version and remote id",
      needs: [.put, .stat]
    ) { trial throws(PromiseBroken) in
      let key = trial.key("object")
      let answer = try await trial.put(trial.bytes(4000), to: key).reference
      try provesOurs(trial, answer, found: try await trial.stat(key))
    },
    ConformancePromise(
      "content.changed", "another content has another ETag, version or remote id", needs: [.put, .stat]
    ) { trial throws(PromiseBroken) in
      let key = trial.key("object")
      let first = try await trial.put(trial.bytes(4000), to: key).reference
      try await trial.put(trial.bytes(4000), to: key)
      let second = try await trial.stat(key)?.reference
      if second == nil || second == first {
        throw PromiseBroken("stat \(key)", expected: "another reference", came: "the one of the old content")
      }
    },
    ConformancePromise(
      "content.corrupted", "bytes that do not have the MD5 they come with are refused", needs: [.put],
      unless: { $0.putDigests.contains(.md5) ? nil : "puts carry no MD5" }
    ) { trial throws(PromiseBroken) in
      let key = trial.key("object")
      let sent = trial.bytes(4000)
      let payload = Payload(
        .bytes(sent), digests: trial.digests(of: trial.bytes(4000), trial.capabilities.putDigests))
      trial.remember(key)
      try await trial.refuse("put with the MD5 of other bytes", as: [.corrupted]) { () throws(BackendError) in
        try await trial.backend.put(payload, to: key, options: ObjectOptions())
      }
      try await trial.expectNothing(at: key)
    },
    ConformancePromise(
      "content.metadata", "metadata comes back as it was put", needs: [.put, .stat], unless: withoutMetadata
    ) { trial throws(PromiseBroken) in
      let key = trial.key("object")
      let metadata = ["mtime": "1700000000.123456789", "md5chksum": "XrY7u+Ae7tCTyyK7j1rNww=="]
      try await trial.put([1, 2, 3], to: key, options: ObjectOptions(metadata: metadata))
      try trial.expect(
        "stat \(key), its metadata", try await trial.stat(key)?.metadata ?? [:], metadata, shown)
      try await trial.put([1, 2, 3], to: key)
      try trial.expect(
        "stat \(key), after a put without", try await trial.stat(key)?.metadata ?? [:], [:], shown)
    },
    ConformancePromise(
      "content.copy", "an object is copied on the remote", needs: [.put],
      unless: { $0.copies ? nil : "does not copy" }
    ) { trial throws(PromiseBroken) in
      let bytes = trial.bytes(9000)
      let source = try await trial.put(bytes, to: trial.key("source")).reference
      let copy = trial.key("copy")
      try await trial.put(Payload(.object(source, offset: 0, length: 9000)), to: copy)
      try await trial.expectObject(copy, holds: bytes)
    },
  ]

  /// The engine's question after a lost answer: is the object that is there the one whose answer this was?
  static func provesOurs(
    _ trial: Trial, _ answer: ObjectReference, found: ObjectInfo?
  ) throws(PromiseBroken) {
    guard let found = found?.reference else {
      throw PromiseBroken("stat \(answer.key)", expected: "the object", came: "no object")
    }
    let facts = [
      ("ETag", answer.etag, found.etag), ("version", answer.version, found.version),
      ("remote id", answer.remoteID, found.remoteID),
    ]
    for (name, answered, stated) in facts where answered != nil {
      try trial.expect("stat \(answer.key), its \(name)", stated, answered) { $0 ?? "none" }
    }
    guard facts.contains(where: { $0.1 != nil }) else {
      throw PromiseBroken("answer for \(answer.key)", expected: "an ETag, version or remote id", came: "none")
    }
  }

  static let withoutMetadata: @Sendable (Capabilities) -> String? = {
    $0.storesMetadata ? nil : "stores no metadata"
  }

  static func shown(_ metadata: [String: String]) -> String {
    metadata.isEmpty
      ? "none" : metadata.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ")
  }
}
