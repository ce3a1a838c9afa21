import Digests
import Glibc
import SyncEngine
import Synchronization
import Testing

@Suite("What a scan may not read")
struct UnreadableTests {
  @Test("unreadable folders are reported and the scan goes on", arguments: [1, 2])
  func folders(threads: Int) throws {
    let fixture = try ScanFixture(["a/x": "", "closed/x": "", "closed/deep/y": "", "z": ""])
    #expect(chmod(fixture.path + "/closed", 0) == 0)
    defer { chmod(fixture.path + "/closed", 0o755) }
    let (items, summary) = try withoutRights { try fixture.scan(ScanOptions(threads: threads)) }
    #expect(items.map(\.description) == ["file a/x", "unreadable \(EACCES) closed/", "file z"])
    #expect(summary.unreadable == 1)
    #expect(summary.entriesSeen == 4)
  }

  @Test("a folder that may be listed but not entered reports each entry")
  func listedOnly() throws {
    let fixture = try ScanFixture(["listed/file": "", "listed/sub/x": ""])
    #expect(chmod(fixture.path + "/listed", 0o444) == 0)
    defer { chmod(fixture.path + "/listed", 0o755) }
    let items = try withoutRights { try fixture.scan(ScanOptions(readsIgnoreFiles: false)).items }
    #expect(
      items.map(\.description) == ["unreadable \(EACCES) listed/file", "unreadable \(EACCES) listed/sub/"])
  }

  @Test("a folder whose .syncignore can't be read is not mirrored: what it hides is not known")
  func ignoreFile() throws {
    let fixture = try ScanFixture(["a/.syncignore": "secret", "a/secret": "", "b": ""])
    #expect(chmod(fixture.path + "/a/.syncignore", 0) == 0)
    let items = try withoutRights { try fixture.scan().items }
    #expect(items.map(\.description) == ["unreadable \(EACCES) a/", "file b"])
  }

  @Test("files without the right to read are met, and opening them says why not")
  func files() throws {
    let fixture = try ScanFixture(["secret": "123"])
    #expect(chmod(fixture.path + "/secret", 0) == 0)
    let error = try withoutRights { () throws -> SourceError? in
      #expect(try fixture.seen() == ["file secret"])
      #expect(try fixture.source().stamp(of: Array("secret".utf8))?.size == 3)
      return #expect(throws: SourceError.self) { try fixture.source().open(Array("secret".utf8)) }
    }
    #expect(error == SourceError(.unreadable, code: EACCES))
    #expect(error.map { "\($0)" } == "Permission denied")
  }

  @Test("a source without the right to read it is an error")
  func source() throws {
    let fixture = try ScanFixture(["x": ""])
    #expect(chmod(fixture.path, 0) == 0)
    defer { chmod(fixture.path, 0o755) }
    let error = try withoutRights { () throws -> SourceError? in
      #expect(throws: SourceError.self) { try fixture.source() }
    }
    #expect(error?.kind == .unreadable)
  }

  @Test("rows below a folder that can't be read are hidden")
  func hidden() throws {
    let fixture = try ScanFixture(["closed/x": ""])
    #expect(chmod(fixture.path + "/closed", 0) == 0)
    defer { chmod(fixture.path + "/closed", 0o755) }
    let isHidden = try withoutRights {
      Scanner(try fixture.source(), ScanOptions()).wouldHide(Array("closed/gone".utf8))
    }
    #expect(isHidden)
  }

  /// Runs `body` on a thread that the file system sees as nobody's. Root reads everything, and the process's user is
  /// not ours to change while other tests run; Linux keeps this user for each thread, and its threads inherit it.
  private func withoutRights<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value
  {
    typealias SetUser = @convention(c) (uid_t) -> CInt
    let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "setfsuid"))
    let setUser = unsafeBitCast(symbol, to: SetUser.self)
    let outcome = Outcome<Value>()
    let thread = try #require(
      WorkerThread {
        _ = setUser(65534)
        outcome.result.withLock { $0 = Result(catching: body) }
      })
    thread.join()
    return try #require(outcome.result.withLock { $0 }).get()
  }
}

private final class Outcome<Value: Sendable>: Sendable {
  let result = Mutex<Result<Value, any Error>?>(nil)
}
