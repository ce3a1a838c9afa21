import SyncManifest
import TestSupport
import Testing

@Suite("Rows of the manifest")
struct RowTests {
  @Test("A row comes back as it was recorded", arguments: [nil, "abcd", "\"x\"", "", "0", "1"] as [String?])
  func roundTrip(etag: String?) async throws {
    let desk = try await Desk()
    var row = sampleRow("p/a")
    row.etag = etag
    row.version = "v1"
    row.remoteID = "id"
    try await desk.manifest.recordMirrored(row, of: desk.mapping)
    #expect(try desk.manifest.row(for: row.key) == row)
    #expect(try desk.rows() == [row])
    #expect(try desk.manifest.row(for: bytes("p/b")) == nil)
  }

  @Test(
    "An ETag that is the digest in print comes back letter by letter",
    arguments: ["00ff", "\"00ff\"", "00FF", "00ff-3", "\"00ff-3\"", "00ff-2"])
  func printedETags(etag: String) async throws {
    let desk = try await Desk()
    for digest in [
      StoredDigest.md5([0, 255]), .md5OfParts([0, 255], partSize: 40), .md5OfParts([0, 255], partSize: 0),
    ] {
      var row = sampleRow("p/a")
      row.digest = digest
      row.etag = etag
      try await desk.manifest.recordMirrored(row, of: desk.mapping)
      #expect(try desk.manifest.row(for: row.key) == row)
    }
  }

