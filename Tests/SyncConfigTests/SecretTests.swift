import Foundation
import SyncConfig
import TestSupport
import Testing

@Suite("Secrets in a configuration")
struct SecretTests {
  private let text = """
    version: 1
    remotes:
      aws:
        backend: s3
        bucket: b
        endpoint: https://user:password@proxy.example.com
        credentials: {access_key_id: id, secret_access_key: LITERAL}
    profiles: {p: {remote: aws, directories: [{path: /data}]}}

    """

  @Test("a file that holds one and can be read by others draws a warning; others do not")
  func warning() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(text, to: "config.yaml")
    func warnings(_ mode: Int) throws -> [String] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      return try reader().load(path: path).warnings
    }
    #expect(try warnings(0o600) == [])
    let warning =
      "\(path):6:15: the file holds a secret and can be read by others; run chmod 600 on it, or write ${NAME} and "
      + "keep the secret in the environment"
    #expect(try warnings(0o644) == [warning])
    #expect(try warnings(0o640) == [warning])

    try folder.write(
      text.replacing("LITERAL", with: "\"${SECRET:-x}\"").replacing("user:password@", with: ""),
      to: "config.yaml")
    #expect(try warnings(0o644) == [])
  }

  @Test("show prints none")
  func shown() throws {
    let shown = try load(text).show(profile: "p")
    #expect(!shown.contains("LITERAL"))
    #expect(!shown.contains("password"))
    #expect(shown.contains("endpoint: \"https://****@proxy.example.com\"\n"))
    #expect(shown.contains("secret_access_key: \"****\"\n"))
  }

  @Test("no message prints one")
  func messages() {
    let wrong = text.replacing("LITERAL", with: "\"LITE${RAL\"").replacing("https", with: "")
      .replacing("prefix", with: "/").replacing("bucket: b", with: "bukcet: b")
    #expect(!issues(wrong).isEmpty)
    for secret in ["LITE", "password"] {
      #expect(!issues(wrong).contains { $0.contains(secret) })
    }
    #expect(
      issues(
        text.replacing(
          "credentials: {access_key_id: id, secret_access_key: LITERAL}", with: "credentials: LITERAL"))
        == ["7:18: remotes.aws.credentials must be a mapping, found text"])
  }
}
