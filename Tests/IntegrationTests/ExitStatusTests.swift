import Foundation
import TestSupport
import Testing

extension ProgramTests {
  @Suite("Every exit status of the contract is really given")
  struct ExitStatusTests {
    @Test("0: the mirror is complete, also where nothing had to be done")
    func complete() async throws {
      let room = try await Workspace()
      try room.directory.write("text", to: "source/file")
      #expect(try await room.sync("run", "main").status == 0)
      #expect(try await room.sync("run", "main").status == 0)
    }

    @Test("1: a file failed and is named, the rest is mirrored")
    func someFailed() async throws {
      let room = try await Workspace()
      try room.directory.write("text", to: "source/file")
      try room.notUTF8("source/not utf-8 ")
      let outcome = try await room.sync("run", "main")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("not utf-8 \\"), "\(outcome.errors)")
      #expect(try await room.bucket.contents().objects == ["mirror/file"])
      #expect(try await room.sync("status", "main", "--max-age", "1h").status == 1)
    }

    @Test("2: plan --exit-code finds something to do, and 0 once it is done")
    func differences() async throws {
      let room = try await Workspace()
      try room.directory.write("text", to: "source/file")
      #expect(try await room.sync("plan", "main").status == 0)
      #expect(try await room.sync("plan", "main", "--exit-code").status == 2)
      try await room.mirror()
      #expect(try await room.sync("plan", "main", "--exit-code").status == 0)
    }

    @Test(
      "64: wrong usage",
      arguments: [
        ["run"], ["run", "main", "--all"], ["run", "main", "--no-such-option"], ["run", "no-such-profile"],
        ["plan"], ["run", "main", "--remote", "nowhere"], ["run", "main", "--part-size", "much"],
        ["run", "main", "--concurrency", "0"], ["run", "main", "-q", "-v"],
      ])
    func usage(_ arguments: [String]) async throws {
      let room = try await Workspace()
      try room.directory.write("text", to: "source/file")
      let outcome = try await room.start(arguments).outcome()
      #expect(outcome.status == 64, "\(outcome.testDescription)")
      #expect(!outcome.errors.isEmpty)
    }

    @Test(
      "64: what this version doesn't do is refused as not supported",
      arguments: [
        ["verify", "main"], ["adopt", "main"], ["restore", "main", "there"], ["apply", "plan.json"],
        ["uploads", "list", "main"], ["uploads", "abort", "main", "--older-than", "2d"], ["doctor", "main"],
        ["run", "main", "--limit-rate", "1MB"], ["run", "main", "--shard", "1/2"],
        ["plan", "main", "--out", "file"],
      ])
    func unsupported(_ arguments: [String]) async throws {
      let room = try await Workspace()
      try room.directory.write("text", to: "source/file")
      let outcome = try await room.start(arguments).outcome()
      #expect(outcome.status == 64, "\(outcome.testDescription)")
      let asked = arguments.first { $0.hasPrefix("--") && $0 != "--older-than" } ?? arguments[0]
      #expect(outcome.errors.contains("\(asked) is not supported"), "\(outcome.errors)")
      #expect(try await room.bucket.contents().objects == [])
    }

