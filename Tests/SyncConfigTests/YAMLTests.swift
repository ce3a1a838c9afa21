import ConfigTree
import SyncConfig
import Testing

@Suite("YAML as configurations use it")
struct YAMLTests {
  @Test(
    "syntax errors say where and what",
    arguments: [
      (
        "a: [1, 2\n",
        "2:1: not YAML: while parsing a flow sequence that begins at 1:4, did not find expected ',' or ']'"
      ),
      (
        "a: 1\n\tb: 2\n",
        "2:1: not YAML: while scanning a plain scalar that begins at 1:4, found a tab character that violates "
          + "indentation; indent with spaces, not with tabs"
      ),
      (
        "version: 1\n  x: 2\n",
        "2:4: not YAML: mapping values are not allowed in this context; is the indentation right? put quotes around "
          + "text that holds \": \""
      ),
      (
        "'a: 1\n",
        "2:1: not YAML: while scanning a quoted scalar that begins at 1:1, found unexpected end of stream"
      ),
      (
        "version: 1\n---\nversion: 1\n", "2:1: a configuration is one YAML document; a second one begins here"
      ),
      (
        "a: [*.tmp]\n",
        "1:6: not YAML: while scanning an alias that begins at 1:5, did not find expected alphabetic or numeric "
          + "character; put quotes around text that begins with \"*\""
      ),
      ("a: *tmp\n", "1:4: not YAML: found undefined alias; put quotes around text that begins with \"*\""),
      ("a: &a [*a]\n", "1:8: not YAML: found undefined alias; put quotes around text that begins with \"*\""),
      (
        "a: {b: ${C}}\n",
        "1:9: not YAML: while parsing a flow mapping that begins at 1:4, did not find expected ',' or '}'; put quotes "
          + "around text that holds ${NAME} between braces or brackets"
      ),
      ("a: \u{7}\n", "1:4: not YAML: control characters are not allowed (U+7)"),
      ("a: 1\r\nb: \u{7}\r\n", "2:4: not YAML: control characters are not allowed (U+7)"),
      ("a: \u{0}\n", "1:4: not YAML: control characters are not allowed (U+0)"),
      ("? [a]\n: 1\n", "1:3: a key must be text"),
      ("\"\": 1\n", "1:1: a key is missing before the colon"),
      ("b: 1\na: 1\nb: 2\n", "1:1: the same key stands in this mapping more than once: \"b\""),
      ("a: {b: 1, \"b\": 2}\n", "1:5: the same key stands in this mapping more than once: \"b\""),
      ("", "1:1: the configuration is empty; sync init writes one to begin with"),
      ("# nothing\n", "1:1: the configuration is empty; sync init writes one to begin with"),
      ("text\n", "1:1: the configuration must be a mapping, found text"),
      ("- a\n", "1:1: the configuration must be a mapping, found a list"),
      (
        "a: &x {k: 1}\nb:\n  <<: *x\n",
        "3:3: merge keys (<<) are not supported; a profile can extend another: extends: NAME"
      ),
    ])
  func syntax(text: String, issue: String) {
    #expect(issues(text) == [issue])
  }

  @Test("tags are refused, and what looks like one is told to be quoted")
  func tags() {
    #expect(
      issues("a: !!int 5\nb: [!keep, \"!kept\"]\nc: !!str x\nd: !!map {}\n") == [
        "1:4: the tag !!int is not supported: every value is text; put quotes around text that begins with \"!\"",
        "2:5: the tag !keep is not supported: every value is text; put quotes around text that begins with \"!\"",
        "3:4: the tag !!str is not supported: every value is text; put quotes around text that begins with \"!\"",
        "4:4: the tag !!map is not supported: every value is text; put quotes around text that begins with \"!\"",
      ])
  }

  @Test("bytes that are not UTF-8 are reported where the first stands")
  func encoding() {
    #expect(
      issues([0x61, 0x3A, 0x20, 0xFF]) == [
        "1:4: the configuration must be UTF-8: the byte 0xFF begins no character"
      ])
    #expect(
      issues([0x61, 0x0A, 0xC3]) == [
        "2:1: the configuration must be UTF-8: the byte 0xC3 begins no character"
      ])
    #expect(issues([0xFF, 0xFE, 0x61, 0]) == ["1:1: the configuration must be UTF-8: it looks like UTF-16"])
  }

  @Test("a byte order mark, carriage returns and a document's marks change nothing")
  func dressing() throws {
    for text in [
      "\u{FEFF}" + Sample.minimal, Sample.minimal.split(separator: "\n").joined(separator: "\r\n"),
      "---\n" + Sample.minimal + "...\n", "%YAML 1.1\n---\n" + Sample.minimal,
    ] {
      #expect(try load(text).profileNames == ["p"])
    }
  }

  @Test("columns count characters, lines count as editors do")
  func columns() {
    // An accent and a family are one character each, and so is a tab.
    let keys = "{version: 1, \"e\u{301}👨‍👩‍👧\":\tz, wrong: y}\r\n"
    #expect(
      issues(keys).filter { $0.contains("unknown") } == [
        "1:14: unknown key e\u{301}👨\\u{200d}👩\\u{200d}👧", "1:23: unknown key wrong",
      ])
  }

  @Test("aliases stand for what they name, where it stands")
  func aliases() throws {
    let text =
      Sample.minimal + "  q:\n    remote: &r disk\n    directories: [{path: /q, prefix: q/}]\n"
      + "  s:\n    remote: *r\n    directories: [{path: /s, prefix: s/}]\n"
    #expect(try load(text).profile(named: "s").remote == "disk")
  }

  @Test("aliases of aliases cannot make a small file endless")
  func laughs() {
    var text = "a0: &a0 [x]\n"
    for level in 1...12 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(aliases)]\n"
    }
    #expect(issues(text).contains { $0.hasSuffix("more than 100000 values; aliases of aliases?") })
  }

  @Test("a thousand brackets are refused, not followed")
  func depth() {
    #expect(issues(String(repeating: "[", count: 5000)) == ["1:1: not YAML: nested too deeply"])
  }

  @Test("scalars are text, whatever YAML would make of them")
  func scalars() throws {
    for word in ["no", "1.0", "0x10", "2024-01-01", "null", "~", "1_000", ".inf", "true"] {
      let text =
        "version: 1\nremotes: {r: {backend: s3, bucket: \(word)}}\n"
        + "profiles: {p: {remote: r, directories: [{path: /p}], exclude: [\(word)]}}\n"
      let configuration = try load(text)
      #expect(try configuration.remote(named: "r").backend.values["bucket"] == word)
      #expect(try configuration.profile(named: "p").exclude == [word])
    }
  }

  @Test("a key without a value is reported where the key stands")
  func empty() {
    #expect(
      issues(
        "version: 1\nremotes:\n  r:\n    backend: s3\n    bucket:\nprofiles: {p: {remote: r, directories: [{path: /p}]}}\n"
      )
        == ["5:5: remotes.r.bucket has no value; it must be text that is not empty"])
  }
}
