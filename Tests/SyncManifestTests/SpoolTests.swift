import Foundation
import SyncManifest
import TestSupport
import Testing

func change(
  _ key: String, _ action: SpooledChange.Action, size: Int64 = 1, reason: String = "why",
  isRecorded: Bool = false,
  partSize: Int64 = 0, directory: Int = 0
) -> SpooledChange {
  SpooledChange(
    directory: directory, path: bytes(key), key: bytes(key), action: action, reason: reason, size: size,
    isRecorded: isRecorded, partSize: partSize)
}

extension ChangeSpool {
  /// Everything, page by page.
  func all(
    _ actions: Set<SpooledChange.Action> = Set(SpooledChange.Action.allCases), order: Order = .key,
    limit: Int = 3,
    isEarly: Bool? = nil
  ) throws -> [SpooledChange] {
    var all: [SpooledChange] = []
    while true {
      let page = try page(actions, order: order, after: all.last, limit: limit, isEarly: isEarly)
      all += page
      if page.count < limit { return all }
    }
  }
}

@Suite("The spool of changes")
struct SpoolTests {
  let spool: ChangeSpool

  init() throws { spool = try ChangeSpool() }

  @Test("A change comes back as it was appended, with an id")
  func roundTrip() throws {
    var one = SpooledChange(
      directory: 2, path: [0xff, 0x0a, 0x01], key: bytes("e\u{301}") + [0xff], action: .upload,
      reason: "size 10 \u{2192} 12", size: 12, stamp: sampleStamp(), isRecorded: true, partSize: 5,
      isEarly: true)
    var two = change("z", .skip)
    try spool.append(one)
    try spool.append(two)
    (one.id, two.id) = (1, 2)
    #expect(try spool.all() == [one, two])
  }

  @Test("By key means by the key's bytes")
  func keyOrder() throws {
    let keys = [
      bytes("b"), bytes("a/b"), bytes("a-b"), bytes("a"), [0xff], [], [1], bytes("\u{e9}"), bytes("e\u{301}"),
    ]
    for key in keys {
      try spool.append(SpooledChange(directory: 0, path: key, key: key, action: .upload, reason: ""))
    }
    #expect(try spool.all().map(\.key) == keys.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test("The largest come first, equals in the order of appending")
  func largestFirst() throws {
    for (key, size) in [("a", 5), ("b", 0), ("c", 9), ("d", 5), ("e", 5), ("f", Int64.max), ("g", 0)] {
      try spool.append(change(key, .upload, size: Int64(size)))
    }
    #expect(
      try spool.all(order: .largestFirst, limit: 2).map(\.key)
        == ["f", "c", "a", "d", "e", "b", "g"].map(bytes))
  }

  @Test("Only the wanted actions come")
  func actions() throws {
    for (index, action) in SpooledChange.Action.allCases.enumerated() {
      try spool.append(change("\(index)", action))
    }
    #expect(try spool.all([.upload, .check]).map(\.action) == [.upload, .check])
    #expect(try spool.all([]).isEmpty)
  }

  @Test("Pages go on from their place while changes before it are decided anew or taken out")
  func stablePages() throws {
    for number in 0..<9 { try spool.append(change("\(number)", .check, size: Int64(number))) }
    var seen: [[UInt8]] = []
    var last: SpooledChange?
    while let page = Optional(try spool.page([.check], order: .key, after: last, limit: 2)), !page.isEmpty {
      seen += page.map(\.key)
      try spool.update(page[0].id, action: .upload, reason: "content")
      if page.count > 1 { try spool.remove(page[1].id) }
      last = page.last
    }
    #expect(seen == (0..<9).map { bytes("\($0)") })
    #expect(try spool.all().map(\.key) == [0, 2, 4, 6, 8].map { bytes("\($0)") })
    #expect(try spool.all().allSatisfy { $0.action == .upload && $0.reason == "content" })
  }

  @Test("What is appended after the first reading is found as well")
  func appendAfterReading() throws {
    try spool.append(change("b", .upload))
    #expect(try spool.all().count == 1)
    #expect(try spool.all(order: .largestFirst).count == 1)
    try spool.append(change("a", .upload, size: 7))
    #expect(try spool.all().map(\.key) == [bytes("a"), bytes("b")])
    #expect(try spool.all(order: .largestFirst).map(\.key) == [bytes("a"), bytes("b")])
  }

  @Test("Totals count changes, bytes, recorded keys and parts, of all mappings or one")
  func totals() throws {
    #expect(try spool.totals().isEmpty)
    try spool.append(change("a", .upload, size: 10, partSize: 4))
    try spool.append(change("b", .upload, size: 8, isRecorded: true, partSize: 4))
    try spool.append(change("c", .upload, size: 3, directory: 1))
    try spool.append(change("d", .upload, size: 0, partSize: 4))
    try spool.append(change("e", .delete, size: 6, isRecorded: true, directory: 1))
    let uploads = try #require(try spool.totals()[.upload])
    #expect(uploads.count == 4)
    #expect(uploads.bytes == 21)
    #expect(uploads.recorded == 1)
    #expect(uploads.multipart == 3)
    #expect(uploads.parts == 6)
    #expect(try spool.totals(directory: 1)[.upload]?.bytes == 3)
    #expect(try spool.totals(directory: 1)[.delete]?.recorded == 1)
    #expect(try spool.totals(directory: 0)[.delete] == nil)
  }