    @Test("65: an empty source is refused, and goes through with --force")
    func emptySource() async throws {
      let room = try await Workspace()
      let outcome = try await room.sync("run", "main")
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("--force"), "it says how to go on: \(outcome.errors)")
      #expect(try await room.sync("run", "main", "--force").status == 0)
    }

    @Test("65: a missing sentinel is refused")
    func sentinel() async throws {
      let room = try await Workspace(profile: ["require: {sentinel: .mirror-me}"])
      try room.directory.write("text", to: "source/file")
      #expect(try await room.sync("run", "main").status == 65)
      #expect(try await room.bucket.contents().objects == [])
      try room.directory.write("", to: "source/.mirror-me")
      #expect(try await room.sync("run", "main").status == 0)
    }

    @Test("66: a source that is missing, or is a file")
    func source() async throws {
      let room = try await Workspace()
      try room.directory.remove("source")
      #expect(try await room.sync("run", "main").status == 66)
      try room.directory.write("text", to: "source")
      #expect(try await room.sync("run", "main").status == 66)
    }

    @Test("69: nothing listens, or the bucket is not there")
    func unavailable() async throws {
      let port = try LoopbackServer.unusedPort()
      let room = try await Workspace(
        profile: ["transfer: {retries: 0}"], endpoint: "http://127.0.0.1:\(port)")
      try room.directory.write("text", to: "source/file")
      let outcome = try await room.sync("run", "main")
      #expect(outcome.status == 69, "\(outcome.testDescription)")
      #expect(outcome.errors.contains("127.0.0.1:\(port)"), "\(outcome.errors)")

      let local = try await Workspace()
      try local.directory.write("text", to: "source/file")
      try local.directory.remove(local.bucket.name)
      #expect(try await local.sync("run", "main").status == 69)
    }

    @Test("70: there is no place for the state")
    func state() async throws {
      let room = try await Workspace()
      try room.directory.write("text", to: "source/file")
      try room.directory.write("a file", to: "state")
      let outcome = try await room.sync("run", "main")
      #expect(outcome.status == 70, "\(outcome.testDescription)")
      #expect(outcome.errors.contains(room.state))
    }

    @Test("77: the remote refuses the credentials")
    func credentials() async throws {
      let server = try LoopbackServer { exchange in
        exchange.answer(403, text: "<Error><Code>InvalidAccessKeyId</Code><Message>unknown</Message></Error>")
      }
      let room = try await Workspace(endpoint: "http://\(server.authority)")
      try room.directory.write("text", to: "source/file")
      let outcome = try await room.sync("run", "main")
      #expect(outcome.status == 77, "\(outcome.testDescription)")
      #expect(server.requests.count == 1, "nothing is tried again")
    }

    @Test("77: real servers refuse a wrong secret", .onServers, arguments: RealServer.present)
    func wrongSecret(_ server: RealServer) async throws {
      let room = try await Workspace(.server(server))
      try room.directory.write("text", to: "source/file")
      let text = try String(decoding: room.directory.read("config.yaml"), as: UTF8.self)
      let secret = try #require(server.access?.secretKey)
      try room.directory.write(text.replacing(secret, with: "wrong-secret-0123456789"), to: "config.yaml")
      let outcome = try await room.sync("run", "main")
      #expect(outcome.status == 77, "\(outcome.testDescription)")
      #expect(!outcome.testDescription.contains("wrong-secret"))
    }

    @Test("78: a wrong configuration, every mistake with its place")
    func configuration() async throws {
      let room = try await Workspace(profile: ["delet: true", "symlinks: sometimes"])
      let outcome = try await room.sync("run", "main")
      #expect(outcome.status == 78)
      #expect(outcome.errors.contains("\(room.configuration):11:5"), "\(outcome.errors)")
      #expect(outcome.errors.contains("\(room.configuration):12:15"), "\(outcome.errors)")
      #expect(outcome.errors.contains("delete"), "the nearest known key is named: \(outcome.errors)")
      let missing = try await room.sync("run", "main", "-c", room.path + "/nowhere.yaml")
      #expect(missing.status == 78)
    }

    @Test("130 and 143: stopped by SIGINT and SIGTERM", arguments: [(SIGINT, 130), (SIGTERM, 143)])
    func signals(_ signal: Int32, _ status: Int) async throws {
      let server = try LoopbackServer { $0.hold() }
      let room = try await Workspace(endpoint: "http://\(server.authority)")
      try room.directory.write("text", to: "source/file")
      let child = try room.start(["run", "main", "--json"])
      #expect(try await child.reaches { !$0.named("upload_started").isEmpty })
      child.signal(signal)
      let outcome = await child.outcome()
      #expect(outcome.status == Int32(status))
      #expect(try outcome.summary.status == status)
      #expect(try outcome.events.named("failed").isEmpty, "what was let go is no failure")
    }
  }
}
