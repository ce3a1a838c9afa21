import ConfigTree
import Testing

@Suite("Reading a section")
struct SectionTests {
  enum Style: String, CaseIterable {
    case auto, virtual, path
  }

  @Test("every value gets the type that its reader asks for")
  func types() {
    let section = section([
      "bucket": "no", "part": "8MiB", "deep": "false", "count": "7", "style": "virtual", "key": "hidden",
    ])
    #expect(section.required("bucket", .text, "") == "no")
    #expect(section.value("part", .size, "") == 8 << 20)
    #expect(section.value("deep", .boolean, "") == false)
    #expect(section.value("count", .integer(in: 1...9), "") == 7)
    #expect(section.value("style", ConfigType<Style>.choice, "") == .virtual)
    #expect(section.value("key", .secret, "")?.exposed == "hidden")
    #expect(section.value("absent", .text, "") == nil)
    section.finish()
    #expect(section.reported == [])
  }

  @Test("a wrong value is reported where it stands, with what would be right")
  func wrongValues() {
    let section = section([
      "deep": "yes", "count": "10", "style": "vitrual", "part": ["8MiB"], "region": .empty,
    ])
    _ = section.value("deep", .boolean, "")
    _ = section.value("count", .integer(in: 1...9), "")
    _ = section.value("style", ConfigType<Style>.choice, "")
    _ = section.value("part", .size, "")
    _ = section.value("region", .text, "")
    #expect(
      section.reported == [
        "f:1:11: top.deep must be true or false, found \"yes\"",
        "f:2:11: top.count must be a whole number from 1 to 9, found \"10\"",
        "f:3:11: top.style must be one of auto, virtual, path, found \"vitrual\"; did you mean virtual?",
        "f:4:11: top.part must be a size such as 8MiB, 512KB or 1GB, found a list",
        "f:5:11: top.region has no value; it must be text that is not empty",
      ])
  }

  @Test("a number has no plus, no point and no blanks", arguments: ["+5", "5.0", " 5", "", "5x", "٥"])
  func noNumbers(text: String) {
    #expect(section(["n": .text(text)]).value("n", .integer(in: 0...9), "") == nil)
  }

  @Test("a missing key is reported where the section begins, with what it is for")
  func missing() {
    let section = section(["region": "x"])
    #expect(section.required("bucket", .text, "the bucket's name") == nil)
    #expect(section.reported == ["f:1:1: top.bucket is missing: the bucket's name"])
  }

  @Test("keys that nobody asked for are reported once, with the nearest that somebody did")
  func unknownKeys() {
    let section = section(["bukcet": "b", "zzz": "1"])
    _ = section.value("bucket", .text, "")
    section.finish()
    section.finish()
    #expect(
      section.reported == [
        "f:1:1: unknown key top.bukcet; did you mean bucket?", "f:2:1: unknown key top.zzz",
      ])
  }

  @Test("one text is a list of one; a list's wrong items are told apart")
  func lists() {
    let section = section(["one": "a", "two": ["1", "x", "3"], "none": [], "map": ["k": "v"]])
    #expect(section.list("one", .text, "") == ["a"])
    #expect(section.list("two", .integer(in: 1...5), "") == [1, 3])
    #expect(section.list("none", .text, "") == [])
    #expect(section.list("absent", .text, "") == nil)
    #expect(section.list("map", .text, "") == nil)
    #expect(
      section.reported == [
        "f:3:11: top.two[1] must be a whole number from 1 to 5, found \"x\"",
        "f:4:11: top.map must be a list, found a mapping",
      ])
  }

  @Test("sections nest, in lists and under names of the user's choosing")
  func nested() {
    let section = section([
      "tls": ["verify": "false", "ca": "x"], "items": [["path": "/a"], ["paht": "/b"]],
      "named": ["first": ["k": "1"], "second": .empty],
    ])
    let tls = section.section("tls", "")
    #expect(tls?.value("verify", .boolean, "") == false)
    tls?.finish()
    for item in section.sections("items", "") {
      _ = item.required("path", .path, "where")
      item.finish()
    }
    let named = section.named("named", "")
    #expect(named.map(\.name) == ["first", "second"])
    #expect(named.first?.section.value("k", .text, "") == "1")
    #expect(section.section("absent", "") == nil)
    #expect(
      section.reported == [
        "f:2:11: unknown key top.tls.ca",
        "f:3:11: top.items[1].path is missing: where",
        "f:3:11: unknown key top.items[1].paht; did you mean path?",
      ])
  }

  @Test("what is no mapping is reported without showing it, and misses no keys")
  func noMapping() {
    let section = section(["credentials": "AKIDhidden", "items": "x", "named": ["a"]])
    let credentials = section.section("credentials", "")
    _ = credentials?.required("id", .text, "")
    _ = section.sections("items", "")
    _ = section.named("named", "", isRequired: true)
    #expect(
      section.reported == [
        "f:1:11: top.credentials must be a mapping, found text",
        "f:2:11: top.items must be a list of mappings, found text",
        "f:3:11: top.named must be a mapping, found a list",
      ])
  }

  @Test("a required mapping of names needs one")
  func namedMissing() {
    let section = section(["empty": .empty])
    _ = section.named("empty", "places", isRequired: true)
    _ = section.named("absent", "places", isRequired: true)
    #expect(
      section.reported == ["f:1:11: top.empty is missing: places", "f:1:1: top.absent is missing: places"])
  }

  @Test("what this version does not do is refused by name, a wrong value by what is wrong with it")
  func unsupported() {
    let section = section([
      "budget": ["upload": "1GB"], "limit": "fast", "rate": "1MB/s", "table": ["a": "b"],
    ])
    section.unsupported("budget", "")
    section.unsupported("absent", "")
    section.unsupported("limit", .rate, "")
    section.unsupported("rate", .rate, "")
    section.unsupported("table", .rate, orMapping: true, "")
    section.finish()
    #expect(
      section.reported == [
        "f:1:11: top.budget is not supported by this version",
        "f:2:11: top.limit must be a rate such as 10MB/s, found \"fast\"",
        "f:3:11: top.rate is not supported by this version",
        "f:4:11: top.table is not supported by this version",
      ])
    #expect(section.context.issues.map(\.kind) == [.unsupported, .invalid, .unsupported, .unsupported])
  }

  @Test("a default stands in where nothing is said, and is shown")
  func defaults() {
    let section = section(["set": "5"])
    #expect(section.value("set", .integer(in: 0...9), "", default: 1) == 5)
    #expect(section.value("unset", .integer(in: 0...9), "", default: 2) == 2)
    #expect(section.shownNode["set"]?.content == .scalar("5"))
    #expect(section.shownNode["unset"]?.content == .scalar("2"))
  }

  @Test("a key that is asked for twice is one field")
  func twice() {
    let section = section(["a": "1"])
    _ = section.value("a", .text, "")
    _ = section.value("a", .integer(in: 0...9), "")
    #expect(section.fields.map(\.name) == ["a"])
  }

  @Test("issues can be gathered apart, and sort by place")
  func gathering() {
    let section = section(["a": "x", "b": "y"])
    let (value, apart) = section.context.gathering { section.value("b", .boolean, "") }
    #expect(value == nil)
    #expect(section.reported == [])
    _ = section.value("a", .boolean, "")
    #expect((apart + section.context.issues).sorted().map(\.location.line) == [1, 2])
  }
}
