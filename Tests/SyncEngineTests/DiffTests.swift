import Memory
import SyncBackend
import SyncManifest
import Testing

@testable import SyncEngine

@Suite("The merge of files and rows")
struct DiffTests {
  @Test("a stopped run doesn't look for all the files that are gone first")
  func stopped() throws {
    let fixture = try MirrorFixture()
    let job = try fixture.job()
    let scanner = Scanner(try SourceDirectory(path: fixture.source.path), ScanOptions())
    var diff = Diff(
      directory: 0, job: job, scanner: scanner, capabilities: MemoryLimits().capabilities,
      spool: try ChangeSpool())
    let flag = CancellationFlag()
    var key = Array("p/gone".utf8)
    key.withUnsafeMutableBytes { key in
      var rows = ManyRows(stop: flag, key: key)
      #expect(throws: CancellationError.self) { _ = try diff.run(&rows, flag) }
      #expect(rows.given < 20)
    }
  }

  /// A thousand rows, with the run being stopped at the tenth.
  private struct ManyRows: RowStream {
    let stop: CancellationFlag
    private(set) var given = 0
    private let storage: UnsafeMutableRawBufferPointer

    init(stop: CancellationFlag, key: UnsafeMutableRawBufferPointer) {
      self.stop = stop
      storage = key
    }

    mutating func next() throws -> Bool {
      given += 1
      if given == 10 { stop.raise() }
      return given <= 1000
    }

    /// The same for all: only how many there are matters.
    var key: UnsafeRawBufferPointer { UnsafeRawBufferPointer(storage) }
    let stamp = FileStamp(size: 0, modified: 0, changed: 0, inode: 0)
    let readAt: Int64 = 0
    let isInDoubt = false
    let isMultipart = false

    func hasOptions(_ fingerprint: [UInt8]) -> Bool { false }
  }
}
