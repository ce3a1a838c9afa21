import Glibc
import SyncEngine
import Testing

@Suite("Paths that a scan did not meet")
struct HiddenPathsTests {
  private func hides(
    _ fixture: ScanFixture, _ path: String, exclude: [String] = [], include: [String] = [],
    _ symlinks: SymlinkPolicy = .skip
  ) throws -> Bool {
    let filter = try PathFilter(exclude: exclude, include: include)
    return Scanner(try fixture.source(), ScanOptions(filter: filter, symlinks: symlinks)).wouldHide(
      Array(path.utf8))
  }

  @Test("what is simply gone is not hidden, however much of its path is left")
  func gone() throws {
    let fixture = try ScanFixture(["a/b/c": "", "file": ""])
    for path in ["gone", "a/gone", "a/b/gone", "gone/x/y", "file/x"] {
      #expect(try !hides(fixture, path), "\(path)")
    }
  }

  @Test("what the patterns would exclude is hidden, also below folders that are gone")
  func excluded() throws {
    let fixture = try ScanFixture(["a/b": ""])
    #expect(try hides(fixture, "x.tmp", exclude: ["*.tmp"]))
    #expect(try hides(fixture, "gone/cache/x", exclude: ["cache/"]))
    #expect(try !hides(fixture, "gone/cache", exclude: ["cache/"]))
    #expect(try hides(fixture, "other/x", include: ["a/"]))
    #expect(try !hides(fixture, "a/x", include: ["a/"]))
  }

  @Test("an ignore file in a folder that still exists counts")
  func ignoreFiles() throws {
    let fixture = try ScanFixture(["a/.syncignore": "gone/\n*.log\n!keep.log\n"])
    #expect(try hides(fixture, "a/gone/deep/x"))
    #expect(try hides(fixture, "a/sub/x.log"))
    #expect(try !hides(fixture, "a/sub/keep.log"))
    #expect(try !hides(fixture, "x.log"))
  }

  @Test("below a link that is not followed everything is hidden")
  func links() throws {
    let fixture = try ScanFixture(["real/x": ""])
    fixture.link("link", to: "real")
    fixture.link("out", to: "..")
    fixture.link("dangling", to: "none")
    #expect(try hides(fixture, "link"))
    #expect(try hides(fixture, "link/gone"))
    #expect(try !hides(fixture, "link/gone", .follow))
    #expect(try !hides(fixture, "link/gone", .followInside))
    #expect(try hides(fixture, "out/gone", .followInside))
    #expect(try !hides(fixture, "out/gone", .follow))
    #expect(try hides(fixture, "dangling/gone", .follow))
  }

  @Test("a file that is there after all is hidden; a folder in its place is not")
  func present() throws {
    let fixture = try ScanFixture(["file": "", "folder/x": ""])
    #expect(try hides(fixture, "file"))
    #expect(try hides(fixture, "folder/x"))
    #expect(try !hides(fixture, "folder"))
  }
}
