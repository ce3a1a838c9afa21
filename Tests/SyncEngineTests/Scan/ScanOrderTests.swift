import Glibc
import SyncEngine
import TestSupport
import Testing

@Suite("A scan's order")
struct ScanOrderTests {
  @Test("a directory compares as its name with a slash")
  func directoriesWithSlash() throws {
    let source = try ScanFixture([
      "a/z": "", "a-b": "", "a.b": "", "a0": "", "a/b/c": "", "a/b-": "", "b": "",
    ])
    #expect(
      try source.seen() == [
        "file a-b", "file a.b", "file a/b-", "file a/b/c", "file a/z", "file a0", "file b",
      ])
  }

  @Test(
    "the order of random trees is the byte order of their paths, on any number of threads, from memory and from disk",
    arguments: 1...3)
  func randomTrees(seed: UInt64) throws {
    let fixture = try ScanFixture()
    var random = SeededRandom(seed: seed)
    var expected: [[UInt8]] = []
    try grow(in: fixture.path, below: [], depth: 4, &random, &expected)
    expected.sort { $0.lexicographicallyPrecedes($1) }
    for (threads, entriesInMemory) in [(1, 100_000), (2, 100_000), (4, 100_000), (1, 100), (3, 7), (2, 1)] {
      let (items, summary) = try fixture.scan(
        ScanOptions(threads: threads, entriesInMemory: entriesInMemory))
      #expect(items.map(\.path) == expected, "\(threads) threads, \(entriesInMemory) entries")
      #expect(summary.files == Int64(expected.count))
    }
  }

  @Test(
    "one directory of thousands of entries, in runs of 100 on disk, tells files and folders as memory does")
  func longRuns() throws {
    let fixture = try ScanFixture([".syncignore": "*7\n", "dir-7/a": "", "sub/b": ""])
    for number in 0..<3000 { try touch(fixture.path + "/name-\(number)") }
    let inMemory = try fixture.scan(ScanOptions())
    let fromDisk = try fixture.scan(ScanOptions(entriesInMemory: 100))
    #expect(fromDisk.items == inMemory.items)
    #expect(fromDisk.summary == inMemory.summary)
    #expect(inMemory.summary.excluded == 301)
    #expect(inMemory.summary.files == 2702)
  }

  @Test("a temporary file that can't be made ends the scan with advice")
  func noTemporaryFile() throws {
    let fixture = try ScanFixture(["a": "", "b": "", "c": ""])
    let options = ScanOptions(entriesInMemory: 1, temporaryDirectory: fixture.path + "/nowhere")
    let error = #expect(throws: SourceError.self) { try fixture.scan(options) }
    #expect(error?.kind == .temporaryFile)
    #expect(error?.description.contains("$TMPDIR") == true)
  }

  @Test("an error thrown by the visitor ends the scan", arguments: [1, 3])
  func visitorThrows(threads: Int) throws {
    struct Enough: Error {}
    let fixture = try ScanFixture()
    for folder in 0..<50 {
      for file in 0..<20 { try fixture.write("", to: "d\(folder)/f\(file)") }
    }
    var count = 0
    #expect(throws: Enough.self) {
      try Scanner(fixture.source(), ScanOptions(threads: threads)).scan { _, _ in
        count += 1
        if count == 100 { throw Enough() }
      }
    }
    #expect(count == 100)
  }

  @Test("a tree deeper than PATH_MAX and than the limit of open files is walked, and its files open")
  func deepTree() throws {
    let fixture = try ScanFixture()
    let name = String(repeating: "d", count: 20)
    var here = open(fixture.path, O_RDONLY | O_DIRECTORY)
    for _ in 0..<1500 {
      #expect(mkdirat(here, name, 0o755) == 0)
      let next = openat(here, name, O_RDONLY | O_DIRECTORY)
      close(here)
      here = next
    }
    close(openat(here, "deep", O_CREAT | O_WRONLY, 0o644))
    close(here)
    let (items, summary) = try fixture.scan()
    let path = try #require(items.first?.path)
    #expect(items.count == 1)
    #expect(path.count == 1500 * 21 + 4)
    #expect(summary.directories == 1500)
    let source = try fixture.source()
    #expect(items.first?.item == .file(try source.open(path).stamp))
    #expect(try source.stamp(of: path) == source.open(path).stamp)
    #expect(Scanner(source, ScanOptions()).wouldHide(path))
    // Foundation and rm take paths; this one is too long for them.
    try removeDeep(fixture.path, name)
  }

  /// Random names from bytes that are near the slash, control characters and no UTF-8 among them.
  private func grow(
    in path: String, below prefix: [UInt8], depth: Int, _ random: inout SeededRandom, _ files: inout [[UInt8]]
  ) throws {
    let bytes: [UInt8] = [0x01, 0x0a, 0x2d, 0x2e, 0x30, 0x61, 0x62, 0xc3, 0xff]
    var names: Set<[UInt8]> = []
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let length = Int.random(in: 1...10, using: &random)
      let byte = { (random: inout SeededRandom) in bytes[Int.random(in: 0..<bytes.count, using: &random)] }
      let name =
        Bool.random(using: &random)
        ? (0..<length).map { _ in byte(&random) }
        : Array(repeating: byte(&random), count: length > 9 ? 255 : length)
      if name != [0x2e], name != [0x2e, 0x2e] { names.insert(name) }
    }
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let relative = prefix + name
      let full = Array(path.utf8) + [0x2f] + relative + [0]
      let isFolder = depth > 0 && Int.random(in: 0..<3, using: &random) == 0
      try full.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { text in
        let start = try #require(text.baseAddress)
        if isFolder {
          #expect(mkdir(start, 0o755) == 0)
        } else {
          close(open(start, O_CREAT | O_WRONLY, 0o644))
          files.append(relative)
        }
      }
      if isFolder { try grow(in: path, below: relative + [0x2f], depth: depth - 1, &random, &files) }
    }
  }

  private func touch(_ path: String) throws {
    let file = open(path, O_CREAT | O_WRONLY, 0o644)
    try #require(file >= 0)
    close(file)
  }

  /// Moves each level up to the top before it removes the one above.
  private func removeDeep(_ top: String, _ name: String) throws {
    let root = open(top, O_RDONLY | O_DIRECTORY)
    defer { close(root) }
    while true {
      let child = openat(root, name, O_RDONLY | O_DIRECTORY)
      guard child >= 0 else { return }
      defer { close(child) }
      unlinkat(child, "deep", 0)
      let hasMore = renameat(child, name, root, "next") == 0
      #expect(unlinkat(root, name, AT_REMOVEDIR) == 0)
      if hasMore { #expect(renameat(root, "next", root, name) == 0) }
    }
  }
}
