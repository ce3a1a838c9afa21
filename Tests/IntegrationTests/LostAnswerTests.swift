import Foundation
import TestSupport
import Testing

extension ProgramTests {
  @Suite("Killed between a server's answer and its record", .onServers)
  struct LostAnswerTests {
    private static let profile = ["transfer: {part_size: 5MiB, concurrency: 2}"]
    private static let size = 17 << 20

    @Test(
      "after complete: the object proves itself, and no part is sent again", arguments: RealServer.present)
    func complete(_ server: RealServer) async throws {
      let (room, proxy) = try await killed(server) { $0.method == "POST" && $0.target.contains("uploadId=") }
      #expect(try await room.bucket.contents().objects == ["mirror/big"])
      proxy.watch()
      let summary = try await room.mirror()
      #expect(summary.remoteRequests?["upload_part"] == nil)
      #expect(summary.resumedParts == 4)
      try await expectMirrored(room)
    }

    @Test("after begin: the upload that nobody knows is found and aborted", arguments: RealServer.present)
    func begin(_ server: RealServer) async throws {
      let (room, proxy) = try await killed(server) { $0.method == "POST" && $0.target.contains("?uploads") }
      #expect(try await room.bucket.contents().uploads.count == 1)
      proxy.watch()
      let summary = try await room.mirror()
      #expect(summary.remoteRequests?["upload_part"] == 4)
      try await expectMirrored(room)
    }

    @Test("after a part: what arrived is recognised by its MD5", arguments: RealServer.present)
    func part(_ server: RealServer) async throws {
      let (room, proxy) = try await killed(server) {
        $0.method == "PUT" && $0.target.contains("partNumber=2")
      }
      let there = try #require(try await room.bucket.contents().uploads.first).parts
      #expect(there.contains(2))
      proxy.watch()
      let summary = try await room.mirror()
      #expect(summary.resumedParts == there.count)
      #expect(summary.remoteRequests?["upload_part"] == (there.count < 4 ? 4 - there.count : nil))
      try await expectMirrored(room)
    }

    @Test(
      "after complete, and the file was replaced meanwhile: the old object is not believed",
      arguments: RealServer.present)
    func completeThenChanged(_ server: RealServer) async throws {
      let (room, proxy) = try await killed(server) { $0.method == "POST" && $0.target.contains("uploadId=") }
      proxy.watch()
      try room.directory.writeLarge(Self.size, to: "source/big", seed: 2)
      let summary = try await room.mirror()
      #expect(summary.remoteRequests?["upload_part"] == 4)
      try await expectMirrored(room)
    }

    /// Mirrors a file in four parts through a proxy, and kills the program when the server has answered the request.
    private func killed(
      _ server: RealServer, after isIt: @escaping @Sendable (RecordedRequest) -> Bool
    ) async throws -> (Workspace, ForwardingProxy) {
      let proxy = try ForwardingProxy(to: try #require(server.access).endpoint)
      let room = try await Workspace(.server(server), profile: Self.profile, endpoint: proxy.endpoint)
      try room.directory.writeLarge(Self.size, to: "source/big")
      let (answered, signal) = AsyncStream.makeStream(of: Void.self)
      proxy.watch(after: { request in
        guard isIt(request) else { return .relay }
        signal.finish()
        return .keep
      })
      let child = try room.start(["run", "main", "--json"])
      let killer = Task {
        for await _ in answered {}
        child.signal(SIGKILL)
      }
      let outcome = await child.outcome()
      signal.finish()
      await killer.value
      #expect(outcome.status == -SIGKILL, "\(outcome.testDescription)")
      #expect(try outcome.events.named("upload_finished").isEmpty)
      return (room, proxy)
    }
  }
}
