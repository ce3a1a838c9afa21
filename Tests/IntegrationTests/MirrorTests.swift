import Foundation
import TestSupport
import Testing

extension ProgramTests {
  @Suite("A real tree on real servers", .onServers)
  struct MirrorTests {
    @Test(
      "documentation and a big file: no difference, and nothing to do afterwards",
      arguments: RealServer.present)
    func documentation(_ server: RealServer) async throws {
      let room = try await Workspace(.server(server))
      let files = try copyDocumentation(to: room.source)
      try room.directory.writeLarge(Program.bigSize, to: "source/big")
      let summary = try await room.mirror()
      #expect(summary.uploaded == files + 1)
      try await expectMirrored(room)

      // A few changes cost a few requests.
      try room.directory.write("changed", to: "source/new file")
      try room.directory.remove("source/big")
      let second = try await room.mirror("--delete")
      #expect(second.remoteRequests == ["put": 1, "delete": 1])
      try await expectMirrored(room)
    }

    /// - Returns: how many regular files there are: about a thousand, all with SYNC_TEST_BIG.
    private func copyDocumentation(to folder: String) throws -> Int {
      let root = "/usr/share/doc"
      let limit = Program.variable("SYNC_TEST_BIG") == nil ? 1000 : Int.max
      var count = 0
      for name in try FileManager.default.contentsOfDirectory(atPath: root).sorted() where count < limit {
        try FileManager.default.copyItem(atPath: "\(root)/\(name)", toPath: "\(folder)/\(name)")
        count += regularFiles(below: "\(folder)/\(name)")
      }
      return count
    }

    private func regularFiles(below path: String) -> Int {
      let below = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
      return ([path] + below.map { "\(path)/\($0)" }).count { name in
        var status = stat()
        return lstat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      }
    }
  }
}
