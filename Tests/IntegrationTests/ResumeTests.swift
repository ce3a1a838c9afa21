import Foundation
import TestSupport
import Testing

extension ProgramTests {
  @Suite("An upload that was stopped goes on")
  struct ResumeTests {
    @Test(
      "killed in the middle of a big file: no part that was announced is sent again", .onEveryStore,
      arguments: Store.all, [SIGKILL, SIGTERM, SIGINT])
    func resumes(_ store: Store, after signal: Int32) async throws {
      let room = try await Workspace(store, profile: ["transfer: {part_size: 8MiB, concurrency: 2}"])
      let size = signal == SIGKILL ? Program.bigSize : Program.bigSize / 2
      try room.directory.writeLarge(size, to: "source/big")
      let announced = try await stop(room, by: signal)
      // The server's own view: what was announced is there.
      let uploads = try await room.bucket.contents().uploads
      #expect(uploads.count == 1)
      let there = Set(uploads.first?.parts ?? [])
      #expect(there.isSuperset(of: announced), "announced \(announced.sorted()), there \(there.sorted())")
      #expect(try await room.bucket.contents().objects == [])

      let outcome = try await room.sync("run", "main", "--json")
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      let finished = try #require(try outcome.events.named("upload_finished").first)
      let resumed = try #require(finished.resumedParts)
      #expect(resumed >= announced.count)
      let parts = (size + (8 << 20) - 1) / (8 << 20)
      #expect(try outcome.summary.remoteRequests?["upload_part"] == parts - resumed)
      #expect(try outcome.summary.remoteRequests?["begin_upload"] == nil)
      let sent = Set(try outcome.events.named("part_uploaded").compactMap(\.part))
      #expect(sent.isDisjoint(with: announced))
      try await expectMirrored(room)
    }

    /// Starts a run and stops it after the third part was announced.
    /// - Returns: the numbers of the parts that were announced.
    private func stop(_ room: Workspace, by signal: Int32) async throws -> Set<Int> {
      let child = try room.start(["run", "main", "--json"])
      #expect(try await child.reaches { $0.named("part_uploaded").count >= 3 })
      child.signal(signal)
      let outcome = await child.outcome()
      #expect(outcome.status == (signal == SIGKILL ? -signal : 128 + signal), "\(outcome.testDescription)")
      #expect(
        try outcome.events.named("upload_finished").isEmpty, "the file is too small to be stopped in time")
      return Set(try outcome.events.named("part_uploaded").compactMap(\.part))
    }

    @Test(
      "a file that changed while the run was down begins again, and the old upload is aborted", .onEveryStore,
      arguments: Store.all)
    func changed(_ store: Store) async throws {
      let room = try await Workspace(store, profile: ["transfer: {part_size: 8MiB, concurrency: 2}"])
      try room.directory.writeLarge(Program.bigSize / 2, to: "source/big")
      _ = try await stop(room, by: SIGKILL)
      try room.directory.writeLarge(Program.bigSize / 2, to: "source/big", seed: 2)
      let summary = try await room.mirror()
      #expect(summary.resumedParts == 0)
      #expect(summary.remoteRequests?["abort_upload"] == 1)
      try await expectMirrored(room)
    }

    @Test(
      "a file that is gone when the next run comes leaves no upload behind", .onEveryStore,
      arguments: Store.all)
    func gone(_ store: Store) async throws {
      let room = try await Workspace(store, profile: ["transfer: {part_size: 8MiB, concurrency: 2}"])
      try room.directory.writeLarge(Program.bigSize / 2, to: "source/big")
      _ = try await stop(room, by: SIGKILL)
      #expect(try await room.sync("status", "main").output.contains("waiting: mirror/big"))
      try room.directory.remove("source/big")
      try room.directory.write("other", to: "source/other")
      try await room.mirror()
      try await expectMirrored(room)
      #expect(!(try await room.sync("status", "main").output.contains("waiting")))
    }
  }
}
