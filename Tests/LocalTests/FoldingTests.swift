import Foundation
import SyncBackend
import TestSupport
import Testing

@testable import Local

@Suite("Names that a filesystem takes for the same are not mixed up")
struct FoldingTests {
  let bucket: TemporaryDirectory

  init() throws {
    bucket = try TemporaryDirectory()
  }

  /// What a filesystem does that compares names without regard to case and composition.
  private static let folding = NameFolding { directory, name throws(BackendError) in
    for entry in try directory.entries() where folded(entry.name) == folded(name) {
      return try directory.status(entry.name).map { .init(device: $0.st_dev, inode: $0.st_ino) }
    }
    return nil
  }

  private static func folded(_ name: Name) -> Name {
    Array(String(decoding: name, as: UTF8.self).decomposedStringWithCanonicalMapping.lowercased().utf8)
  }

  @Test(
    "a second spelling is refused, naming both; the first can be replaced",
    arguments: [
      ("Read Me", "read me"), ("caf\u{E9}", "cafe\u{301}"), ("\u{C9}", "\u{E9}"), ("Dir/a", "dir/b"),
    ])
  func refused(_ first: String, _ second: String) async throws {
    let local = backend(bucket.path, folding: Self.folding)
    try await local.put("1", to: first)
    let put = await #expect(throws: BackendError.self) { try await local.put("2", to: second) }
    #expect(put?.kind == .conflict)
    let part = first.split(separator: "/")[0]
    #expect(put?.message.contains("\"\(part)\"") == true)
    let begin = await #expect(throws: BackendError.self) {
      try await local.begin(second, size: 1, partSize: 1)
    }
    #expect(begin?.kind == .conflict)
    try await local.put("3", to: first)
    #expect(try await local.keys() == [first])
    #expect(try bucket.read(first) == Array("3".utf8))
  }

  @Test("an upload that began before its twin was stored is refused at completion")
  func completion() async throws {
    let local = backend(bucket.path, folding: Self.folding)
    let upload = try await local.begin("KEY", size: 1, partSize: 1)
    let part = try await local.send(1, "x", of: upload)
    try await local.put("1", to: "key")
    let error = await #expect(throws: BackendError.self) {
      try await local.completeUpload(upload, parts: [part], content: ContentSummary(size: 1))
    }
    #expect(error?.kind == .conflict)
    #expect(try bucket.read("key") == Array("1".utf8))
  }

  @Test("where nothing folds both spellings live side by side, hard links of one file too")
  func sideBySide() async throws {
    let local = backend(bucket.path)
    try await local.put("1", to: "name")
    #expect(link(bucket.path + "/name", bucket.path + "/NAME") == 0)
    #expect(try await local.stat("NAME")?.size == 1)
    try await local.put("22", to: "NAME")
    #expect(try await local.keys() == ["NAME", "name"])
    #expect(try await local.delete("name") == nil)
    #expect(try await local.keys() == ["NAME"])
  }
}
