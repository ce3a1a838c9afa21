import Foundation
import TestSupport
import Testing

extension ProgramTests {
  @Suite("A file that reverts")
  struct RevertTests {
    @Test(
      "changed, killed in mid-put, restored with its old times: the old row is not believed", .onServers,
      arguments: RealServer.present, [false, true])
    func reverts(_ server: RealServer, reachesTheServer: Bool) async throws {
      let proxy = try ForwardingProxy(to: try #require(server.access).endpoint)
      let room = try await Workspace(.server(server), endpoint: proxy.endpoint)
      let path = try room.directory.write("the old content", to: "source/file")
      try setTimes(path)
      try await room.mirror()
      // Past the two seconds in which a row is looked at again anyway.
      try await Task.sleep(for: .milliseconds(2100))
      #expect(try await room.mirror().requests == 0)

      try await killInPut(room, proxy, path, reachesTheServer: reachesTheServer)
      try room.directory.write("the old content", to: "source/file")
      try setTimes(path)
      proxy.watch()
      try await room.mirror()
      try await expectMirrored(room)
    }

    /// Changes the file in place, so that its inode stays, and kills the run that sends it.
    private func killInPut(
      _ room: Workspace, _ proxy: ForwardingProxy, _ path: String, reachesTheServer: Bool
    ) async throws {
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.write(contentsOf: Data("a NEW content!!".utf8))
      try file.close()
      let (held, signal) = AsyncStream.makeStream(of: Void.self)
      let hold: ForwardingProxy.Watcher = { request in
        guard request.method == "PUT" else { return .relay }
        signal.finish()
        return .keep
      }
      proxy.watch(before: reachesTheServer ? nil : hold, after: reachesTheServer ? hold : nil)
      let child = try room.start(["run", "main", "--json"])
      let killer = Task {
        for await _ in held {}
        child.signal(SIGKILL)
      }
      #expect(await child.status() == -SIGKILL)
      signal.finish()
      await killer.value
      #expect(try await room.sync("status", "main").output.contains("1 in doubt"))
    }

    private func setTimes(_ path: String) throws {
      var times = [timespec(tv_sec: 1_700_000_000, tv_nsec: 0), timespec(tv_sec: 1_700_000_000, tv_nsec: 0)]
      try #require(utimensat(AT_FDCWD, path, &times, 0) == 0)
    }
  }
}