  @Test("Keys are any bytes, in the order of bytes")
  func keyOrder() async throws {
    let desk = try await Desk()
    let names: [[UInt8]] = [
      bytes("a"), bytes("a-b"), bytes("a/b"), bytes("a0"), bytes("A"), bytes(" "), bytes("new\nline"), [0x01],
      [0x7f],
      [0xff], [0xff, 0xff], [0x80, 0xfe], bytes("\u{e9}"), bytes("e\u{301}"), bytes("\r\n"), bytes("%_'\""),
      [],
      [UInt8](repeating: 0x7a, count: 1022), bytes("\u{1F600}"),
    ]
    for (seed, name) in names.enumerated() {
      try await desk.manifest.recordMirrored(
        sampleRow(bytes("p/") + name, seed: Int64(seed)), of: desk.mapping)
    }
    let expected = names.map { bytes("p/") + $0 }.sorted { $0.lexicographicallyPrecedes($1) }
    #expect(try desk.keys() == expected)
    for key in expected { #expect(try desk.manifest.row(for: key)?.key == key) }
  }

  @Test("A mapping's rows are those that it recorded, under its prefix alone")
  func mappings() async throws {
    let desk = try await Desk()
    let all = try await desk.manifest.mapping(source: bytes("/all"), keyPrefix: [])
    let high = try await desk.manifest.mapping(source: bytes("/high"), keyPrefix: [0xff])
    #expect(try await desk.manifest.mapping(source: bytes("/src"), keyPrefix: bytes("p/")) == desk.mapping)
    #expect(try desk.manifest.existingMapping(source: bytes("/src"), keyPrefix: bytes("q/")) == nil)
    try await desk.manifest.recordMirrored(sampleRow("p/a"), of: desk.mapping)
    try await desk.manifest.recordMirrored(sampleRow("p/b"), of: all)
    try await desk.manifest.recordMirrored(sampleRow([0xff, 0xff]), of: high)
    #expect(try desk.keys() == [bytes("p/a")])
    #expect(try desk.manifest.allRows(of: all).map(\.key) == [bytes("p/b")])
    #expect(try desk.manifest.allRows(of: high).map(\.key) == [[0xff, 0xff]])
    #expect(try desk.manifest.totals(of: high).objects == 1)
  }

  @Test("A key outside of its mapping's prefix, and a mapping that nobody recorded, are refused")
  func outside() async throws {
    let desk = try await Desk()
    await #expect(throws: ManifestError.keyOutsideMapping(key: bytes("q/a"))) {
      try await desk.manifest.recordMirrored(sampleRow("q/a"), of: desk.mapping)
    }
    let unknown = MappingID(rawValue: 77)
    await #expect(throws: ManifestError.unknownMapping(unknown)) {
      try await desk.manifest.recordMirrored(sampleRow("p/a"), of: unknown)
    }
    #expect(throws: ManifestError.unknownMapping(unknown)) { try desk.manifest.totals(of: unknown) }
  }

  @Test("Marking in doubt touches the rows that exist, and they stay until proven or recorded anew")
  func doubt() async throws {
    let desk = try await Desk()
    for name in ["a", "b", "c"] {
      try await desk.manifest.recordMirrored(sampleRow("p/\(name)"), of: desk.mapping)
    }
    var pages = [[bytes("p/a"), bytes("p/b")], [], [bytes("p/none")]]
    let marked = try desk.manifest.markInDoubt { pages.isEmpty ? nil : pages.removeFirst() }
    #expect(marked == 2)
    #expect(try desk.rows().map(\.isInDoubt) == [true, true, false])
    #expect(try desk.manifest.row(for: bytes("p/none")) == nil)
    #expect(try desk.manifest.totals(of: desk.mapping).inDoubt == 2)

    try await desk.manifest.touch(key: bytes("p/a"), stamp: sampleStamp(9), readAt: 1)
    #expect(try desk.manifest.row(for: bytes("p/a"))?.stamp == sampleStamp(1))
    try await desk.manifest.proveRow(bytes("p/a"))
    try await desk.manifest.recordMirrored(sampleRow("p/b", seed: 2), of: desk.mapping)
    #expect(try desk.rows().map(\.isInDoubt) == [false, false, false])
  }

  @Test("A plan whose keys fail to come is marked not at all")
  func doubtIsAtomic() async throws {
    struct Stop: Error {}
    let desk = try await Desk()
    try await desk.manifest.recordMirrored(sampleRow("p/a"), of: desk.mapping)
    var isFirst = true
    #expect(throws: Stop.self) {
      try desk.manifest.markInDoubt {
        guard isFirst else { throw Stop() }
        isFirst = false
        return [bytes("p/a")]
      }
    }
    #expect(try desk.rows().map(\.isInDoubt) == [false])
  }

  @Test("A touch changes the stamp and the time of reading, nothing else")
  func touch() async throws {
    let desk = try await Desk()
    var row = sampleRow("p/a")
    row.etag = "e"
    try await desk.manifest.recordMirrored(row, of: desk.mapping)
    try await desk.manifest.touch(key: row.key, stamp: sampleStamp(5), readAt: 1234)
    row.stamp = sampleStamp(5)
    row.readAt = 1234
    #expect(try desk.manifest.row(for: row.key) == row)
  }

  @Test("Totals follow what is recorded and removed")
  func totals() async throws {
    let desk = try await Desk()
    #expect(try desk.manifest.totals(of: desk.mapping) == (0, 0, 0))
    for seed in 1...3 {
      try await desk.manifest.recordMirrored(sampleRow("p/\(seed)", seed: Int64(seed)), of: desk.mapping)
    }
    try await desk.manifest.removeRows([bytes("p/2"), bytes("p/none")])
    #expect(try desk.manifest.totals(of: desk.mapping) == (2, 204, 0))
  }

  @Test("The cursor tells a row without copying it")
  func cursor() async throws {
    let desk = try await Desk()
    try await desk.manifest.recordMirrored(sampleRow("p/a", seed: 3), of: desk.mapping)
    try desk.manifest.withRows(of: desk.mapping) { cursor in
      let steps = [try cursor.next()]
      let (key, stamp, size, readAt) = (Array(cursor.key), cursor.stamp, cursor.size, cursor.readAt)
      let (isInDoubt, isSame, isOther) = (
        cursor.isInDoubt, cursor.hasOptions([1, 2, 3]), cursor.hasOptions([1, 2])
      )
      let end = try cursor.next()
      #expect(steps == [true] && !end)
      #expect(key == bytes("p/a"))
      #expect(stamp == sampleStamp(3))
      #expect(size == 103)
      #expect(readAt == 102)
      #expect(!isInDoubt && isSame && !isOther)
    }
  }

  @Test("A scan sees one moment, while rows are written and read beside it")
  func snapshot() async throws {
    let desk = try await Desk()
    try await desk.manifest.recordMirrored(sampleRow("p/a"), of: desk.mapping)
    let seen = try desk.manifest.withRows(of: desk.mapping) { cursor in
      var count = 0
      while try cursor.next() {
        count += 1
        try desk.manifest.markInDoubt(nextKeys: once([bytes("p/a")]))
        #expect(try desk.manifest.row(for: bytes("p/a"))?.isInDoubt == true)
        let isInDoubt = cursor.isInDoubt
        #expect(!isInDoubt)
        #expect(try desk.rows().map(\.isInDoubt) == [true])
      }
      return count
    }
    #expect(seen == 1)
  }

  private func once(_ keys: [[UInt8]]) -> () -> [[UInt8]]? {
    var rest: [[UInt8]]? = keys
    return {
      defer { rest = nil }
      return rest
    }
  }
}
