import Foundation
import TestSupport
import Testing

extension ProgramTests {
  @Suite("Commands and options")
  struct CommandTests {
    @Test("a run with nothing to do prints nothing and asks nothing")
    func quiet() async throws {
      let room = try await Workspace()
      try room.directory.write("text", to: "source/file")
      let first = try await room.sync("run", "main")
      #expect(first.output.contains("1 uploaded"))
      #expect(first.errors == "")
      let second = try await room.sync("run", "main")
      #expect(second.output == "")
      #expect(second.errors == "")
      let summary = try await room.mirror()
      #expect(summary.requests == 0)
      // Written less than two seconds before it was mirrored, it may have been hashed again.
      #expect((summary.unchanged ?? 0) + (summary.touched ?? 0) == 1)
    }

    @Test("plan, run --dry-run and run agree, and planning writes no state, not even where there is none")
    func plan() async throws {
      let room = try await Workspace(profile: ["delete: true", "max_delete: 100%"])
      try room.directory.write("text", to: "source/file")
      try room.directory.write("other", to: "source/folder/other")
      #expect(try await room.sync("plan", "main").status == 0)
      #expect(!FileManager.default.fileExists(atPath: room.state))
      try await room.mirror()

      try room.directory.write("changed", to: "source/file")
      try room.directory.write("new", to: "source/new")
      try room.directory.remove("source/folder")
      let before = room.directory.snapshot("state")
      let plan = try await room.sync("plan", "main", "--json")
      let dry = try await room.sync("run", "main", "-n", "--json")
      #expect(room.directory.snapshot("state") == before)
      #expect(try await room.bucket.contents().objects == ["mirror/file", "mirror/folder/other"])
      let run = try await room.sync("run", "main", "--json")
      let planned = try plan.events.named("planned").map(\.line)
      #expect(planned.count == 3)
      #expect(try dry.events.named("planned").map(\.line) == planned)
      #expect(try run.events.named("planned").map(\.line) == planned)
      #expect(try run.summary.uploaded == 2)
      #expect(try run.summary.deleted == 1)
      #expect(try await room.bucket.differences(from: "source") == "")
    }

    @Test("a plan tells in words what would be done, and why")
    func reasons() async throws {
      let room = try await Workspace()
      try room.directory.write("0123456789", to: "source/file")
      try await room.mirror()
      try room.directory.write("012345678901", to: "source/file")
      try room.directory.write("new", to: "source/other")
      let text = try await room.sync("plan", "main").output
      #expect(text.contains("size 10 → 12"), "\(text)")
      #expect(text.contains("new"), "\(text)")
      #expect(text.contains("2 to upload"), "\(text)")
    }

    @Test("`sync PROFILE` is `sync run PROFILE`")
    func defaultCommand() async throws {
      let room = try await Workspace()
      try room.directory.write("text", to: "source/file")
      #expect(try await room.sync("main").status == 0)
      #expect(try await room.bucket.contents().objects == ["mirror/file"])
    }

    @Test("--all runs every profile, --remote another place with a manifest of its own")
    func profiles() async throws {
      let room = try await Workspace()
      try room.directory.write("text", to: "source/file")
      try room.directory.write("text", to: "second/file")
      try room.directory.makeFolder("elsewhere")
      try room.configure(
        more: "  second: {remote: there, directories: [{path: \(room.path)/second, prefix: second/}]}")
      let text = try String(decoding: room.directory.read("config.yaml"), as: UTF8.self)
      try room.directory.write(
        text.replacing(
          "remotes:\n", with: "remotes:\n  other: {backend: local, path: \(room.path)/elsewhere}\n"),
        to: "config.yaml")
      #expect(try await room.sync("run", "--all").status == 0)
      #expect(try await room.bucket.contents().objects == ["mirror/file", "second/file"])
      #expect(try await room.sync("run", "main", "--remote", "other").output.contains("1 uploaded"))
      #expect(room.directory.names(in: "elsewhere").contains("mirror/file"))
      #expect(try await room.mirror("--remote", "there").requests == 0, "switching back costs nothing")
    }

