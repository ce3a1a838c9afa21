import Glibc
import SyncEngine
import Testing

@Suite("Symbolic links in a source")
struct SymlinkTests {
  private func fixture() throws -> ScanFixture {
    let fixture = try ScanFixture(["folder/file": "1234", "plain": "12"])
    try fixture.directory.write("outside", to: "elsewhere/secret")
    fixture.link("to-file", to: "plain")
    fixture.link("to-folder", to: "folder")
    fixture.link("to-absolute", to: fixture.path + "/folder/file")
    fixture.link("to-outside", to: "../elsewhere")
    fixture.link("to-secret", to: "../elsewhere/secret")
    fixture.link("to-nothing", to: "none")
    return fixture
  }

  @Test("skip: every link is hidden and counted")
  func skip() throws {
    let (items, summary) = try fixture().scan()
    #expect(
      items.map(\.description) == [
        "file folder/file", "file plain", "symlink to-absolute", "symlink to-file", "symlink to-folder",
        "symlink to-nothing", "symlink to-outside", "symlink to-secret",
      ])
    #expect(summary.skippedSymlinks == 6)
  }

  @Test("follow: files and folders wherever they are, with the target's stamp; dangling links are hidden")
  func follow() throws {
    let fixture = try fixture()
    let (items, summary) = try fixture.scan(ScanOptions(symlinks: .follow))
    #expect(
      items.map(\.description) == [
        "file folder/file", "file plain", "file to-absolute", "file to-file", "file to-folder/file",
        "symlink to-nothing", "file to-outside/secret", "file to-secret",
      ])
    #expect(summary.skippedSymlinks == 1)
    #expect(items[2].item == items[0].item)
    #expect(items[3].item == items[1].item)
  }

  @Test("follow-inside: only where the target is in the source, by absolute links too")
  func followInside() throws {
    let (items, summary) = try fixture().scan(ScanOptions(symlinks: .followInside))
    #expect(
      items.map(\.description) == [
        "file folder/file", "file plain", "file to-absolute", "file to-file", "file to-folder/file",
        "symlink to-nothing", "symlink to-outside", "symlink to-secret",
      ])
    #expect(summary.skippedSymlinks == 3)
  }

  @Test("follow-inside: a sibling whose name begins like the source's is outside")
  func sibling() throws {
    let fixture = try ScanFixture()
    try fixture.directory.write("", to: "source-2/file")
    fixture.link("link", to: "../source-2/file")
    #expect(try fixture.seen(ScanOptions(symlinks: .followInside)) == ["symlink link"])
  }

  @Test(
    "a link to a folder above itself is reported, not walked",
    arguments: [SymlinkPolicy.follow, .followInside])
  func loop(policy: SymlinkPolicy) throws {
    let fixture = try ScanFixture(["a/b/file": ""])
    fixture.link("a/b/up", to: "..")
    fixture.link("a/b/top", to: "../..")
    fixture.link("a/self", to: "self")
    let (items, summary) = try fixture.scan(ScanOptions(symlinks: policy))
    #expect(
      items.map(\.description) == [
        "file a/b/file", "unreadable \(ELOOP) a/b/top/", "unreadable \(ELOOP) a/b/up/", "symlink a/self",
      ])
    #expect(summary.unreadable == 2)
  }

  @Test("patterns for folders take in followed links to folders, as if they were those")
  func patterns() throws {
    let filter = try PathFilter(exclude: ["to-folder/", "to-file/"], include: [])
    let seen = try fixture().seen(ScanOptions(filter: filter, symlinks: .follow))
    #expect(seen.contains("excluded to-folder/"))
    #expect(seen.contains("file to-file"))
  }

  @Test("opening goes by the policy, for links on the way as well as at the end")
  func opening() throws {
    let fixture = try fixture()
    let source = try fixture.source()
    func size(_ path: String, _ policy: SymlinkPolicy) -> Int64? {
      (try? source.open(Array(path.utf8), symlinks: policy))?.stamp.size
    }
    for path in ["to-file", "to-folder/file", "to-absolute", "to-outside/secret", "to-secret"] {
      let error = #expect(throws: SourceError.self) { try source.open(Array(path.utf8)) }
      #expect(error?.kind == .symlink || error?.kind == .notDirectory, "\(path)")
      #expect(size(path, .follow) != nil, "\(path)")
    }
    #expect(size("to-folder/file", .followInside) == 4)
    #expect(size("to-absolute", .followInside) == 4)
    #expect(size("to-outside/secret", .followInside) == nil)
    #expect(size("to-secret", .followInside) == nil)
  }
}
