import SyncBackend

extension ConformanceSuite {
  /// Names that hurt: each a promise of its own, so that a store's known weakness can be named.
  static let namePromises: [ConformancePromise] =
    [
      named("space", "a space", ["a b"]),
      named("plus", "a plus sign, beside a space and its encodings", ["a+b", "a b", "a%20b", "a%2Bb"]),
      named("percent", "per cent signs", ["100%", "%41", "%", "%2F", "%zz"]),
      named("quotes", "quotes and back slashes", ["'a'", "\"b\"", "`c`", "back\\slash"]),
      named("markup", "what XML must escape", ["<a>&amp;</a>", "a&b", "]]>"]),
      named(
        "query", "what URLs give a meaning",
        ["a?b=c&d", "a#b", "a;b", "a:b", "a@b", "a=b,c", "a$b!*()[]{}|^~"]),
      named("newline", "line ends and tabs", ["a\nb", "a\rb", "a\r\nb", "a\tb", "\n"]),
      named("control", "control characters", ["a\u{1}b", "a\u{1B}[31mb", "a\u{7F}b"]),
      named("noncharacter", "characters that XML 1.0 has not", ["a\u{FFFE}b", "a\u{FFFF}b"]),
      named(
        "unicode", "every plane of Unicode", ["ü", "日本語", "😀", "👩‍👩‍👧", "\u{10FFFD}", "a\u{A0}b", "a\u{2028}b"]),
      named("accents", "composed and decomposed accents side by side", ["caf\u{E9}", "cafe\u{301}"]),
      named("case", "letters of either case side by side", ["Case", "case", "CASE"]),
      named("blanks", "blanks at their ends", [" leading", "trailing ", "tab\t", " ", "a/ b /c"]),
      named("dots", "dots at their ends", [".hidden", "trailing.", "...", "a/.../b"]),
      named("dashes", "leading dashes", ["-rf", "--help", "-"]),
      named("segment", "a segment of 255 bytes", [String(repeating: "s", count: 255)], unless: shortSegments),
      named(
        "segment-wide", "a segment of 255 bytes in long characters", [String(repeating: "語", count: 85)],
        unless: shortSegments),
      named("empty-segment", "empty segments", ["a//b", "a/", "a///", "a/b"], unless: hierarchical),
      named(
        "dot-segment", "segments of one or two dots", ["a/./b", "a/../b", "./c", "../d"], unless: hierarchical
      ),
      named("nested", "an object above another", ["a", "a/b", "a/b/c"], unless: hierarchical),
    ] + [
      ConformancePromise("names.longest", "a key may be as long as it says", needs: [.put]) {
        trial throws(PromiseBroken) in
        let bytes = trial.bytes(10)
        let key = longKey(trial, trial.capabilities.keys.maximumBytes)
        try await trial.put(bytes, to: key)
        try await trial.expectObject(key, holds: bytes)
      },
      ConformancePromise("names.too-long", "a longer key is refused as invalid_key", needs: [.put]) {
        trial throws(PromiseBroken) in
        let key = longKey(trial, trial.capabilities.keys.maximumBytes + 1)
        // Not remembered: its removal would be refused like its making. A store that takes it lists it.
        try await trial.refuse("put of a key of \(key.bytes.count) bytes", as: [.invalidKey]) {
          () throws(BackendError) in
          try await trial.backend.put(trial.payload([1]), to: key, options: ObjectOptions())
        }
      },
    ]

  private static let hierarchical: @Sendable (Capabilities) -> String? = {
    $0.isHierarchical ? "keys are paths" : nil
  }

  private static let shortSegments: @Sendable (Capabilities) -> String? = {
    ($0.keys.maximumSegmentBytes ?? 255) < 255 ? "segments are shorter" : nil
  }

  /// Names are put side by side, each with bytes of its own, so that two that fold into one show.
  private static func named(
    _ id: String, _ what: String, _ names: [String],
    unless exemption: @escaping @Sendable (Capabilities) -> String? = { _ in nil }
  ) -> ConformancePromise {
    ConformancePromise("names.\(id)", "keys may have \(what)", needs: [.put], unless: exemption) {
      trial throws(PromiseBroken) in
      let objects = names.map { (key: trial.key($0), bytes: trial.bytes(64)) }
      for object in objects { try await trial.put(object.bytes, to: object.key) }
      for object in objects { try await trial.expectObject(object.key, holds: object.bytes) }
      guard trial.can(.list) else { return }
      let listed = try await trial.list(trial.root).map(\.reference.key).sorted()
      try trial.expect("list \(trial.root)", listed, objects.map(\.key).sorted())
      guard trial.can(.delete), let first = objects.first else { return }
      try await trial.delete([first.key])
      let left = try await trial.list(trial.root).map(\.reference.key).sorted()
      try trial.expect("list after delete of \(first.key)", left, objects.dropFirst().map(\.key).sorted())
    }
  }

  /// A key of exactly `count` bytes, in segments of at most 200.
  private static func longKey(_ trial: Trial, _ count: Int) -> ObjectKey {
    var bytes = trial.root.bytes
    while bytes.count < count {
      let rest = count - bytes.count
      let segment = rest > 202 ? 200 : rest
      bytes += Array(repeating: UInt8(ascii: "k"), count: segment)
      if bytes.count < count { bytes.append(UInt8(ascii: "/")) }
    }
    return ObjectKey(String(decoding: bytes, as: UTF8.self))
  }
}
