import SyncEngine
import Testing

@Suite("Patterns")
struct PatternTests {
  private let tree = [
    "a.txt": "", "b.tmp": "", "cache/x": "", "src/cache/y": "", "src/a.txt": "", "src/deep/a.txt": "",
    "photos/1.jpg": "", "photos/raw/2.jpg": "", "photos/raw/2.xmp": "",
  ]

  @Test("excludes are gitignore lines from the source's root")
  func exclude() throws {
    let fixture = try ScanFixture(tree)
    #expect(
      try fixture.files(exclude: ["cache/", "*.tmp", "/a.txt", "photos/**/*.xmp"])
        == ["photos/1.jpg", "photos/raw/2.jpg", "src/a.txt", "src/deep/a.txt"])
  }

  @Test("an excluded folder is one tree, and nothing in it can be taken back")
  func excludedTree() throws {
    let fixture = try ScanFixture(tree)
    let filter = try PathFilter(exclude: ["photos/", "!photos/1.jpg"], include: ["photos/", "a.txt"])
    let seen = try fixture.seen(ScanOptions(filter: filter))
    #expect(seen.contains("excluded photos/"))
    #expect(!seen.contains { $0.contains("1.jpg") })
  }

  @Test("with includes, only what matches or lies below a match is mirrored; excludes win")
  func include() throws {
    let fixture = try ScanFixture(tree)
    #expect(try fixture.files(include: ["photos/raw"]) == ["photos/raw/2.jpg", "photos/raw/2.xmp"])
    #expect(try fixture.files(include: ["a.txt"]) == ["a.txt", "src/a.txt", "src/deep/a.txt"])
    #expect(
      try fixture.files(include: ["/src/*.txt", "*.jpg"]) == [
        "photos/1.jpg", "photos/raw/2.jpg", "src/a.txt",
      ])
    #expect(try fixture.files(include: ["src/", "!src/deep/"]) == ["src/a.txt", "src/cache/y"])
    #expect(try fixture.files(exclude: ["*.xmp"], include: ["photos/raw"]) == ["photos/raw/2.jpg"])
    #expect(try fixture.files(include: ["nothing"]) == [])
  }

  @Test("a folder that no include can lead into is hidden as a whole")
  func includePrunes() throws {
    let filter = try PathFilter(exclude: [], include: ["/photos/raw/"])
    let seen = try ScanFixture(tree).seen(ScanOptions(filter: filter))
    #expect(
      seen == [
        "excluded a.txt", "excluded b.tmp", "excluded cache/", "excluded photos/1.jpg",
        "file photos/raw/2.jpg",
        "file photos/raw/2.xmp", "excluded src/",
      ])
  }

  @Test("a .syncignore holds below its folder, deeper ones win, and it is mirrored itself")
  func ignoreFiles() throws {
    let fixture = try ScanFixture([
      ".syncignore": "*.log\n/top\n", "top": "", "x.log": "", "sub/.syncignore": "!keep.log\n/own\n",
      "sub/keep.log": "", "sub/y.log": "", "sub/own": "", "sub/top": "", "sub/deep/keep.log": "",
      "sub/deep/own": "",
    ])
    let kept = [
      ".syncignore", "sub/.syncignore", "sub/deep/keep.log", "sub/deep/own", "sub/keep.log", "sub/top",
    ]
    #expect(try fixture.files() == kept)
    #expect(try fixture.files(exclude: ["deep/"]) == kept.filter { !$0.contains("deep") })
    #expect(try fixture.scan(ScanOptions(readsIgnoreFiles: false)).summary.files == 10)
  }

  @Test("a .syncignore takes back what the configuration excludes")
  func ignoreFileOverConfiguration() throws {
    let fixture = try ScanFixture([".syncignore": "!wanted.tmp\n", "wanted.tmp": "", "other.tmp": ""])
    #expect(try fixture.files(exclude: ["*.tmp"]) == [".syncignore", "wanted.tmp"])
  }

  @Test("a .syncignore that is a link is not followed, and one that is too large hides its folder")
  func oddIgnoreFiles() throws {
    let fixture = try ScanFixture(["rules": "*.log\n", "x.log": "", "big/y": ""])
    fixture.link(".syncignore", to: "rules")
    #expect(try fixture.files() == ["big/y", "rules", "x.log"])
    try fixture.write(String(repeating: "#\n", count: 3 << 20), to: "big/.syncignore")
    #expect(try fixture.seen().contains { $0.hasPrefix("unreadable") && $0.hasSuffix("big/") })
  }

  @Test(
    "patterns that can't be meant are refused",
    arguments: ["", "  ", "# note", "a[b", "[[:nothing:]]", "tail\\", "!", "/", "a\nb", "a\0b"])
  func refused(pattern: String) {
    let error = #expect(throws: PatternError.self) { try PathFilter(exclude: [pattern], include: []) }
    #expect(error?.pattern == pattern)
  }

  @Test("names are bytes: composed and decomposed letters are two names")
  func bytes() throws {
    let fixture = try ScanFixture()
    for name in ["\u{e9}", "e\u{301}"] { try fixture.write("", to: name) }
    #expect(try fixture.scan().items.count == 2)
    #expect(try fixture.files(exclude: ["\u{e9}"]).map { Array($0.utf8) } == [Array("e\u{301}".utf8)])
    // One `?` is one byte.
    #expect(try fixture.files(exclude: ["??"]).map { Array($0.utf8) } == [Array("e\u{301}".utf8)])
  }
}