  @Test("The keys to put in doubt are the recorded ones, page by page")
  func keyPages() async throws {
    let desk = try await Desk()
    for number in 0..<10 {
      try await desk.manifest.recordMirrored(sampleRow("p/\(number)"), of: desk.mapping)
      try spool.append(change("p/\(number)", number < 8 ? .upload : .touch, isRecorded: number % 2 == 0))
    }
    var pages = spool.keyPages(of: [.upload, .delete], limit: 3)
    try desk.manifest.markInDoubt { try pages.next() }
    #expect(try desk.rows().filter(\.isInDoubt).map(\.key) == [0, 2, 4, 6].map { bytes("p/\($0)") })
    var every = spool.keyPages(of: [.touch], isRecordedOnly: false)
    #expect(try every.next() == [bytes("p/8"), bytes("p/9")])
    #expect(try every.next() == nil)
  }

  @Test("100,000 changes come back in both orders, in little memory")
  func many() throws {
    let before = try residentBytes()
    for number in 0..<100_000 {
      try spool.append(
        change("directory/file-\(number * 7919 % 100_000)", .upload, size: Int64(number % 1000)))
    }
    var last: SpooledChange?
    var count = 0
    while true {
      let page = try spool.page([.upload], order: .key, after: last, limit: 1000)
      guard let final = page.last else { break }
      count += page.count
      last = final
    }
    #expect(count == 100_000)
    let largest = try spool.page([.upload], order: .largestFirst, after: nil, limit: 100)
    #expect(largest.allSatisfy { $0.size == 999 })
    // The rows alone are some 10 MB; other suites run beside this one, hence the margin.
    #expect(try residentBytes() - before < 64 << 20)
  }

  private func residentBytes() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return (Int(fields[1]) ?? 0) * Int(getpagesize())
  }
}

@Suite("What stands in the way on a hierarchical remote")
struct ObstacleTests {
  let spool: ChangeSpool

  init() throws { spool = try ChangeSpool() }

  private func early() throws -> [String] {
    try spool.all(isEarly: true).map { String(decoding: $0.key, as: UTF8.self) }
  }

  @Test("A file gives way to a directory of its name, and a directory to a file")
  func deletionsComeEarly() throws {
    for key in ["a", "x/y/1", "x/y/2", "x/y-1", "other", "a-b"] {
      try spool.append(change(key, .delete, isRecorded: true))
    }
    for key in ["a/b/c", "a0", "x/y"] { try spool.append(change(key, .upload)) }
    let marked = try spool.markObstacles()
    #expect(marked == (3, 0))
    #expect(try early() == ["a", "x/y/1", "x/y/2"])
    #expect(try spool.all([.delete], isEarly: false).map(\.key) == ["a-b", "other", "x/y-1"].map(bytes))
    #expect(try spool.markObstacles() == (0, 0))
  }

  @Test("A neighbour in the order of bytes is no directory")
  func neighbours() throws {
    for key in ["a", "a.txt", "b", "b/"] { try spool.append(change(key, .delete, isRecorded: true)) }
    for key in ["a-b/c", "a.txt.bak", "a!", "b!x"] { try spool.append(change(key, .upload)) }
    #expect(try spool.markObstacles() == (0, 0))
  }

  @Test("Where the object stays, the upload becomes a conflict that names it")
  func conflicts() throws {
    try spool.append(change("a", .skip, reason: "gone here, deleting is off", isRecorded: true))
    try spool.append(change("a/b", .upload))
    try spool.append(change("a/c/d", .upload))
    try spool.append(change("x", .upload))
    try spool.append(change("x/\u{1}", .skip, reason: "gone here, deleting is off", isRecorded: true))
    try spool.append(change("x/2", .skip, isRecorded: true))
    try spool.append(change("free", .upload))
    #expect(try spool.markObstacles() == (0, 3))
    let conflicts = try spool.all([.conflict])
    #expect(conflicts.map(\.key) == ["a/b", "a/c/d", "x"].map(bytes))
    #expect(conflicts[0].reason == #""a" is in the way on the remote (gone here, deleting is off)"#)
    #expect(conflicts[2].reason.hasPrefix(#""x/\u{01}" is in the way"#))
    #expect(try spool.all([.upload]).map(\.key) == [bytes("free")])
  }

  @Test("What was skipped and is not on the remote stands in nobody's way")
  func unrecordedSkips() throws {
    try spool.append(change("a", .skip))
    try spool.append(change("a/b", .upload))
    #expect(try spool.markObstacles() == (0, 0))
  }

  @Test("Over many pages nothing is missed")
  func manyPages() throws {
    try spool.append(change("d", .upload))
    for number in 0..<3500 { try spool.append(change("d/\(number)", .delete, isRecorded: true)) }
    for number in 0..<1500 { try spool.append(change("d-\(number)", .delete, isRecorded: true)) }
    #expect(try spool.markObstacles() == (3500, 0))
  }
}
