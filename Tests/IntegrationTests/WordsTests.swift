import Foundation
import TestSupport
import Testing

extension ProgramTests {
  @Suite("What is typed, and what comes back when it is wrong")
  struct WordsTests {
    @Test("options that every command takes also go before its name")
    func leadingOptions() async throws {
      let room = try await Workspace()
      try room.directory.write("text", to: "source/file")
      try room.directory.write("version: 7", to: "other.yaml")
      let named = ["SYNC_CONFIG": room.path + "/other.yaml"]
      for words in [
        ["-c", room.configuration, "plan", "main"], ["--config=\(room.configuration)", "-v", "main"],
        ["-v", "--color", "never", "-c", room.configuration, "config", "show", "main"],
      ] {
        let outcome = try await room.start(words, environment: named).outcome()
        #expect(outcome.status == 0, "\(words): \(outcome.testDescription)")
        #expect(outcome.output.contains("main"), "\(words): \(outcome.testDescription)")
      }
      #expect(try await room.bucket.contents().objects == ["mirror/file"])
    }

    @Test(
      "with --log-format json, mistakes in the words themselves are JSON too",
      arguments: [
        ["--log-format", "json", "run"], ["run", "main", "--no-such-option", "--log-format=json"],
        ["verify", "main", "--log-format", "json"], ["run", "nobody", "--log-format", "json"],
        ["run", "main", "--exclude", "[", "--log-format", "json"],
      ])
    func json(_ words: [String]) async throws {
      let room = try await Workspace()
      try room.directory.write("text", to: "source/file")
      let outcome = try await room.start(words).outcome()
      #expect(outcome.status == 64, "\(outcome.testDescription)")
      #expect(!outcome.errors.isEmpty)
      for line in outcome.errors.split(separator: "\n") {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["level"] as? String == "error", "\(line)")
      }
      #expect(try await room.bucket.contents().objects == [])
    }

    @Test(
      "a name that the configuration doesn't have is wrong usage, whoever asks",
      arguments: [
        ["run", "mian"], ["plan", "mian"], ["status", "mian"], ["config", "check", "mian"],
        ["config", "show", "mian"], ["status", "main", "--remote", "their"],
      ])
    func unknownNames(_ words: [String]) async throws {
      let room = try await Workspace()
      try room.directory.write("text", to: "source/file")
      let outcome = try await room.start(words).outcome()
      #expect(outcome.status == 64, "\(outcome.testDescription)")
      #expect(outcome.errors.contains("did you mean"), "\(outcome.errors)")
      #expect(try await room.bucket.contents().objects == [])
    }

    @Test(
      "a pattern that can't match is refused: 64 among the options, 78 with its place in the configuration")
    func patterns() async throws {
      let room = try await Workspace(profile: ["exclude:", "  - fine", "  - \"[a\""])
      let wrong = try await room.sync("config", "check")
      #expect(wrong.status == 78)
      #expect(
        wrong.errors.contains("\(room.configuration):13:9: profiles.main.exclude[1]"), "\(wrong.errors)")
      try room.configure()
      for option in ["--include", "--exclude"] {
        let refused = try await room.sync("run", "main", option, "[a")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("'[a'"), "\(refused.errors)")
      }
    }

    @Test("of several profiles none is run where one can't be")
    func allOrNothing() async throws {
      let room = try await Workspace()
      try room.directory.write("text", to: "source/file")
      let text = try String(decoding: room.directory.read("config.yaml"), as: UTF8.self)
      let more =
        "remotes:\n  unset: {backend: local, path: \"${SYNC_TEST_UNSET}\"}\n"
      let last = "\n  last: {remote: unset, directories: [{path: \(room.path)/tmp}]}\n"
      try room.directory.write(text.replacing("remotes:\n", with: more) + last, to: "config.yaml")
      let outcome = try await room.sync("run", "main", "last")
      #expect(outcome.status == 78)
      #expect(outcome.errors.contains("SYNC_TEST_UNSET"), "\(outcome.errors)")
      #expect(try await room.bucket.contents().objects == [])
    }

    @Test("status knows the last complete run behind any number of others; -q leaves only its exit status")
    func lastComplete() async throws {
      let room = try await Workspace()
      try room.directory.write("text", to: "source/file")
      try await room.mirror()
      try room.directory.remove("source/file")
      for _ in 0..<6 { try await room.mirror(endingWith: 65) }
      let fresh = try await room.sync("status", "main", "-q", "--max-age", "26h")
      #expect(fresh.status == 0)
      #expect(fresh.output + fresh.errors == "")
    }
  }
}
