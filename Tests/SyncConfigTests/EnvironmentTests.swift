import ConfigTree
import SyncConfig
import Testing

@Suite("Variables of the environment in a configuration")
struct EnvironmentTests {
  private let text = """
    version: 1
    remotes:
      aws:
        backend: s3
        bucket: ${BUCKET}
        credentials: {access_key_id: id, secret_access_key: "${SECRET}"}
      disk: {backend: local, path: /mnt/disk}
    defaults:
      transfer: {concurrency: "${CONCURRENCY:-4}"}
    profiles:
      photos:
        remote: aws
        directories: [{path: "${PHOTOS}/raw", prefix: photos/}]
        max_delete: ${LIMIT}
      nightly:
        extends: photos
        remote: disk
        max_delete: 3

    """

  @Test("an unset variable is an error for the remote or the profile in use, and for no other")
  func lazily() throws {
    let configuration = try load(text)
    #expect(configuration.remoteNames == ["aws", "disk"])
    #expect(configuration.profileNames == ["photos", "nightly"])
    #expect(try configuration.remote(named: "disk").backend.values == ["path": "/mnt/disk"])
    #expect(
      failure { () throws(ConfigurationError) in _ = try configuration.remote(named: "aws") } == [
        "config.yaml:5:13: remotes.aws.bucket: \(unset("BUCKET"))",
        "config.yaml:6:57: remotes.aws.credentials.secret_access_key: \(unset("SECRET"))",
      ])
    #expect(
      failure { () throws(ConfigurationError) in _ = try configuration.profile(named: "photos") } == [
        "config.yaml:13:26: profiles.photos.directories[0].path: \(unset("PHOTOS"))",
        "config.yaml:14:17: profiles.photos.max_delete: \(unset("LIMIT"))",
      ])
  }

  @Test("an inherited variable counts for who inherits it, unless another value replaces it")
  func inherited() throws {
    #expect(
      failure { () throws(ConfigurationError) in _ = try load(text).profile(named: "nightly") } == [
        "config.yaml:13:26: profiles.nightly.directories[0].path: \(unset("PHOTOS"))"
      ])
    let profile = try load(text, ["PHOTOS": "/p", "HOME": "/h"]).profile(named: "nightly")
    #expect(profile.directories.map(\.path) == ["/p/raw"])
    #expect(profile.maxDelete == .count(3))
  }

  @Test("a variable in the transfer settings of defaults counts for every profile")
  func defaults() {
    let text = text.replacing(":-4", with: "").replacing("${PHOTOS}", with: "").replacing(
      "${LIMIT}", with: "1")
    #expect(
      failure { () throws(ConfigurationError) in _ = try load(text).profile(named: "nightly") } == [
        "config.yaml:9:27: defaults.transfer.concurrency: \(unset("CONCURRENCY"))"
      ])
  }

  @Test("a variable in extends counts for the whole line of descent")
  func extends() throws {
    let text =
      Sample.minimal
      + "  q: {extends: \"${PARENT}\", remote: disk, directories: [{path: /data, prefix: data/}]}\n"
      + "  r: {extends: q}\n"
    #expect(try load(text).profile(named: "p").remote == "disk")
    #expect(
      failure { () throws(ConfigurationError) in _ = try load(text).profile(named: "r") } == [
        "config.yaml:12:16: profiles.q.extends: \(unset("PARENT"))"
      ])
  }

  @Test("a variable where the program always looks is always an error")
  func always() {
    #expect(issues("state_dir: ${STATE}\n" + Sample.minimal) == ["1:12: state_dir: \(unset("STATE"))"])
  }

  @Test("a value from a variable is checked like any other, and shown without its secret")
  func checked() {
    #expect(
      issues(text, ["HOME": "/h", "LIMIT": "many", "SECRET": "se\ncret"]) == [
        "6:57: remotes.aws.credentials.secret_access_key must be text without line breaks and control characters, "
          + "found ****",
        "14:17: profiles.photos.max_delete must be a number of files or a percentage up to 100%, found \"many\"",
      ])
  }

  @Test("a malformed variable is an error wherever it stands")
  func malformed() {
    #expect(
      issues(text.replacing("${BUCKET}", with: "${BUCKET")) == [
        "5:13: remotes.aws.bucket: \"${\" without its \"}\"; write $${ for a literal ${"
      ])
  }

  private func unset(_ name: String) -> String {
    "the environment variable \(name) is not set; ${\(name):-default} gives a default"
  }
}