    @Test("--include and --exclude choose, and hide rather than delete")
    func filters() async throws {
      let room = try await Workspace(profile: ["delete: true"])
      for name in ["a.jpg", "b.txt", "c.jpg", "cache/d.jpg"] {
        try room.directory.write(name, to: "source/\(name)")
      }
      #expect(try await room.mirror("--include", "*.jpg", "--exclude", "cache/").uploaded == 2)
      #expect(try await room.bucket.contents().objects == ["mirror/a.jpg", "mirror/c.jpg"])
      try await room.mirror()
      #expect(try await room.mirror("--exclude", "*.jpg").deleted == 0)
      #expect(try await room.bucket.contents().objects.count == 4)
    }

    @Test("--delete and --no-delete go before the profile; what is kept is counted")
    func deletion() async throws {
      let room = try await Workspace()
      for name in ["a", "b"] { try room.directory.write(name, to: "source/\(name)") }
      try await room.mirror()
      try room.directory.remove("source/a")
      #expect(try await room.mirror().kept == 1)
      #expect(try await room.mirror("--delete").deleted == 1)
      try room.configure(profile: ["delete: true"])
      try room.directory.remove("source/b")
      try room.directory.write("c", to: "source/c")
      #expect(try await room.mirror("--no-delete").deleted == 0)
      #expect(try await room.mirror().deleted == 1)
      #expect(try await room.bucket.contents().objects == ["mirror/c"])
    }

    @Test("max_delete stops the whole run before anything is sent; --max-delete and --force go past")
    func deleteLimit() async throws {
      let room = try await Workspace(profile: ["delete: true"])
      for number in 0..<40 { try room.directory.write("x", to: "source/\(number)") }
      try await room.mirror()
      for number in 0..<20 { try room.directory.remove("source/\(number)") }
      try room.directory.write("new", to: "source/new")
      let refused = try await room.sync("run", "main", "--json")
      #expect(refused.status == 65)
      #expect(try refused.summary.requests == 0)
      #expect(refused.errors.contains("--max-delete 20"), "\(refused.errors)")
      #expect(try await room.bucket.contents().objects.count == 40)
      #expect(try await room.sync("run", "main", "--max-delete", "19").status == 65)
      #expect(try await room.mirror("--max-delete", "20").deleted == 20)
      for number in 20..<40 { try room.directory.remove("source/\(number)") }
      #expect(try await room.mirror("--force").deleted == 20)
      #expect(try await room.bucket.contents().objects == ["mirror/new"])
    }

    @Test("--checksum finds what sizes and times hide")
    func checksum() async throws {
      let room = try await Workspace()
      let path = try room.directory.write("one", to: "source/file")
      try await room.mirror()
      // The bucket is damaged by hand and the row is right: only what is here can be compared.
      #expect(try await room.mirror("--checksum").requests == 0)
      try room.directory.write("two", to: "source/file")
      var times = [timespec(tv_sec: 1_700_000_000, tv_nsec: 0), timespec(tv_sec: 1_700_000_000, tv_nsec: 0)]
      utimensat(AT_FDCWD, path, &times, 0)
      #expect(try await room.mirror("--checksum").uploaded == 1)
      #expect(try await room.bucket.differences(from: "source") == "")
    }

    @Test("the same content with other times only has its row touched")
    func touch() async throws {
      let room = try await Workspace()
      let path = try room.directory.write("one", to: "source/file")
      try await room.mirror()
      var times = [timespec(tv_sec: 1_700_000_000, tv_nsec: 0), timespec(tv_sec: 1_700_000_000, tv_nsec: 0)]
      utimensat(AT_FDCWD, path, &times, 0)
      let summary = try await room.mirror()
      #expect(summary.touched == 1)
      #expect(summary.requests == 0)
    }
  }
}

extension RunEvent {
  /// What a planned change says.
  fileprivate var line: String { "\(action ?? "") \(path ?? "") \(key ?? "") (\(reason ?? ""))" }
}
