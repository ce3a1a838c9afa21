import Digests
import Foundation
import SyncBackend
import TestSupport
import Testing

@testable import Local

@Suite("Multipart uploads in a local bucket survive their process")
struct UploadTests {
  let bucket: TemporaryDirectory

  init() throws {
    bucket = try TemporaryDirectory()
  }

  @Test("another connection goes on with what the first one sent")
  func resumes() async throws {
    let upload = try await backend(bucket.path).begin("a/key", size: 10, partSize: 4)
    _ = try await backend(bucket.path).send(3, "ij", of: upload)
    _ = try await backend(bucket.path).send(1, "abcd", of: upload)
    let later = backend(bucket.path)
    let listed = try await later.listUploads(prefix: ObjectKey("a/"), after: nil).items
    let found = try #require(listed.first)
    #expect(found.id == upload.id)
    _ = try await later.send(2, "efgh", of: found)
    let parts = try await later.listParts(of: found, after: nil).items
    #expect(parts.map(\.md5) == ["abcd", "efgh", "ij"].map { MD5.hash(Array($0.utf8)) })
    let info = try await later.completeUpload(found, parts: parts, content: ContentSummary(size: 10))
    #expect(try bucket.read("a/key") == Array("abcdefghij".utf8))
    #expect(bucket.tree == ["a/", "a/key"])
    // What proves the object ours where complete's answer was lost.
    let stat = try #require(try await later.stat("a/key"))
    #expect(stat.reference == info.reference)
    let digests = parts.flatMap { $0.md5 ?? [] }
    #expect(stat.content == .md5OfParts(MD5.hash(digests), count: 3))
    let again = await #expect(throws: BackendError.self) {
      try await later.completeUpload(found, parts: parts, content: ContentSummary(size: 10))
    }
    #expect(again?.kind == .uploadGone)
  }

  @Test("a part's record that a crash cut off is no part")
  func tornRecord() async throws {
    let local = backend(bucket.path)
    let upload = try await local.begin("key", size: 8, partSize: 4)
    _ = try await local.send(1, "abcd", of: upload)
    let second = try await local.send(2, "efgh", of: upload)
    try bucket.write("4 0123", to: ".sync-uploads/upload-\(upload.id)/parts/2")
    #expect(try await local.listParts(of: upload, after: nil).items.map(\.number) == [1])
    let first = try await local.listParts(of: upload, after: nil).items
    let error = await #expect(throws: BackendError.self) {
      try await local.completeUpload(upload, parts: first + [second], content: ContentSummary(size: 8))
    }
    #expect(error?.code == "InvalidPart")
    try await local.abortUpload(upload)
    #expect(bucket.tree == [])
  }

  @Test("a part that fails while it is sent again is no longer claimed")
  func failedResend() async throws {
    let local = backend(bucket.path)
    let upload = try await local.begin("key", size: 4, partSize: 4)
    _ = try await local.send(1, "abcd", of: upload)
    var digests = DigestSet()
    digests[.md5] = MD5.hash([])
    let wrong = Payload(.bytes(Array("efgh".utf8)), digests: digests)
    let error = await #expect(throws: BackendError.self) {
      try await local.uploadPart(1, payload: wrong, of: upload)
    }
    #expect(error?.kind == .corrupted)
    #expect(try await local.listParts(of: upload, after: nil).items == [])
  }

  @Test("a part of another size than the plan's is refused")
  func wrongSize() async throws {
    let local = backend(bucket.path)
    let upload = try await local.begin("key", size: 6, partSize: 4)
    for (number, text) in [(1, "abc"), (2, "abcd"), (3, "ab"), (0, "abcd")] {
      let error = await #expect(throws: BackendError.self) { try await local.send(number, text, of: upload) }
      #expect(error?.kind == .invalidRequest)
    }
  }

  @Test("a straggler that still writes holds completion off, and never touches the object")
  func straggler() async throws {
    let local = backend(bucket.path)
    let upload = try await local.begin("key", size: 4, partSize: 4)
    let part = try await local.send(1, "abcd", of: upload)
    let straggler = open(bucket.path + "/.sync-uploads/upload-\(upload.id)/data", O_RDWR)
    try #require(flock(straggler, LOCK_SH) == 0)
    let error = await #expect(throws: BackendError.self) {
      try await local.completeUpload(upload, parts: [part], content: ContentSummary(size: 4))
    }
    #expect(error?.kind == .conflict)
    #expect(error?.retry == .backoff)
    close(straggler)
    _ = try await local.completeUpload(upload, parts: [part], content: ContentSummary(size: 4))
    #expect(try bucket.read("key") == Array("abcd".utf8))
  }
}
