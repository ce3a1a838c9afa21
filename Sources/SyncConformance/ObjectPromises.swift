import SyncBackend

extension ConformanceSuite {
  /// What is put comes back.
  static let objectPromises: [ConformancePromise] = [
    ConformancePromise("put.small", "a small object comes back as it was put", needs: [.put]) {
      trial throws(PromiseBroken) in
      try await comesBack(trial, trial.bytes(1000))
    },
    ConformancePromise("put.empty", "an empty object is an object", needs: [.put]) {
      trial throws(PromiseBroken) in
      try await comesBack(trial, [])
    },
    ConformancePromise("put.larger", "an object of more than one buffer comes back whole", needs: [.put]) {
      trial throws(PromiseBroken) in
      try await comesBack(trial, trial.bytes(1_500_001))
    },
    ConformancePromise("put.file", "a range of a file is put, and only that range", needs: [.put]) {
      trial throws(PromiseBroken) in
      let bytes = trial.bytes(300_000)
      let file = try ScratchFile.holding(bytes)
      let wanted = Array(bytes[1000..<299_000])
      let digests = trial.digests(of: wanted, trial.capabilities.putDigests)
      let key = trial.key("object")
      try await trial.put(
        Payload(.file(FileRange(file, offset: 1000, length: 298_000)), digests: digests), to: key)
      try await trial.expectObject(key, holds: wanted)
    },
    ConformancePromise("put.file-ends-early", "a file that ends early makes no object", needs: [.put]) {
      trial throws(PromiseBroken) in
      // The digests are those of the bytes that were there when they were made: it was cut off since.
      let bytes = trial.bytes(20_000)
      let file = try ScratchFile.holding(Array(bytes[..<10_000]))
      let key = trial.key("object")
      let payload = Payload(
        .file(FileRange(file, offset: 0, length: 20_000)),
        digests: trial.digests(of: bytes, trial.capabilities.putDigests))
      trial.remember(key)
      try await trial.refuse("put of a file that is too short", as: [.unreadableSource]) {
        () throws(BackendError) in
        try await trial.backend.put(payload, to: key, options: ObjectOptions())
      }
      try await trial.expectNothing(at: key)
    },
    ConformancePromise("put.replaces", "a put replaces the object of its key", needs: [.put]) {
      trial throws(PromiseBroken) in
      let key = trial.key("object")
      try await trial.put(trial.bytes(5000), to: key)
      let bytes = trial.bytes(3000)
      try await trial.put(bytes, to: key)
      try await trial.expectObject(key, holds: bytes)
    },
    ConformancePromise("stat.missing", "stat of what is not there is nil", needs: [.stat]) {
      trial throws(PromiseBroken) in
      try await trial.expectNothing(at: trial.key("nothing"))
    },
    ConformancePromise("stat.folder", "the name above an object is no object", needs: [.put, .stat]) {
      trial throws(PromiseBroken) in
      try await trial.put([1], to: trial.key("folder/object"))
      try await trial.expectNothing(at: trial.key("folder"))
    },
    ConformancePromise("read.missing", "read of what is not there is not_found", needs: [.read]) {
      trial throws(PromiseBroken) in
      let key = trial.key("nothing")
      try await trial.refuse("read \(key)", as: [.notFound]) { () throws(BackendError) in
        try await trial.backend.read(ObjectReference(key), range: nil, into: GatheringSink())
      }
    },
    ConformancePromise("read.range", "a range reads exactly its bytes", needs: [.put, .read]) {
      trial throws(PromiseBroken) in
      let bytes = trial.bytes(2000)
      let key = trial.key("object")
      try await trial.put(bytes, to: key)
      let ranges: [(ReadRange, Range<Int>)] = [
        (ReadRange(offset: 0, length: 1), 0..<1), (ReadRange(offset: 700, length: 600), 700..<1300),
        (ReadRange(offset: 1999, length: 1), 1999..<2000), (ReadRange(offset: 1500), 1500..<2000),
        (ReadRange(offset: 0), 0..<2000), (ReadRange(offset: 1990, length: 100), 1990..<2000),
      ]
      for (range, wanted) in ranges {
        let call = "read \(range.offset) + \(range.length.map { "\($0)" } ?? "the rest")"
        try trial.expect(call, bytes: try await trial.read(key, range), Array(bytes[wanted]))
      }
    },
  ]

  private static func comesBack(_ trial: Trial, _ bytes: [UInt8]) async throws(PromiseBroken) {
    let key = trial.key("object")
    let info = try await trial.put(bytes, to: key)
    try trial.expect("put \(key), the key of its answer", info.reference.key, key)
    try await trial.expectObject(key, holds: bytes)
  }
}
