import Foundation
import TestSupport
import Testing

extension ProgramTests {
  @Suite("Commands that move nothing")
  struct OtherCommandTests {
    @Test("init writes a configuration that loads, never over one that exists, readable by its owner alone")
    func initialise() async throws {
      let room = try await Workspace()
      let path = room.path + "/new.yaml"
      #expect(try await room.sync("init", "-c", path).status == 0)
      #expect(try await room.sync("config", "check", "-c", path).status == 0)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      let before = try room.directory.read("new.yaml")
      #expect(try await room.sync("init", "-c", path).status == 64)
      #expect(try room.directory.read("new.yaml") == before)
    }

    @Test("config check finds every mistake; config show prints what is inherited; both need no remote")
    func configuration() async throws {
      let room = try await Workspace(profile: ["exclude: [\"*.tmp\"]"])
      #expect(try await room.sync("config", "check").status == 0)
      #expect(try await room.sync("config", "check", "main").status == 0)
      let shown = try await room.sync("config", "show", "main")
      #expect(shown.status == 0)
      #expect(shown.output.contains("*.tmp"))
      try room.configure(profile: ["delet: true", "exclud: []"])
      let wrong = try await room.sync("config", "check")
      #expect(wrong.status == 78)
      #expect(wrong.errors.split(separator: "\n").count == 2, "\(wrong.errors)")
    }

    @Test("config schema is JSON, and so is every line of backends --json")
    func schemas() async throws {
      let room = try await Workspace()
      let schema = try await room.sync("config", "schema")
      #expect(schema.status == 0)
      #expect(try JSONSerialization.jsonObject(with: Data(schema.output.utf8)) is [String: Any])
      let backends = try await room.sync("backends", "--json")
      let kinds = try backends.output.split(separator: "\n").map { line in
        try JSONDecoder().decode([String: AnyText].self, from: Data(line.utf8))["backend"]?.text
      }
      #expect(kinds == ["s3", "local"])
      #expect(try await room.sync("backends").output.contains("list_parts"))
    }

    @Test("status tells of runs, totals and uploads that wait, asks nothing, and writes nothing")
    func status() async throws {
      let room = try await Workspace()
      try room.directory.write("text", to: "source/file")
      #expect(try await room.sync("status", "main").output.contains("no run yet"))
      #expect(!FileManager.default.fileExists(atPath: room.state))
      #expect(try await room.sync("status", "main", "--max-age", "26h").status == 1)
      try await room.mirror()
      let text = try await room.sync("status", "main", "--max-age", "26h")
      #expect(text.status == 0)
      #expect(text.output.contains("1 object, 4 B"), "\(text.output)")
      let json = try await room.sync("status", "--json").output
      let status = try #require(
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any], "\(json)")
      #expect(status["objects"] as? Int == 1)
      #expect((status["runs"] as? [Any])?.count == 1)
      try await Task.sleep(for: .milliseconds(1100))
      #expect(try await room.sync("status", "main", "--max-age", "1s").status == 1)
    }

    @Test("no secret is in any output, nor in the process's arguments")
    func secrets() async throws {
      let server = try LoopbackServer { exchange in
        // A careless server repeats what it was sent.
        let sent = exchange.request.headers.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        exchange.answer(
          403, text: "<Error><Code>SignatureDoesNotMatch</Code><Message>\(sent)</Message></Error>")
      }
      let room = try await Workspace(endpoint: "http://\(server.authority)")
      try room.directory.write("text", to: "source/file")
      let secret = Workspace.secret
      var shown = ""
      for arguments in [
        ["run", "main", "-v"], ["run", "main", "--json", "-v"], ["plan", "main", "-v"], ["config", "show"],
        ["config", "show", "main"], ["config", "check", "-v"], ["status", "-v"],
        ["run", "main", "--log-format", "json"],
      ] {
        let outcome = try await room.start(arguments).outcome()
        shown += outcome.output + outcome.errors
      }
      #expect(!shown.contains(secret))
      #expect(shown.contains("SignatureDoesNotMatch"))
      let signatures = server.requests.compactMap { $0.headers["Authorization"]?.split(separator: "=").last }
      #expect(!signatures.isEmpty)
      #expect(!signatures.contains { shown.contains($0) }, "a signature is as good as a key, for a while")
      let text = try String(decoding: room.directory.read("config.yaml"), as: UTF8.self)
      for wrong in ["secret_acces_key:", "secret_access_key: ["] {
        try room.directory.write(text.replacing("secret_access_key:", with: wrong), to: "config.yaml")
        let refused = try await room.sync("config", "check")
        #expect(refused.status == 78)
        #expect(!refused.testDescription.contains(secret), "\(wrong)")
      }

      let waiting = try LoopbackServer { $0.hold() }
      try room.directory.write(
        text.replacing("http://\(server.authority)", with: "http://\(waiting.authority)"), to: "config.yaml")
      let child = try room.start(["run", "main", "--json"])
      #expect(try await child.reaches { !$0.named("upload_started").isEmpty })
      let line = try String(contentsOfFile: "/proc/\(child.pid)/cmdline", encoding: .utf8)
      #expect(line.contains("main"))
      #expect(!line.contains(secret))
      child.signal(SIGKILL)
      #expect(await child.status() == -SIGKILL)
    }
  }
}

/// A JSON value of which only text counts.
private struct AnyText: Decodable {
  var text: String?

  init(from decoder: any Decoder) throws {
    text = try? decoder.singleValueContainer().decode(String.self)
  }
}
