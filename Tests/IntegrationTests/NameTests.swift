import Foundation
import TestSupport
import Testing

extension ProgramTests {
  @Suite("Names that hurt")
  struct NameTests {
    @Test("are mirrored, come back equal, and can be deleted", .onEveryStore, arguments: Store.all)
    func tree(_ store: Store) async throws {
      let room = try await Workspace(store, profile: ["delete: true"] + store.patience)
      let count = Program.number("SYNC_TEST_FILES", default: 2000)
      let made = try await Tool.makeTree.run([room.source, "--files", "\(count)"], in: room.directory)
      try #require(made.status == 0, "\(made.testDescription)")

      let first = try await room.sync("run", "main", "--json")
      #expect(first.status == 0, "\(first.testDescription)")
      #expect(try first.summary.uploaded == count)
      #expect(first.errors == "")
      try await expectMirrored(room)

      try room.directory.remove("source")
      try room.directory.makeFolder("source")
      let refused = try await room.sync("run", "main", "--json")
      #expect(refused.status == 65)
      #expect(try refused.summary.requests == 0)
      let second = try await room.sync("run", "main", "--force", "--json")
      #expect(second.status == 0, "\(second.testDescription)")
      #expect(try second.summary.deleted == count)
      let left = try await room.bucket.contents().objects
      #expect(left == [])
    }
  }
}

extension Store {
  /// Settings that the store needs: with many writes at once rclone now and then takes a control character for its
  /// picture (U+2408 for a backspace), loses the object of that name, and says that all went well.
  fileprivate var patience: [String] {
    if case .server(.rclone) = self { ["transfer: {concurrency: 1}"] } else { [] }
  }
}
