import Foundation
import Memory
import SyncBackend
import SyncEngine
import Testing

@Suite("What is deleted, and what never is")
struct DeletionTests {
  private let fixture: MirrorFixture

  init() throws {
    fixture = try MirrorFixture()
  }

  private func remove(_ path: String) throws {
    try FileManager.default.removeItem(atPath: fixture.source.path + "/" + path)
  }

  private let deleting: (inout MirrorJob) -> Void = { $0.deletes = true }

  @Test("what is gone here stays there while delete is off, and is told")
  func off() async throws {
    try fixture.source.write("a", to: "a")
    try fixture.source.write("b", to: "b")
    try await fixture.run()
    try remove("b")
    let outcome = try await fixture.run()
    #expect(outcome.plan.contains("skip b (gone here, kept there: delete is off)"))
    #expect(outcome.summary.kept == 1)
    #expect(fixture.object("b") == "b")
  }

  @Test("what is gone here is deleted there, and nothing else")
  func on() async throws {
    try fixture.source.write("a", to: "a")
    try fixture.source.write("b", to: "b")
    try await fixture.run()
    _ = try await fixture.bucket.put(
      Payload(.bytes([1])), to: ObjectKey("p/foreign"), options: ObjectOptions())
    try remove("b")
    let outcome = try await fixture.run(deleting)
    #expect(outcome.summary.deleted == 1)
    #expect(fixture.keys == ["p/a", "p/foreign"])
    #expect(try await fixture.run(deleting).summary.requests == 0)
  }

  @Test("what is excluded is hidden, not gone: neither the files nor those that vanish while excluded")
  func excluded() async throws {
    try fixture.source.write("a", to: "a")
    try fixture.source.write("b", to: "cache/b")
    try fixture.source.write("c", to: "cache/c")
    try await fixture.run()
    try remove("cache/c")
    _ = try await fixture.run(exclude: ["cache/"], deleting)
    #expect(fixture.keys == ["p/a", "p/cache/b", "p/cache/c"])
    try remove("cache")
    _ = try await fixture.run(exclude: ["cache/"], deleting)
    #expect(fixture.keys == ["p/a", "p/cache/b", "p/cache/c"])
  }

