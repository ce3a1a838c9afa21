import Foundation
import SyncEngine
import Testing

@Suite("What a run decides about a file")
struct DecisionTests {
  private let fixture: MirrorFixture

  init() throws {
    fixture = try MirrorFixture()
  }

  @Test("a new file is uploaded, and the next run asks the remote nothing")
  func new() async throws {
    try fixture.source.write("hello", to: "a.txt")
    let first = try await fixture.run()
    #expect(first.plan == ["upload a.txt (new)"])
    #expect(fixture.object("a.txt") == "hello")
    let second = try await fixture.run()
    #expect(second.summary.requests == 0)
    #expect(second.summary.uploaded == 0 && second.summary.status == 0)
    #expect(fixture.bucket.calls.count == 1)
  }

  @Test("another size is told as such, without reading the file")
  func size() async throws {
    try fixture.source.write("ten bytes!", to: "a")
    try await fixture.run()
    try fixture.source.write("twelve bytes", to: "a")
    let outcome = try await fixture.run()
    #expect(outcome.plan == ["upload a (size 10 → 12)"])
    #expect(fixture.object("a") == "twelve bytes")
  }

  @Test("another content of the same size is found, also behind an older time")
  func content() async throws {
    try fixture.source.write("before", to: "a")
    try await fixture.run()
    try fixture.source.write("after!", to: "a")
    fixture.age("a")
    #expect(try await fixture.run().plan == ["upload a (content)"])
    #expect(fixture.object("a") == "after!")
  }

  @Test("a touched file only has its row touched")
  func touched() async throws {
    try fixture.source.write("same", to: "a")
    try await fixture.run()
    fixture.age("a")
    let outcome = try await fixture.run()
    #expect(outcome.plan == ["touch a (same content, other times)"])
    #expect(outcome.summary.touched == 1 && outcome.summary.requests == 0)
  }

  @Test("a change within the clock's grain of the last read is not missed")
  func racy() async throws {
    try fixture.source.write("before", to: "a")
    // As if the file had been read in the very moment of its last change.
    try await fixture.run(later: -60)
    // The same stamp, as a coarse clock would leave it: only the 2-second rule makes the run look.
    let outcome = try await fixture.run(later: -60)
    #expect(outcome.plan == ["touch a (same content, read again to be sure)"])
    try await fixture.settle()
    let settled = try await fixture.run()
    #expect(settled.plan.isEmpty && settled.summary.unchanged == 1)
  }

  @Test("--checksum reads what size and times call equal")
  func checksum() async throws {
    try fixture.source.write("same", to: "a")
    try await fixture.run()
    try await fixture.settle()
    #expect(try await fixture.run().plan.isEmpty)
    let outcome = try await fixture.run { $0.comparesContent = true }
    #expect(outcome.plan == ["touch a (same content, read again to be sure)"])
  }

  @Test("files in parts are compared by the same parts")
  func parts() async throws {
    let parts: (inout MirrorJob) -> Void = { $0.transfer.partSize = 1000 }
    try fixture.source.write([UInt8](repeating: 7, count: 4500), to: "big")
    try await fixture.run(parts)
    #expect(fixture.calls(.uploadPart) == 5)
    fixture.age("big")
    #expect(try await fixture.run(parts).plan == ["touch big (same content, other times)"])
    try fixture.source.write([UInt8](repeating: 8, count: 4500), to: "big")
    #expect(try await fixture.run(parts).plan == ["upload big (content)"])
  }

  @Test("other object options send what they concern again")
  func options() async throws {
    try fixture.source.write([UInt8](repeating: 7, count: 4500), to: "big")
    try fixture.source.write("small", to: "small")
    try await fixture.run { $0.transfer.partSize = 1000 }
    let outcome = try await fixture.run {
      $0.transfer.partSize = 1000
      $0.transfer.wholeMD5 = true
    }
    #expect(outcome.plan.contains("upload big (options changed)"))
    #expect(!outcome.plan.contains { $0.hasPrefix("upload small") })
  }

  @Test("an empty file is an object")
  func empty() async throws {
    try fixture.source.write("", to: "empty")
    try await fixture.run()
    #expect(fixture.object("empty") == "")
  }

  @Test("verbose runs say what is equal")
  func unchanged() async throws {
    try fixture.source.write("x", to: "a")
    try await fixture.run()
    try await fixture.settle()
    let outcome = try await fixture.run { $0.reportsUnchanged = true }
    #expect(outcome.plan == ["skip a (unchanged)"])
  }

  @Test("the preview is the truth, and writes no state")
  func preview() async throws {
    try fixture.source.write("one", to: "a")
    try fixture.source.write("two", to: "d/b")
    let first = try await fixture.run(dryRun: true)
    #expect(!FileManager.default.fileExists(atPath: fixture.state.path + "/state"))
    #expect(fixture.bucket.calls.isEmpty)
    #expect(try await fixture.run().plan == first.plan)

    try fixture.source.write("three", to: "a")
    try FileManager.default.removeItem(atPath: fixture.source.path + "/d/b")
    let listing = { try FileManager.default.subpathsOfDirectory(atPath: fixture.state.path).sorted() }
    let before = try listing()
    let second = try await fixture.run(dryRun: true) { $0.deletes = true }
    #expect(try listing() == before)
    #expect(second.plan == ["upload a (size 3 → 5)", "delete d/b (gone here)"])
    #expect(try await fixture.run { $0.deletes = true }.plan == second.plan)
    #expect(fixture.keys == ["p/a"])
  }
}
