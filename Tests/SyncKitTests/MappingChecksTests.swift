import Foundation
import SyncKit
import TestSupport
import Testing

@Suite("Mappings that only their targets tell apart")
struct MappingChecksTests {
  private let room: TemporaryDirectory

  init() throws {
    room = try TemporaryDirectory()
    for folder in ["a", "b", "bucket"] {
      try FileManager.default.createDirectory(
        atPath: room.path + "/" + folder, withIntermediateDirectories: true)
    }
  }

  private func session(_ text: String) throws -> Session {
    let path = try room.write("version: 1\nstate_dir: state\n" + text, to: "config.yaml")
    return try Session(configuration: path, environment: { $0 == "HOME" ? "/nowhere" : nil })
  }

  /// The issues of a configuration, without the folder that they stand in.
  private func issues(_ text: String) -> [String] {
    do {
      _ = try session(text)
      return []
    } catch let error as ConfigurationError {
      return error.issues.map { "\($0)".replacing(room.path + "/", with: "") }
    } catch {
      return ["\(error)"]
    }
  }

  @Test("two remotes of one bucket whose prefixes nest are refused at the later mapping")
  func sameTarget() {
    let found = issues(
      """
      remotes:
        one: {backend: local, path: bucket, prefix: x/}
        two: {backend: local, path: bucket}
      profiles:
        first: {remote: one, directories: [{path: a, prefix: y/}]}
        second: {remote: two, directories: [{path: b, prefix: x/}]}
      """)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("config.yaml:8:") == true)
    #expect(found.first?.contains("x/y/") == true)
  }

  @Test("the same mappings on targets of their own are fine")
  func otherTarget() {
    let found = issues(
      """
      remotes:
        one: {backend: local, path: bucket, prefix: x/}
        two: {backend: local, path: elsewhere}
      profiles:
        first: {remote: one, directories: [{path: a, prefix: y/}]}
        second: {remote: two, directories: [{path: b, prefix: x/}]}
      """)
    #expect(found == [])
  }

  @Test("a bucket inside its source would be mirrored into itself")
  func bucketInSource() {
    let found = issues(
      """
      remotes: {nas: {backend: local, path: a/bucket}}
      profiles: {first: {remote: nas, directories: [{path: a}]}}
      """)
    #expect(found.count == 1)
    #expect(found.first?.contains("a/bucket") == true)
  }

  @Test("a state directory that only a link puts into the source is found")
  func linkedState() throws {
    try FileManager.default.createDirectory(
      atPath: room.path + "/a/state", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: room.path + "/state", withDestinationPath: room.path + "/a/state")
    let found = issues(
      """
      remotes: {nas: {backend: local, path: bucket}}
      profiles: {first: {remote: nas, directories: [{path: a}]}}
      """)
    #expect(found.count == 1)
    #expect(found.first?.contains("the state directory") == true)
  }

  @Test("a run that goes to another remote is held to what is mirrored there")
  func chosenRemote() async throws {
    try room.write("x", to: "a/file")
    let session = try session(
      """
      remotes:
        one: {backend: local, path: bucket}
        two: {backend: local, path: other}
      profiles:
        first: {remote: one, directories: [{path: a, prefix: p/}]}
        second: {remote: two, directories: [{path: b, prefix: p/}]}
      """)
    var overrides = Overrides()
    overrides.remote = "one"
    await #expect(throws: ConfigurationError.self) {
      try await session.run("second", overrides) { _ in }
    }
  }

  @Test("a run through the library mirrors, and its events end with its summary")
  func library() async throws {
    try room.write("hello", to: "a/file")
    let session = try session(
      """
      remotes: {nas: {backend: local, path: bucket}}
      profiles: {first: {remote: nas, directories: [{path: a, prefix: p/}]}}
      """)
    let (summary, error) = try await session.run("first") { _ in }
    #expect(error == nil && summary.status == 0 && summary.uploaded == 1)
    #expect(try room.read("bucket/p/file") == Array("hello".utf8))
    #expect(try session.status(of: "first").objects == 1)
  }
}
