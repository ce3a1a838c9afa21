import SyncBackend

extension ConformanceSuite {
  /// What was named goes, and nothing else.
  static let deletePromises: [ConformancePromise] = [
    ConformancePromise("delete.one", "a deleted object is gone", needs: [.put, .delete]) {
      trial throws(PromiseBroken) in
      let key = trial.key("object")
      try await trial.put(trial.bytes(100), to: key)
      try await trial.delete([key])
      try await trial.expectNothing(at: key)
    },
    ConformancePromise("delete.missing", "deleting what is not there is success", needs: [.delete]) {
      trial throws(PromiseBroken) in
      try await trial.delete([trial.key("nothing")])
      try await trial.delete([trial.key("no/such/folder")])
    },
    ConformancePromise(
      "delete.batch", "a batch deletes all that it names, and only that", needs: [.put, .delete]
    ) {
      trial throws(PromiseBroken) in
      let names = ["d/a", "d/ab", "d/a.", "e/a", "e/b/c", "f"]
      for name in names { try await trial.put(Array(name.utf8), to: trial.key(name)) }
      try await deleteInBatches(trial, ["d/a", "missing", "e/b/c", "f"].map(trial.key))
      for name in ["d/a", "e/b/c", "f"] { try await trial.expectNothing(at: trial.key(name)) }
      for name in ["d/ab", "d/a.", "e/a"] {
        try await trial.expectObject(trial.key(name), holds: Array(name.utf8))
      }
    },
    ConformancePromise(
      "delete.folder", "deleting the name above an object deletes nothing", needs: [.put, .delete]
    ) {
      trial throws(PromiseBroken) in
      try await trial.put([7], to: trial.key("folder/object"))
      try await trial.delete([trial.key("folder")])
      try await trial.expectObject(trial.key("folder/object"), holds: [7])
    },
    ConformancePromise("delete.full-batch", "a batch may be as large as it says", needs: [.put, .delete]) {
      trial throws(PromiseBroken) in
      let key = trial.key("object")
      try await trial.put([1], to: key)
      let missing = (1..<trial.capabilities.deleteBatch.maximumCount).map {
        trial.key("missing \($0) & <\($0)>")
      }
      try await trial.delete(missing + [key])
      try await trial.expectNothing(at: key)
    },
    ConformancePromise("delete.hard-names", "names that hurt are deleted in a batch", needs: [.put, .delete])
    {
      trial throws(PromiseBroken) in
      let names = [
        "a b", "a+b", "a%20b", "<&>\"'", "]]>", "new\nline", "return\rfeed", "tab\t", " blanks ", "😀",
        "caf\u{E9}",
        "cafe\u{301}", "-rf",
      ]
      // Characters that XML cannot carry only where a batch takes them.
      let more = trial.capabilities.deleteBatch.alphabet == .any ? ["a\u{1}b", "a\u{FFFE}b"] : []
      let keys = (names + more).map(trial.key)
      for key in keys { try await trial.put(key.bytes, to: key) }
      try await deleteInBatches(trial, keys)
      for key in keys { try await trial.expectNothing(at: key) }
    },
    ConformancePromise(
      "delete.singly", "a key that no batch can carry is deleted singly", needs: [.put, .delete]
    ) { trial throws(PromiseBroken) in
      for key in ["a\u{1}b", "a\u{FFFE}b", "\u{1B}c"].map(trial.key) {
        try await trial.put(key.bytes, to: key)
        try await trial.delete([key])
        try await trial.expectNothing(at: key)
      }
    },
  ]

  private static func deleteInBatches(_ trial: Trial, _ keys: [ObjectKey]) async throws(PromiseBroken) {
    var rest = keys[...]
    while !rest.isEmpty {
      let batch = rest.prefix(trial.capabilities.deleteBatch.maximumCount)
      try await trial.delete(Array(batch))
      rest = rest.dropFirst(batch.count)
    }
  }
}
