import Foundation
import TestSupport
import Testing

extension ProgramTests {
  @Suite("What may not be read")
  struct RightsTests {
    @Test("is reported, the run goes on and ends with 1, and nothing of it is deleted")
    func unreadable() async throws {
      let room = try await Workspace(profile: ["delete: true", "max_delete: 100%"])
      let names = ["readable", "secret file", "secret folder/file", "secret folder/below/file", "gone"]
      for name in names { try room.directory.write("text", to: "source/\(name)") }
      let user = try OtherUser(in: room)
      #expect(try await user.sync(["run", "main", "--json"]).status == 0)
      #expect(try await room.bucket.contents().objects.count == 5)

      try room.directory.write("a new text", to: "source/readable")
      try room.directory.remove("source/gone")
      try user.own()
      chmod(room.source + "/secret file", 0)
      chmod(room.source + "/secret folder", 0)
      let outcome = try await user.sync(["run", "main", "--json"])
      chmod(room.source + "/secret folder", 0o755)
      #expect(outcome.status == 1, "\(outcome.testDescription)")
      #expect(try outcome.events.named("upload_finished").map(\.path) == ["readable"])
      #expect(try outcome.events.named("deleted").map(\.path) == ["gone"])
      #expect(try outcome.events.named("failed").contains { $0.path?.contains("secret folder") == true })
      #expect(outcome.errors.contains("secret folder"), "\(outcome.errors)")
      #expect(
        try await room.bucket.contents().objects == [
          "mirror/readable", "mirror/secret file", "mirror/secret folder/below/file",
          "mirror/secret folder/file",
        ])
      chmod(room.source + "/secret file", 0o644)
      #expect(try await user.sync(["run", "main"]).status == 0)
      #expect(try await user.sync(["run", "main", "--json"]).summary.requests == 0, "their rows were kept")
    }

    @Test("a changed file that can't be opened fails alone; the object stays as it was")
    func unreadableChange() async throws {
      let room = try await Workspace(profile: ["delete: true"])
      try room.directory.write("old", to: "source/file")
      try room.directory.write("old", to: "source/other")
      let user = try OtherUser(in: room)
      #expect(try await user.sync(["run", "main"]).status == 0)
      try room.directory.write("a new text", to: "source/file")
      try room.directory.write("a new text", to: "source/other")
      try user.own()
      chmod(room.source + "/file", 0)
      let outcome = try await user.sync(["run", "main", "--json"])
      #expect(outcome.status == 1)
      let failed = try outcome.events.named("failed")
      #expect(failed.map(\.path) == ["file"])
      #expect(failed.first?.code == "unreadable")
      #expect(try room.directory.read(room.bucket.name + "/mirror/file") == Array("old".utf8))
      #expect(try room.directory.read(room.bucket.name + "/mirror/other") == Array("a new text".utf8))
    }

    @Test("a source that may not be read as a whole ends with 66")
    func unreadableSource() async throws {
      let room = try await Workspace()
      try room.directory.write("text", to: "source/file")
      let user = try OtherUser(in: room)
      chmod(room.source, 0)
      let outcome = try await user.sync(["run", "main"])
      chmod(room.source, 0o755)
      #expect(outcome.status == 66, "\(outcome.testDescription)")
    }
  }
}

/// Runs the program as somebody whom the rights of files mean something: root may read everything.
private struct OtherUser {
  private static let id: uid_t = 65534

  let room: Workspace
  private let program: String
  private var isRoot: Bool { geteuid() == 0 }

  init(in room: Workspace) throws {
    self.room = room
    program = room.path + "/sync"
    // Where the build lies may be closed to others.
    try FileManager.default.copyItem(atPath: try Program.path(), toPath: program)
    try own()
  }

  /// Hands everything in the workspace over.
  func own() throws {
    guard isRoot else { return }
    for name in [""] + room.directory.names(in: "") {
      try #require(lchown(room.path + "/" + name, OtherUser.id, OtherUser.id) == 0)
    }
  }

  func sync(_ arguments: [String]) async throws -> Outcome {
    let id = "\(OtherUser.id)"
    let prefix = isRoot ? ["setpriv", "--reuid=\(id)", "--regid=\(id)", "--clear-groups"] : []
    return try await room.start(arguments, through: prefix, program: program).outcome()
  }
}
