import ConfigTree
import Testing

@Suite("Values from the environment")
struct EnvironmentTests {
  private func read(_ text: String, _ environment: [String: String] = [:]) -> (String?, [String]) {
    let section = section(["k": .text(text)], environment)
    return (section.value("k", .text, ""), section.reported)
  }

  @Test(
    "variables are expanded, once",
    arguments: [
      ("${A}", "one"), ("x${A}y${A}z", "xoneyonez"), ("${EMPTY:-d}", "d"), ("${UNSET:-d}", "d"),
      ("a${UNSET:-}b", "ab"), ("${A:-d}", "one"), ("$${A}", "${A}"), ("$A", "$A"), ("$", "$"),
      ("a$$b", "a$$b"),
      ("${NESTED}", "${A}"), ("${A}\u{301}", "one\u{301}"), ("${UNSET:-a:-b}", "a:-b"), ("é${A}", "éone"),
    ])
  func expands(text: String, expanded: String) {
    let (value, issues) = read(text, ["A": "one", "EMPTY": "", "NESTED": "${A}"])
    #expect(value.map { Array($0.utf8) } == Array(expanded.utf8))
    #expect(issues == [])
  }

  @Test("a variable that is not set is an issue of its own kind")
  func unset() {
    let section = section(["k": "${NOT_SET}"])
    _ = section.value("k", .text, "")
    #expect(section.context.issues.map(\.kind) == [.unsetVariable("NOT_SET")])
    #expect(
      section.reported == [
        "f:1:11: top.k: the environment variable NOT_SET is not set; ${NOT_SET:-default} gives a default"
      ])
  }

  @Test("an empty variable is set, and empty text is then refused by its type")
  func empty() {
    #expect(
      read("${EMPTY}", ["EMPTY": ""]).1 == ["f:1:11: top.k must be text that is not empty, found \"\""])
  }

  @Test("what cannot be expanded says why")
  func malformed() {
    #expect(read("${A").1 == ["f:1:11: top.k: \"${\" without its \"}\"; write $${ for a literal ${"])
    #expect(read("${}").1 == ["f:1:11: top.k: \"\" is not the name of an environment variable"])
    #expect(read("${1A}").1 == ["f:1:11: top.k: \"1A\" is not the name of an environment variable"])
    #expect(read("${A-b}").1 == ["f:1:11: top.k: \"A-b\" is not the name of an environment variable"])
    #expect(
      read("${A:-${B}}").1 == ["f:1:11: top.k: the default of a variable cannot hold another ${"])
  }

  @Test("a list's items are expanded one by one")
  func lists() {
    let section = section(["k": ["${A}", "b"]], ["A": "x, y"])
    #expect(section.list("k", .text, "") == ["x, y", "b"])
  }
}

@Suite("Paths in a configuration")
struct PathTests {
  @Test(
    "paths become absolute and tidy",
    arguments: [
      ("/a/b", "/a/b"), ("/a//b/", "/a/b"), ("/a/./b/../c", "/a/c"), ("/..", "/"), ("/", "/"),
      ("~", "/home/u"),
      ("~/Pictures/", "/home/u/Pictures"), ("data", "/etc/sync/data"), ("../data", "/etc/data"),
      (".", "/etc/sync"),
      ("a~b", "/etc/sync/a~b"), ("~\u{301}", "/etc/sync/~\u{301}"),
    ])
  func paths(text: String, path: String) {
    // A tilde with an accent is no tilde for people, but it begins with one for the shell: it is refused.
    let expected: String? = text == "~\u{301}" ? nil : path
    #expect(section(["p": .text(text)]).value("p", .path, "") == expected)
  }

  @Test("another user's home, or one's own without HOME, is refused with what would do")
  func homes() {
    let other = section(["p": "~bob/x"])
    #expect(other.value("p", .path, "") == nil)
    #expect(
      other.reported == [
        "f:1:11: top.p must be a path: absolute, below ~/ (with HOME set), or from this file's folder, "
          + "found \"~bob/x\""
      ])
    #expect(section(["p": "~/x"], [:]).value("p", .path, "") == nil)
  }

  @Test("composed and decomposed names stay apart")
  func bytes() {
    let path = section(["p": "/e\u{301}/x"]).value("p", .path, "")
    #expect(path.map { Array($0.utf8) } == Array("/e\u{301}/x".utf8))
    #expect(!isPath("/\u{E9}/x", within: "/e\u{301}"))
    #expect(isPath("/a/b", within: "/a"))
    #expect(isPath("/a", within: "/a"))
    #expect(isPath("/a", within: "/"))
    #expect(!isPath("/ab", within: "/a"))
  }
}
