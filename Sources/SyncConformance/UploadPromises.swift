import SyncBackend

extension ConformanceSuite {
  /// The life of a multipart upload.
  static let uploadPromises: [ConformancePromise] = [
    ConformancePromise("uploads.hidden", "nothing is visible before completion", needs: [.multipart, .put]) {
      trial throws(PromiseBroken) in
      let old = trial.bytes(300)
      try await trial.put(old, to: trial.key("object"))
      let upload = try await trial.begin("object", size: 2000)
      let bytes = trial.bytes(2000)
      let part = try await trial.send(1, bytes, of: upload)
      try await trial.expectObject(upload.key, holds: old)
      _ = try await trial.complete(upload, [part], contents: [bytes])
      try await trial.expectObject(upload.key, holds: bytes)
    },
    ConformancePromise(
      "uploads.metadata", "metadata given at the beginning is the object's", needs: [.multipart, .stat],
      unless: withoutMetadata
    ) { trial throws(PromiseBroken) in
      let metadata = ["mtime": "1700000000.5", "md5chksum": "XrY7u+Ae7tCTyyK7j1rNww=="]
      let info = try await trial.storeInOnePart(
        "object", trial.bytes(2000), options: ObjectOptions(metadata: metadata))
      let key = info.reference.key
      try trial.expect(
        "stat \(key), its metadata", try await trial.stat(key)?.metadata ?? [:], metadata, shown)
    },
    ConformancePromise(
      "uploads.listed", "an upload is listed until it is done", needs: [.multipart, .listUploads]
    ) {
      trial throws(PromiseBroken) in
      let bytes = trial.bytes(2000)
      let upload = try await trial.begin("object", size: 2000)
      let other = try await trial.begin("object", size: 2000)
      _ = try await trial.begin("objects", size: 2000)
      let key = upload.key
      let exactly = try await trial.uploads(key).filter { $0.key == key }.map(\.id).sorted()
      try trial.expect("listUploads \(key), the ids", exactly, [upload.id, other.id].sorted())
      try trial.expect("listUploads \(trial.root)", try await trial.uploads(trial.root).count, 3)
      try trial.expect("listUploads \(key)0", try await trial.uploads(trial.key("object0")).count, 0)
      let part = try await trial.send(1, bytes, of: upload)
      _ = try await trial.complete(upload, [part], contents: [bytes])
      try await trial.abort(other)
      let left = try await trial.uploads(key).filter { $0.key == key }
      try trial.expect("listUploads \(key), after complete and abort", left.map(\.id), [])
    },
    ConformancePromise("uploads.aborted", "an aborted upload leaves nothing", needs: [.multipart]) {
      trial throws(PromiseBroken) in
      let upload = try await trial.begin("object", size: 2000)
      try await trial.send(1, trial.bytes(2000), of: upload)
      try await trial.abort(upload)
      try await trial.expectNothing(at: upload.key)
      guard trial.can(.listParts) else { return }
      try await trial.refuse("listParts of an aborted upload", as: [.uploadGone]) { () throws(BackendError) in
        try await trial.backend.listParts(of: upload, after: nil)
      }
    },
    ConformancePromise("uploads.aborted-twice", "aborting what is gone is success", needs: [.multipart]) {
      trial throws(PromiseBroken) in
      let upload = try await trial.begin("object", size: 2000)
      try await trial.abort(upload)
      try await trial.abort(upload)
    },
    ConformancePromise("uploads.gone", "an upload that is gone takes no part", needs: [.multipart]) {
      trial throws(PromiseBroken) in
      let upload = try await trial.begin("object", size: 2000)
      try await trial.abort(upload)
      let bytes = trial.bytes(2000)
      try await trial.refuse("uploadPart of an aborted upload", as: [.uploadGone]) {
        () throws(BackendError) in
        try await trial.backend.uploadPart(1, payload: trial.partPayload(bytes), of: upload)
      }
      let part = Part(number: 1, size: 2000, etag: "0cc175b9c0f1b6a831c399e269772661")
      try await trial.refuse("completeUpload of an aborted upload", as: [.uploadGone]) {
        () throws(BackendError) in
        try await trial.backend.completeUpload(upload, parts: [part], content: trial.summary(of: [bytes]))
      }
      try await trial.expectNothing(at: upload.key)
    },
    ConformancePromise(
      "uploads.resumed", "an upload goes on from what a manifest keeps of it",
      needs: [.multipart, .listParts]
    ) { trial throws(PromiseBroken) in
      let size = trial.partSize
      let contents = [trial.bytes(size), trial.bytes(300)]
      let begun = try await trial.begin("object", size: size + 300, partSize: size)
      try await trial.send(1, contents[0], of: begun)
      // What a later process has: the value from the manifest.
      let upload = Upload(key: begun.key, id: begun.id, plan: begun.plan)
      let listed = try await trial.parts(of: upload)
      let last = try await trial.send(2, contents[1], of: upload)
      _ = try await trial.complete(upload, listed + [last], contents: contents)
      try await trial.expectObject(upload.key, holds: contents.flatMap { $0 })
    },
  ]
}
