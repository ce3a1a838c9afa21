import ConfigTree
import Testing

@Suite("What is never shown")
struct SecretTests {
  @Test("a secret prints, interpolates and mirrors as ****")
  func secret() {
    let secret = Secret("hidden")
    #expect("\(secret)" == "****")
    #expect(String(reflecting: secret) == "****")
    #expect(String(describing: [secret]) == "[****]")
    #expect(Array(Mirror(reflecting: secret).children).isEmpty)
    var dumped = ""
    dump(secret, to: &dumped)
    #expect(!dumped.contains("hidden"))
  }

  @Test("messages and shown values mask secrets")
  func masked() {
    let section = section(["a": "hidden", "b": "hid\nden", "c": "x${hid den}"])
    for key in ["a", "b", "c"] { _ = section.value(key, .secret, "") }
    #expect(section.shownNode["a"]?.content == .scalar("****"))
    #expect(
      section.reported == [
        "f:2:11: top.b must be text without line breaks and control characters, found ****",
        "f:3:11: top.c: **** is not the name of an environment variable",
      ])
  }

  @Test(
    "a URL's user and password are masked, wherever it is shown",
    arguments: [
      ("https://u:p@host/x", "https://****@host/x"), ("https://u:p@ss@host", "https://****@host"),
      ("http://host/a@b", "http://host/a@b"), ("u:p@host", "u:p@host"),
      ("https://host?x=a@b", "https://host?x=a@b"),
      ("http://a:b@h http://c:d@i", "http://****@h http://****@i"), ("é://ü:p@h", "é://****@h"),
      ("://@", "://****@"),
    ])
  func userinfo(text: String, masked: String) {
    #expect(maskingUserinfo(text) == masked)
    let section = section(["url": .text(text)])
    _ = section.value("url", .text, "")
    #expect(section.shownNode["url"]?.content == .scalar(masked))
    _ = section.value("url", .boolean, "")
    #expect(section.reported == ["f:1:11: top.url must be true or false, found \"\(masked)\""])
  }

  @Test("a value cannot break out of its message's line, nor fill the screen")
  func oneLine() {
    let section = section([
      "a": "x\nf:9:9: forged\u{1B}[2J\u{202E}", "b": .text(String(repeating: "z", count: 500)),
    ])
    _ = section.value("a", .boolean, "")
    _ = section.value("b", .boolean, "")
    #expect(
      section.reported == [
        "f:1:11: top.a must be true or false, found \"x\\nf:9:9: forged\\u{1b}[2J\\u{202e}\"",
        "f:2:11: top.b must be true or false, found \"\(String(repeating: "z", count: 100))…\"",
      ])
  }

  @Test("secrets that stand in the file are remembered; those of the environment are not")
  func literal() {
    let section = section(
      ["a": "hidden", "b": "${S}", "url": "https://u:p@h", "plain": "text"], ["S": "hidden"])
    _ = section.value("a", .secret, "")
    _ = section.value("b", .secret, "")
    _ = section.value("url", .text, "")
    _ = section.value("plain", .text, "")
    #expect(section.context.literalSecrets.map(\.line) == [1, 3])
  }
}

@Suite("The nearest name")
struct NearestNameTests {
  @Test(
    "a slip of the keys finds the name",
    arguments: [
      ("bukcet", "bucket"), ("regin", "region"), ("Bucket", "bucket"), ("prefixx", "prefix"),
      ("exlude", "exclude"),
      ("directory", "directories"), ("s33", "s3"),
    ])
  func near(typed: String, meant: String) {
    let names = ["bucket", "region", "prefix", "exclude", "directories", "s3", "delete"]
    #expect(nearestName(to: typed, among: names) == meant)
  }

  @Test("a name that shares nothing finds none", arguments: ["x", "zzzzzz", "path", ""])
  func far(typed: String) {
    #expect(nearestName(to: typed, among: ["bucket", "s3", "y"]) == nil)
  }
}
