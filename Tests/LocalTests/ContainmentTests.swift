import SyncBackend
import TestSupport
import Testing

@Suite("No key leads out of a local bucket")
struct ContainmentTests {
  let outside: TemporaryDirectory
  let bucket: TemporaryDirectory

  init() throws {
    outside = try TemporaryDirectory()
    bucket = try TemporaryDirectory()
  }

  @Test(
    "keys that are no path below it are refused",
    arguments: [
      "", "/", "/etc/passwd", "a//b", "a/", ".", "..", "../x", "a/../../x", "a/./b", "a/..", "a\u{0}b",
      ".sync-uploads", ".sync-uploads/x",
    ])
  func refused(_ key: String) async throws {
    let local = backend(bucket.path)
    let error = await #expect(throws: BackendError.self) { try await local.put("x", to: key) }
    #expect(error?.kind == .invalidKey)
    let begun = await #expect(throws: BackendError.self) { try await local.begin(key, size: 1, partSize: 1) }
    #expect(begun?.kind == .invalidKey)
    #expect(try await local.delete(key)?.kind == .invalidKey)
    #expect(bucket.tree == [])
  }

  @Test("a link to a folder is neither entered, listed nor deleted through")
  func linkedFolder() async throws {
    try outside.write("secret", to: "file")
    try bucket.link("door", to: outside.path)
    let local = backend(bucket.path)
    let error = await #expect(throws: BackendError.self) { try await local.put("x", to: "door/new") }
    #expect(error?.kind == .conflict)
    #expect(try await local.stat("door/file") == nil)
    #expect(try await local.delete("door/file") == nil)
    #expect(try await local.keys() == [])
    #expect(try await local.keys("door/") == [])
    #expect(outside.tree == ["file"])
  }

  @Test("a link to a file is no object: not read, not written through, not deleted")
  func linkedFile() async throws {
    try outside.write("secret", to: "file")
    try bucket.link("door", to: outside.path + "/file")
    let local = backend(bucket.path)
    let reading = await #expect(throws: BackendError.self) {
      try await local.read(ObjectReference(ObjectKey("door")), range: nil, into: Nowhere())
    }
    #expect(reading?.kind == .notFound)
    let writing = await #expect(throws: BackendError.self) { try await local.put("x", to: "door") }
    #expect(writing?.kind == .conflict)
    #expect(try await local.delete("door") == nil)
    #expect(bucket.tree == ["door"])
    #expect(try outside.read("file") == Array("secret".utf8))
  }

  @Test("a link in the place of the reserved folder is refused")
  func linkedReserved() async throws {
    try bucket.link(".sync-uploads", to: outside.path)
    let local = backend(bucket.path)
    let error = await #expect(throws: BackendError.self) { try await local.put("x", to: "key") }
    #expect(error?.kind == .conflict)
    #expect(outside.tree == [])
  }

  @Test(
    "an upload id from elsewhere names nothing",
    arguments: ["..", "../x", "", String(repeating: "g", count: 32)])
  func foreignID(_ id: String) async throws {
    let local = backend(bucket.path)
    let upload = Upload(key: ObjectKey("key"), id: id)
    let error = await #expect(throws: BackendError.self) { try await local.listParts(of: upload, after: nil) }
    #expect(error?.kind == .uploadGone)
    try await local.abortUpload(upload)
  }

  struct Nowhere: ByteSink {
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
  }
}
