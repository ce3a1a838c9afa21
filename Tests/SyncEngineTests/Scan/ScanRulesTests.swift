import Glibc
import SyncEngine
import SyncManifest
import Testing

@Suite("What a scan meets")
struct ScanRulesTests {
  @Test("a file's stamp is what the file system says, in nanoseconds")
  func stamps() throws {
    let fixture = try ScanFixture(["a": "12345"])
    var times = [
      timespec(tv_sec: 1_700_000_000, tv_nsec: 123_456_789), timespec(tv_sec: -5, tv_nsec: 999_999_999),
    ]
    times[0] = times[1]
    times[1] = timespec(tv_sec: 1_700_000_000, tv_nsec: 123_456_789)
    #expect(utimensat(AT_FDCWD, fixture.path + "/a", times, 0) == 0)
    var status = stat()
    #expect(lstat(fixture.path + "/a", &status) == 0)
    let items = try fixture.scan().items
    guard case .file(let stamp) = items.first?.item else { return #expect(Bool(false), "no file: \(items)") }
    #expect(stamp.size == 5)
    #expect(stamp.modified == 1_700_000_000_123_456_789)
    #expect(stamp.changed == Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec))
    #expect(stamp.inode == UInt64(status.st_ino))
  }

  @Test("the summary counts everything once")
  func summary() throws {
    let fixture = try ScanFixture(["a": "123", "d/b": "45", "d/e/c": "", "x/skipped": "", "y.tmp": ""])
    fixture.link("link", to: "a")
    #expect(mkfifo(fixture.path + "/fifo", 0o644) == 0)
    let filter = try PathFilter(exclude: ["x/", "*.tmp"], include: [])
    let summary = try fixture.scan(ScanOptions(filter: filter)).summary
    #expect(summary.files == 3)
    #expect(summary.bytes == 5)
    #expect(summary.directories == 2)
    #expect(summary.excluded == 2)
    #expect(summary.skippedSymlinks == 1)
    #expect(summary.specialFiles == 1)
    #expect(summary.unreadable == 0)
    #expect(summary.entriesSeen == 9)
  }

  @Test("an empty source has no entries; one with an empty folder has")
  func emptySource() throws {
    let fixture = try ScanFixture()
    #expect(try fixture.scan().summary.entriesSeen == 0)
    #expect(mkdir(fixture.path + "/folder", 0o755) == 0)
    #expect(try fixture.scan().summary.entriesSeen == 1)
  }

  @Test("FIFOs, sockets and devices are hidden; no scan waits for one")
  func specialFiles() throws {
    let fixture = try ScanFixture(["z": ""])
    #expect(mkfifo(fixture.path + "/fifo", 0o644) == 0)
    let device = mknod(fixture.path + "/null", S_IFCHR | 0o666, 0x103) == 0
    let expected = ["specialFile fifo"] + (device ? ["specialFile null"] : []) + ["file z"]
    #expect(try fixture.seen() == expected)
  }

  @Test("a missing source, and one that is a file, are told apart")
  func missingSource() throws {
    let fixture = try ScanFixture(["file": ""])
    let missing = #expect(throws: SourceError.self) { try SourceDirectory(path: fixture.path + "/none") }
    #expect(missing?.isMissing == true)
    #expect(missing.map { "\($0)" } == "No such file or directory")
    let file = #expect(throws: SourceError.self) { try SourceDirectory(path: fixture.path + "/file") }
    #expect(file?.kind == .notDirectory)
  }

  @Test("opening a file refuses folders, FIFOs, and paths that lead out")
  func opening() throws {
    let fixture = try ScanFixture(["d/a": "123"])
    #expect(mkfifo(fixture.path + "/fifo", 0o644) == 0)
    let source = try fixture.source()
    #expect(try source.open(Array("d/a".utf8)).stamp.size == 3)
    for (path, kind) in [
      ("d", SourceError.Kind.notRegularFile), ("fifo", .notRegularFile), ("none", .missing),
      ("d/a/x", .notDirectory),
      ("", .invalidPath), ("/etc/passwd", .invalidPath), ("../source/d/a", .invalidPath),
      ("d/../d/a", .invalidPath),
      ("d//a", .invalidPath), ("d/a/", .invalidPath), ("d/./a", .invalidPath), ("d/a\0b", .invalidPath),
    ] {
      let error = #expect(throws: SourceError.self, "\(path)") { try source.open(Array(path.utf8)) }
      #expect(error?.kind == kind, "\(path)")
    }
  }

  @Test("a stamp is nil where no file of that name is")
  func stampOfNothing() throws {
    let fixture = try ScanFixture(["d/a": "123"])
    fixture.link("link", to: "d/a")
    let source = try fixture.source()
    #expect(try source.stamp(of: Array("d/a".utf8))?.size == 3)
    for path in ["d", "none", "d/none", "d/a/none", "link"] {
      #expect(try source.stamp(of: Array(path.utf8)) == nil, "\(path)")
    }
    #expect(try source.stamp(of: Array("link".utf8), symlinks: .follow)?.size == 3)
  }

  @Test("files that come and go during a scan do no harm")
  func changesMeanwhile() throws {
    let fixture = try ScanFixture(["a/1": "", "b/1": "", "b/2": "", "c": ""])
    var met: [String] = []
    try Scanner(fixture.source(), ScanOptions(threads: 1)).scan { path, _ in
      met.append(String(decoding: path, as: UTF8.self))
      if met.count == 1 {
        unlink(fixture.path + "/b/1")
        unlink(fixture.path + "/b/2")
        rmdir(fixture.path + "/b")
      }
    }
    #expect(met == ["a/1", "c"])
  }
}
