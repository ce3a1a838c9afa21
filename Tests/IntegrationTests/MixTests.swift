import Foundation
import TestSupport
import Testing

extension ProgramTests {
  @Suite("Two processes at once")
  struct MixTests {
    @Test("on one mapping, the second ends with 75 and names the first; when that is gone, the next one runs")
    func sameMapping() async throws {
      let server = try LoopbackServer { exchange in
        // The first put waits for ever; those of the run after it are accepted.
        if exchange.ordinal == 1 { return exchange.hold() }
        exchange.answer(200, headers: ["ETag": "\"0cc175b9c0f1b6a831c399e269772661\""])
      }
      let room = try await Workspace(endpoint: "http://\(server.authority)")
      try room.directory.write("a", to: "source/file")
      let first = try room.start(["run", "main", "--json"])
      #expect(try await first.reaches { !$0.named("upload_started").isEmpty })
      let second = try await room.sync("run", "main", "--json")
      #expect(second.status == 75)
      #expect(try second.summary.status == 75)
      #expect(second.errors.contains("process \(first.pid)"), "\(second.errors)")
      #expect(try await room.sync("plan", "main").status == 0, "looking is allowed")
      #expect(try await room.sync("status", "main").status == 0)
      first.signal(SIGKILL)
      #expect(await first.status() == -SIGKILL)
      #expect(try await room.mirror().uploaded == 1, "a dead holder holds nothing")
    }

    @Test("different mappings of one target run side by side")
    func differentMappings() async throws {
      let room = try await Workspace()
      let names = ["second", "third", "fourth"]
      try room.configure(
        more: names.map {
          "  \($0): {remote: there, directories: [{path: \(room.path)/\($0), prefix: \($0)/}]}"
        }
        .joined(separator: "\n"))
      for number in 0..<300 {
        try room.directory.write("\(number)", to: "source/\(number)")
        for name in names { try room.directory.write("\(name) \(number)", to: "\(name)/\(number)") }
      }
      let runs = try (["main"] + names).map { try room.start(["run", $0, "--json"]) }
      for run in runs {
        let outcome = await run.outcome()
        #expect(outcome.status == 0, "\(outcome.testDescription)")
        #expect(try outcome.summary.uploaded == 300)
      }
      #expect(try await room.bucket.contents().objects.count == 1200)
      for profile in ["main"] + names {
        #expect(try await room.sync("run", profile, "--json").summary.requests == 0)
      }
    }
  }
}
