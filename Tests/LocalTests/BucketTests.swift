import Digests
import Foundation
import SyncBackend
import TestSupport
import Testing

@testable import Local

@Suite("A local bucket is a directory of plain files")
struct BucketTests {
  let bucket: TemporaryDirectory

  init() throws {
    bucket = try TemporaryDirectory()
  }

  @Test("an object is the file at its key, and nothing else is left there")
  func plainFile() async throws {
    try await backend(bucket.path).put("hello", to: "a/b c/d")
    #expect(bucket.tree == ["a/", "a/b c/", "a/b c/d"])
    #expect(try bucket.read("a/b c/d") == Array("hello".utf8))
  }

  @Test("a bucket that is not there is not made")
  func missing() async throws {
    let path = bucket.path + "/not-mounted"
    let error = await #expect(throws: BackendError.self) { try await backend(path).put("x", to: "key") }
    #expect(error?.kind == .targetMissing)
    #expect(error?.message.contains("create the directory") == true)
    #expect(bucket.tree == [])
  }

  @Test("a file where a folder is needed, and a folder where the object should be, are conflicts")
  func conflicts() async throws {
    let local = backend(bucket.path)
    try await local.put("x", to: "file")
    try await local.put("x", to: "folder/x")
    for key in ["file/below", "folder"] {
      let put = await #expect(throws: BackendError.self) { try await local.put("x", to: key) }
      #expect(put?.kind == .conflict)
      let begin = await #expect(throws: BackendError.self) {
        try await local.begin(key, size: 1, partSize: 1)
      }
      #expect(begin?.kind == .conflict)
    }
    #expect(bucket.tree == ["file", "folder/", "folder/x"])
  }

  @Test("deleting removes the folders that it leaves empty, and no others")
  func prunes() async throws {
    let local = backend(bucket.path)
    try await local.put("x", to: "a/b/c/d")
    try await local.put("x", to: "a/e")
    #expect(try await local.delete("a/b/c/d") == nil)
    #expect(bucket.tree == ["a/", "a/e"])
    #expect(try await local.delete("a/e") == nil)
    #expect(bucket.tree == [])
    #expect(FileManager.default.fileExists(atPath: bucket.path))
  }

  @Test("a path may be longer than the system takes in one piece")
  func deep() async throws {
    let local = backend(bucket.path)
    let key = String(repeating: String(repeating: "d", count: 101) + "/", count: 40) + "file"
    #expect(key.utf8.count + bucket.path.utf8.count > PATH_MAX)
    try await local.put("deep", to: key)
    #expect(try await local.stat(key)?.size == 4)
    #expect(try await local.keys() == [key])
    #expect(try await local.delete(key) == nil)
    #expect(bucket.tree == [])
  }

  @Test("only regular files are listed, in the order of their keys, from anywhere on")
  func listing() async throws {
    let local = backend(bucket.path, pageSize: 1)
    let names = ["a", "a-b", "a.b/c", "a0/x/y", "a0/x.y", "b/c/d", "b/c-d", "b/c0"]
    for name in names { try bucket.write("x", to: name) }
    #expect(mkfifo(bucket.path + "/b/fifo", 0o600) == 0)
    try bucket.link("b/link", to: "c")
    #expect(try await local.keys() == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    // Another connection knows nothing of the page before.
    var token: PageToken?
    var keys: [String] = []
    repeat {
      let page = try await backend(bucket.path, pageSize: 3).list(prefix: ObjectKey(""), after: token)
      keys += page.items.map(\.reference.key.text)
      token = page.next
    } while token != nil
    #expect(keys == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test("a listing goes on where the object of its token is gone, or a folder now")
  func listingChanges() async throws {
    for name in ["a/b", "a/c", "b", "c"] { try bucket.write("x", to: name) }
    let first = try await backend(bucket.path, pageSize: 1).list(prefix: ObjectKey(""), after: nil)
    try FileManager.default.removeItem(atPath: bucket.path + "/a")
    let rest = try await backend(bucket.path).list(prefix: ObjectKey(""), after: first.next)
    #expect(rest.items.map(\.reference.key.text) == ["b", "c"])
    try FileManager.default.removeItem(atPath: bucket.path + "/b")
    try bucket.write("x", to: "b/z")
    let second = try await backend(bucket.path).list(
      prefix: ObjectKey(""), after: PageToken(hexText(Array("b".utf8))))
    #expect(second.items.map(\.reference.key.text) == ["b/z", "c"])
  }

  @Test("a file that is no UTF-8 is no object")
  func foreignNames() async throws {
    let directory = open(bucket.path, O_RDONLY)
    defer { close(directory) }
    let name = [CChar(bitPattern: 0xFF), 0]
    close(openat(directory, name, O_CREAT | O_WRONLY, 0o600))
    #expect(try await backend(bucket.path).keys() == [])
  }

  @Test("the content is stated while the file is as it was written")
  func statedContent() async throws {
    let local = backend(bucket.path)
    let put = try await local.put("hello", to: "key")
    let found = try #require(try await local.stat("key"))
    #expect(found.reference == put.reference)
    #expect(found.content == .md5(MD5.hash(Array("hello".utf8))))
    let handle = try #require(FileHandle(forWritingAtPath: bucket.path + "/key"))
    try handle.write(contentsOf: Data("HELLO".utf8))
    try handle.close()
    let changed = try #require(try await local.stat("key"))
    #expect(changed.content == nil)
    #expect(changed.reference.etag != put.reference.etag)
  }

  @Test("a copy that took the note of its content along is not believed")
  func copiedNote() async throws {
    let local = backend(bucket.path)
    try await local.put("hello", to: "key")
    let copy = Process()
    copy.executableURL = URL(fileURLWithPath: "/bin/cp")
    copy.arguments = ["-a", bucket.path + "/key", bucket.path + "/copy"]
    try copy.run()
    copy.waitUntilExit()
    #expect(try await local.stat("copy")?.size == 5)
    #expect(try await local.stat("copy")?.content == nil)
  }
}