  @Test("a folder that became a skipped symlink hides what was below it")
  func symlink() async throws {
    try fixture.source.write("a", to: "a")
    try fixture.source.write("b", to: "folder/b")
    try fixture.source.write("n", to: "folder-neighbour")
    try await fixture.run()
    try remove("folder")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.source.path + "/folder", withDestinationPath: "/nowhere")
    let outcome = try await fixture.run(deleting)
    #expect(outcome.summary.deleted == 0)
    #expect(fixture.object("folder/b") == "b")
  }

  @Test("an empty source is refused before anything is done, unless it is said to be meant")
  func empty() async throws {
    try fixture.source.write("a", to: "a")
    try await fixture.run()
    try remove("a")
    fixture.bucket.forgetCalls()
    let refused = try await fixture.run(deleting)
    #expect(refused.summary.status == 65)
    #expect(fixture.bucket.calls.isEmpty && fixture.object("a") == "a")
    let meant = try await fixture.run {
      $0.deletes = true
      $0.refusesEmptySource = false
    }
    #expect(meant.summary.status == 0 && fixture.keys.isEmpty)
  }

  @Test("a missing sentinel is refused")
  func sentinel() async throws {
    try fixture.source.write("a", to: "a")
    let watched: (inout MirrorJob) -> Void = { $0.sentinel = ".mirror-me" }
    #expect(try await fixture.run(watched).summary.status == 65)
    #expect(fixture.keys.isEmpty)
    try fixture.source.write("", to: ".mirror-me")
    #expect(try await fixture.run(watched).summary.status == 0)
  }

  @Test("beyond max_delete nothing is done at all, uploads included")
  func limit() async throws {
    for number in 0..<40 { try fixture.source.write("\(number)", to: "f\(number)") }
    try await fixture.run()
    for number in 0..<11 { try remove("f\(number)") }
    try fixture.source.write("new", to: "new")
    fixture.bucket.forgetCalls()
    let refused = try await fixture.run(deleting)
    #expect(refused.summary.status == 65 && fixture.bucket.calls.isEmpty)
    #expect(refused.errorText.contains("11 of 40"))
    #expect(try await fixture.run(dryRun: true, deleting).summary.status == 65)
    let allowed = try await fixture.run {
      $0.deletes = true
      $0.deleteLimit = .count(11)
    }
    #expect(allowed.summary.deleted == 11 && allowed.summary.uploaded == 1)
  }

  @Test("ten deletions are always within a share, and a number is a number")
  func share() async throws {
    for number in 0..<12 { try fixture.source.write("\(number)", to: "f\(number)") }
    try await fixture.run()
    for number in 0..<10 { try remove("f\(number)") }
    let refused = try await fixture.run {
      $0.deletes = true
      $0.deleteLimit = .count(9)
    }
    #expect(refused.summary.status == 65)
    #expect(try await fixture.run(deleting).summary.deleted == 10)
  }

  @Test("--force goes past the guards")
  func forced() async throws {
    try fixture.source.write("a", to: "a")
    try await fixture.run()
    try remove("a")
    let outcome = try await fixture.run {
      $0.deletes = true
      $0.isForced = true
    }
    #expect(outcome.summary.deleted == 1)
  }

  @Test("deletions go in batches, after the uploads; keys that XML can't carry go singly")
  func batches() async throws {
    let fixture = try MirrorFixture(
      MemoryLimits(deleteBatch: .init(maximumCount: 3, alphabet: .xml)))
    for number in 0..<7 { try fixture.source.write("x", to: "f\(number)") }
    try fixture.source.write("x", to: "control\u{1}")
    try await fixture.run()
    for name in (0..<7).map({ "f\($0)" }) + ["control\u{1}"] {
      try FileManager.default.removeItem(atPath: fixture.source.path + "/" + name)
    }
    try fixture.source.write("x", to: "new")
    fixture.bucket.forgetCalls()
    try await fixture.run(deleting)
    #expect(fixture.bucket.calls.first?.verb == .put)
    let sizes = fixture.bucket.calls.filter { $0.verb == .delete }.map(\.keys.count).sorted()
    #expect(sizes == [1, 1, 3, 3])
    #expect(fixture.keys == ["p/new"])
  }

  @Test("where keys are paths, a file gives way to a folder of its name before the upload")
  func hierarchy() async throws {
    let fixture = try MirrorFixture(MemoryLimits(isHierarchical: true))
    try fixture.source.write("file", to: "name")
    try await fixture.run()
    try FileManager.default.removeItem(atPath: fixture.source.path + "/name")
    try fixture.source.write("below", to: "name/below")

    let kept = try await fixture.run()
    #expect(kept.summary.status == 1 && kept.failures.count == 1)
    #expect(fixture.keys == ["p/name"])

    fixture.bucket.forgetCalls()
    let outcome = try await fixture.run(deleting)
    #expect(outcome.summary.status == 0)
    #expect(fixture.bucket.calls.map(\.verb) == [.delete, .put])
    #expect(fixture.keys == ["p/name/below"])
  }

  @Test("a deletion that failed is tried again by the next run")
  func failed() async throws {
    try fixture.source.write("a", to: "a")
    try fixture.source.write("b", to: "b")
    try await fixture.run()
    try remove("b")
    fixture.bucket.setFaults { call, moment throws(BackendError) in
      if call.verb == .delete, moment == .before { throw BackendError(.denied, "no") }
    }
    let outcome = try await fixture.run(deleting)
    #expect(outcome.failures.map(\.code) == ["denied"] || outcome.summary.status == 69)
    fixture.bucket.setFaults(nil)
    #expect(try await fixture.run(deleting).summary.deleted == 1)
    #expect(fixture.keys == ["p/a"])
  }
}
