import ConfigTree
import SyncConfig
import Testing

@Suite("Mappings of one remote")
struct MappingTests {
  /// Two profiles, whose directories stand in columns 34 of lines 6 and 7.
  private func issues(
    _ first: (path: String, prefix: String), _ second: (path: String, prefix: String), remote: String = "one"
  ) -> [String] {
    func directory(_ mapping: (path: String, prefix: String)) -> String {
      "[{path: \"\(mapping.path)\", prefix: \"\(mapping.prefix)\"}]"
    }
    return SyncConfigTests.issues(
      """
      version: 1
      remotes:
        one: {backend: local, path: /mnt/one}
        two: {backend: local, path: /mnt/two}
      profiles:
        p: {remote: one, directories: \(directory(first))}
        q: {remote: \(remote), directories: \(directory(second))}

      """)
  }

  @Test("mappings that are equal, or apart in both, are fine")
  func fine() {
    #expect(issues(("/a", "a/"), ("/a", "a/")) == [])
    #expect(issues(("/a", "a/"), ("/a/", "a/")) == [])
    #expect(issues(("/a", "a/"), ("/b", "b/")) == [])
    #expect(issues(("/a", "a/"), ("/ab", "ab/")) == [])
    #expect(issues(("/e\u{301}", "e\u{301}/"), ("/\u{E9}", "\u{E9}/")) == [])
  }

  @Test("on another remote anything goes")
  func otherRemote() {
    #expect(issues(("/a", "a/"), ("/a/b", "a/b/"), remote: "two") == [])
    #expect(issues(("/a", ""), ("/b", ""), remote: "two") == [])
  }

  @Test("what overlaps without being equal is refused, at the later place, naming the earlier")
  func overlaps() {
    let rule = "(6:34); mappings of one target must be equal or apart"
    #expect(
      issues(("/a", "x/"), ("/b", "x/")) == ["7:34: \"/b\" and \"/a\" have the same prefix \"x/\" \(rule)"])
    #expect(
      issues(("/a", ""), ("/b", "")) == ["7:34: \"/b\" and \"/a\" have the same prefix \"\" \(rule)"])
    #expect(
      issues(("/a", "a/"), ("/b", "a/b/")) == [
        "7:34: the prefix \"a/b/\" lies within the prefix \"a/\" of \"/a\" \(rule)"
      ])
    #expect(
      issues(("/a", "a/b/"), ("/b", "a/")) == [
        "7:34: the prefix \"a/\" holds the prefix \"a/b/\" of \"/a\" \(rule)"
      ])
    #expect(
      issues(("/a", ""), ("/b", "b/")) == [
        "7:34: the prefix \"b/\" lies within the prefix \"\" of \"/a\" \(rule)"
      ])
    #expect(
      issues(("/a", "a/"), ("/a", "b/")) == [
        "7:34: \"/a\" is already mirrored to the prefix \"a/\" \(rule)"
      ])
    #expect(
      issues(("/a", "a/"), ("/a/b", "b/")) == [
        "7:34: \"/a/b\" lies within the source directory \"/a\" \(rule)"
      ])
    #expect(
      issues(("/a/b", "b/"), ("/a", "a/")) == [
        "7:34: \"/a\" holds the source directory \"/a/b\" \(rule)"
      ])
  }

  @Test("a profile that lists a mapping twice is told so")
  func twice() {
    let text = Sample.minimal.replacing(
      "directories:\n", with: "directories:\n      - {path: /data/, prefix: data/}\n")
    #expect(
      SyncConfigTests.issues(text) == [
        "11:9: profiles.p.directories[1] is listed twice: it is the same as at 10:9"
      ])
  }

  @Test("a profile that inherits its directories reports their overlap once")
  func inherited() {
    let text = """
      version: 1
      remotes: {r: {backend: local, path: /r}}
      profiles:
        p:
          remote: r
          directories:
            - {path: /a, prefix: a/}
            - {path: /a/b, prefix: b/}
        q: {extends: p}

      """
    #expect(
      SyncConfigTests.issues(text) == [
        "8:9: \"/a/b\" lies within the source directory \"/a\" (7:9); mappings of one target must be equal or apart"
      ])
  }

  @Test("a source directory and the state directory stay apart")
  func stateDirectory() {
    func issues(_ path: String) -> [String] {
      SyncConfigTests.issues("state_dir: /data/state\n" + Sample.minimal.replacing("/data", with: path))
    }
    #expect(issues("/data/other") == [])
    #expect(issues("/data/state2") == [])
    let hint = "the state directory \"/data/state\"; move it with state_dir"
    #expect(issues("/data") == ["11:9: the source directory \"/data\" holds \(hint)"])
    #expect(issues("/data/./state/") == ["11:9: the source directory \"/data/state\" holds \(hint)"])
    #expect(issues("/data/state/x") == ["11:9: the source directory \"/data/state/x\" lies within \(hint)"])
    #expect(issues("/") == ["11:9: the source directory \"/\" holds \(hint)"])
  }

  @Test("the check can be run again over remotes that turn out to be one target")
  func acrossRemotes() {
    func directory(_ path: String, _ prefix: String, line: Int) -> Directory {
      Directory(path: path, prefix: prefix, location: ConfigLocation(file: "c", line: line, column: 1))
    }
    let directories = [
      directory("/a", "laptop/a/", line: 3), directory("/b", "laptop/", line: 1),
      directory("/c", "desk/", line: 2),
    ]
    #expect(Directory.overlaps(among: directories).map(\.location.line) == [3])
  }
}
