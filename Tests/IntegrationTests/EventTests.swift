import Foundation
import TestSupport
import Testing

extension ProgramTests {
  @Suite("Events")
  struct EventTests {
    @Test(
      "every line of every kind of run fits docs/events.schema.json",
      .enabled("python3 has no jsonschema") { try await Tool.checkEvents.isUsable() })
    func schema() async throws {
      let room = try await Workspace(profile: [
        "delete: true", "max_delete: 100%", "transfer: {part_size: 1MiB}",
      ])
      try room.directory.writeLarge(5 << 20, to: "source/big")
      for name in ["a", "b \"quoted\"\n\t\u{1}\u{7F}", "é 😀"] {
        try room.directory.write(name, to: "source/\(name)")
      }
      try room.notUTF8("source/bad ")
      try room.directory.makeFolder("source/folder")
      var lines = try await room.events("plan", "main", endingWith: 1)
      lines += try await room.events("run", "main", endingWith: 1)
      try room.directory.remove("source/a")
      lines += try await room.events("run", "main", "--no-delete", endingWith: 1)
      lines += try await room.events("run", "main", "-v", endingWith: 1)
      lines += try await room.events("run", "main", "--remote", "there", "-n", endingWith: 1)
      let refused = try await refusing()
      lines += refused
      let kinds = Set(try RunEvent.decode(lines).map(\.event))
      #expect(
        kinds.isSuperset(of: [
          "run_started", "planned", "upload_started", "part_uploaded", "upload_finished", "deleted", "failed",
          "retry", "run_finished",
        ]), "\(kinds.sorted())")
      try room.directory.write(lines, to: "events")
      let verdict = try await Tool.checkEvents.run([room.path + "/events"], in: room.directory)
      #expect(verdict.status == 0, "\(verdict.testDescription)")
    }

    /// A remote that is overloaded at first and then refuses.
    private func refusing() async throws -> String {
      let server = try LoopbackServer { exchange in
        let code = exchange.ordinal == 1 ? "SlowDown" : "AccessDenied"
        exchange.answer(exchange.ordinal == 1 ? 503 : 403, text: "<Error><Code>\(code)</Code></Error>")
      }
      let room = try await Workspace(endpoint: "http://\(server.authority)")
      try room.directory.write("text", to: "source/file")
      return try await room.events("run", "main", endingWith: 69)
    }

    @Test("come in the order of what happened, run_started first and run_finished last")
    func order() async throws {
      let room = try await Workspace(profile: ["transfer: {part_size: 1MiB}"])
      try room.directory.writeLarge(5 << 20 + 1, to: "source/big")
      try room.directory.write("text", to: "source/small")
      let events = try RunEvent.decode(try await room.events("run", "main", endingWith: 0))
      #expect(events.first?.event == "run_started")
      #expect(events.last?.event == "run_finished")
      #expect(events.named("run_finished").count == 1)
      let big = events.filter { $0.path == "big" }.map(\.event)
      #expect(
        big == ["planned", "upload_started"] + Array(repeating: "part_uploaded", count: 6) + [
          "upload_finished"
        ])
      #expect(Set(events.named("part_uploaded").compactMap(\.part)) == Set(1...6))
      #expect(events.named("part_uploaded").allSatisfy { $0.parts == 6 })
      let small = try #require(events.named("upload_finished").first { $0.path == "small" })
      #expect(small.md5 == "1cb251ec0d568de6a929b520c4aed8d1")
      #expect(
        events.last?.remoteRequests == ["begin_upload": 1, "upload_part": 6, "complete_upload": 1, "put": 1])
      #expect(events.last?.requests == 9)
      #expect(try await room.mirror().remoteRequests == [:])
    }

    @Test("are written as they happen, not at the end")
    func flushed() async throws {
      let server = try LoopbackServer { $0.hold() }
      let room = try await Workspace(endpoint: "http://\(server.authority)")
      try room.directory.write("text", to: "source/file")
      let child = try room.start(["run", "main", "--json"])
      #expect(try await child.reaches { !$0.named("upload_started").isEmpty })
      #expect(!child.hasEnded)
      child.signal(SIGTERM)
      #expect(await child.status() == 143)
    }
  }
}

extension Workspace {
  /// Standard output of a command with `--json`.
  fileprivate func events(_ arguments: String..., endingWith status: Int32) async throws -> String {
    let outcome = try await start(arguments + ["--json"]).outcome()
    #expect(outcome.status == status, "\(outcome.testDescription)")
    #expect(try outcome.summary.status == Int(status))
    return outcome.output
  }
}
