import SyncBackend

extension ConformanceSuite {
  /// What a listing shows, and in which order.
  static let listingPromises: [ConformancePromise] = [
    ConformancePromise(
      "list.order", "a listing is in the order of its keys' bytes", needs: [.put, .list], unless: unordered
    ) {
      trial throws(PromiseBroken) in
      let keys = try await fill(trial, orderedNames)
      let listed = try await trial.list(trial.root).map(\.reference.key)
      try trial.expect("list \(trial.root)", listed, keys.sorted())
    },
    ConformancePromise(
      "list.complete", "a listing has every object once, over all its pages", needs: [.put, .list]
    ) {
      trial throws(PromiseBroken) in
      let keys = try await fill(trial, (0..<25).map { "folder\($0 % 4)/object\($0)" })
      let listed = try await trial.list(trial.root).map(\.reference.key)
      try trial.expect("list \(trial.root), sorted", listed.sorted(), keys.sorted())
    },
    ConformancePromise("list.prefix", "a prefix is bytes, not a folder", needs: [.put, .list]) {
      trial throws(PromiseBroken) in
      let keys = try await fill(trial, ["ab-", "ab/x", "ab/y/z", "abc", "ac", "b/ab", "bb"])
      for prefix in ["a", "ab", "ab/", "ab/y", "ab/y/z", "b", "ac", "abcd"].map(trial.key) {
        let listed = try await trial.list(prefix).map(\.reference.key).sorted()
        try trial.expect("list \(prefix)", listed, keys.filter { $0.hasPrefix(prefix.bytes) }.sorted())
      }
    },
    ConformancePromise("list.empty", "a prefix that no key has lists nothing", needs: [.list]) {
      trial throws(PromiseBroken) in
      try trial.expect("list \(trial.root)", try await trial.list(trial.root).count, 0)
    },
    ConformancePromise("list.facts", "a listing states what stat states", needs: [.put, .list, .stat]) {
      trial throws(PromiseBroken) in
      try await trial.put(trial.bytes(1234), to: trial.key("object"))
      let found = try await trial.stat(trial.key("object"))
      let listed = try await trial.list(trial.root)
      try trial.expect("list \(trial.root), its sizes", listed.map(\.size), [1234])
      let content = listed.first?.content ?? found?.content
      try trial.expect("list \(trial.root), its content", content, found?.content ?? content)
      let etag = listed.first?.reference.etag ?? found?.reference.etag
      try trial.expect("list \(trial.root), its ETag", etag, found?.reference.etag)
    },
    ConformancePromise(
      "list.uploads-hidden", "an upload under way is no object", needs: [.multipart, .list]
    ) { trial throws(PromiseBroken) in
      let upload = try await trial.begin("object", size: 100)
      _ = try await trial.send(1, trial.bytes(100), of: upload)
      try await trial.expectNothing(at: upload.key)
      try trial.expect("list \(trial.root)", try await trial.list(trial.root).count, 0)
    },
  ]

  /// Neighbours of `/` in the alphabet, where walking folder by folder goes wrong.
  private static let orderedNames = [
    "a/b", "a.b", "a-", "a b", "a0", "aa", "Z", "a/b2", "a/c/d", "a/c.d", "a!", "é", "b", "ab/c", "a\u{7F}",
    "日",
  ]

  private static let unordered: @Sendable (Capabilities) -> String? = {
    $0.listOrder == .bytes ? nil : "listings have no order"
  }

  private static func fill(_ trial: Trial, _ names: [String]) async throws(PromiseBroken) -> [ObjectKey] {
    for name in names { try await trial.put(Array(name.utf8), to: trial.key(name)) }
    return names.map(trial.key)
  }
}
