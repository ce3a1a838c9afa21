import Digests
import S3
import SyncBackend
import Testing
import TestSupport

@Suite("S3 objects")
struct S3ObjectTests {
  private let key = ObjectKey("a")
  private let md5 = "900150983cd24fb0d6963f7d28e17f72"

  private func put(
    _ headers: HTTPFields, keys: [String: String] = ["endpoint": "http://127.0.0.1:9000"]
  ) async throws -> Result<ObjectInfo, BackendError> {
    let remote = try S3TestRemote(keys, [HTTPResponse(status: 200, headers: headers)])
    var digests = DigestSet()
    digests[.md5] = MD5.hash(Array("abc".utf8))
    digests[.sha256] = SHA256.hash(Array("abc".utf8))
    do throws(BackendError) {
      return .success(
        try await remote.backend.put(
          Payload(.bytes(Array("abc".utf8)), digests: digests), to: key, options: ObjectOptions()))
    } catch {
      return .failure(error)
    }
  }

  @Test("An ETag that is the MD5 of other bytes means that they were damaged on the way")
  func damaged() async throws {
    guard case .failure(let error) = try await put(["ETag": "\"00000000000000000000000000000000\""]) else {
      Issue.record("the put passed")
      return
    }
    #expect(error.kind == .corrupted)
    #expect(error.retry == .backoff)
  }

  @Test(
    "An encrypted object's ETag only looks like an MD5",
    arguments: [
      ["x-amz-server-side-encryption": "aws:kms"], ["x-amz-server-side-encryption": "aws:kms:dsse"],
      ["x-amz-server-side-encryption-customer-algorithm": "AES256"],
    ])
  func encrypted(headers: [String: String]) async throws {
    var fields: HTTPFields = ["ETag": "\"00000000000000000000000000000000\""]
    for (name, value) in headers { fields[name] = value }
    let object = try await put(fields).get()
    #expect(object.content == nil)
    #expect(object.reference.etag == "00000000000000000000000000000000")
  }

  @Test(
    "SSE-S3 leaves the MD5 what it is; other ETags are opaque",
    arguments: [
      ("\"900150983cd24fb0d6963f7d28e17f72\"", true), ("900150983CD24FB0D6963F7D28E17F72", true),
      ("W/\"900150983cd24fb0d6963f7d28e17f72\"", true), ("\"abc\"", false), ("", false),
    ])
  func forms(etag: String, isMD5: Bool) async throws {
    let object = try await put(["ETag": etag, "x-amz-server-side-encryption": "AES256"]).get()
    #expect(object.content == (isMD5 ? .md5(MD5.hash(Array("abc".utf8))) : nil))
  }

  @Test("A 200 without an ETag field confirms nothing: no S3 answers so, but any web server may")
  func foreignAnswer() async throws {
    guard case .failure(let error) = try await put(["Content-Type": "text/html"]) else {
      Issue.record("the put passed")
      return
    }
    #expect(error.kind == .unavailable)
    #expect(error.message.contains("ETag"))
  }

  @Test("HEAD tells size, time, metadata and content")
  func head() async throws {
    let remote = try S3TestRemote([
      HTTPResponse(
        status: 200,
        headers: [
          "Content-Length": "5368709121", "Last-Modified": "Fri, 24 May 2024 08:30:15 GMT",
          "ETag": "\"\(md5)-2\"", "X-Amz-Meta-MD5Chksum": "x", "x-amz-version-id": "v1",
        ])
    ])
    let object = try #require(try await remote.backend.stat(ObjectReference(key)))
    #expect(object.size == 5_368_709_121)
    #expect(object.modified == 1_716_539_415_000_000_000)
    #expect(object.metadata == ["md5chksum": "x"])
    #expect(object.reference.version == "v1")
    #expect(object.content == .md5OfParts(try #require(hexBytes(md5)), count: 2))
  }

  @Test("A store whose multipart ETags are random keeps them opaque")
  func r2() async throws {
    let answer = HTTPResponse(status: 200, headers: ["ETag": "\"\(md5)-2\""])
    let remote = try S3TestRemote(["endpoint": "https://id.r2.cloudflarestorage.com"], [answer])
    #expect(try await remote.backend.stat(ObjectReference(key))?.content == nil)
  }

  @Test(
    "HEAD has no body to explain itself: the status must do",
    arguments: [
      (403, BackendError.Kind.denied, BackendError.Retry.never), (500, .unavailable, .backoff),
      (429, .throttled, .backoff), (301, .targetMissing, .never), (400, .invalidRequest, .never),
      (412, .conflict, .never), (501, .unsupported, .never), (507, .full, .never),
      (401, .credentials, .never),
    ])
  func statuses(status: Int, kind: BackendError.Kind, retry: BackendError.Retry) async throws {
    let remote = try S3TestRemote([HTTPResponse(status: status)])
    let error = await #expect(throws: BackendError.self) {
      _ = try await remote.backend.stat(ObjectReference(key))
    }
    #expect(error?.kind == kind)
    #expect(error?.retry == retry)
  }

  @Test("A missing object is nil to stat, and an error to read")
  func missing() async throws {
    let remote = try S3TestRemote([HTTPResponse(status: 404), HTTPResponse(status: 404)])
    #expect(try await remote.backend.stat(ObjectReference(key)) == nil)
    let error = await #expect(throws: BackendError.self) {
      try await remote.backend.read(ObjectReference(key), range: nil, into: CollectingSink())
    }
    #expect(error?.kind == .notFound)
  }

  @Test(
    "Reads name the bytes that they want",
    arguments: [
      (nil, nil), (ReadRange(offset: 0), nil), (ReadRange(offset: 5), "bytes=5-"),
      (ReadRange(offset: 5, length: 3), "bytes=5-7"), (ReadRange(offset: 0, length: 1), "bytes=0-0"),
    ] as [(ReadRange?, String?)])
  func ranges(range: ReadRange?, header: String?) async throws {
    let remote = try S3TestRemote([HTTPResponse(status: header == nil ? 200 : 206, body: [1, 2, 3])])
    let sink = CollectingSink()
    try await remote.backend.read(ObjectReference(key), range: range, into: sink)
    #expect(try remote.request.headers["Range"] == header)
    #expect(sink.bytes == [1, 2, 3])
  }

  @Test("A whole object where a range was asked for is an error")
  func ignoredRange() async throws {
    let remote = try S3TestRemote([HTTPResponse(status: 200, body: [1, 2, 3])])
    let error = await #expect(throws: BackendError.self) {
      try await remote.backend.read(
        ObjectReference(key), range: ReadRange(offset: 1, length: 1), into: CollectingSink())
    }
    #expect(error?.kind == .unsupported)
  }

  @Test("A part sent under 200 is known by its Content-Range, and must be the one asked for")
  func rangeUnder200() async throws {
    let remote = try S3TestRemote([
      HTTPResponse(status: 200, headers: ["Content-Range": "bytes 5-7/11"], body: [1, 2, 3]),
      HTTPResponse(status: 206, headers: ["Content-Range": "bytes 6-8/11"], body: [1, 2, 3]),
    ])
    let range = ReadRange(offset: 5, length: 3)
    try await remote.backend.read(ObjectReference(key), range: range, into: CollectingSink())
    let error = await #expect(throws: BackendError.self) {
      try await remote.backend.read(ObjectReference(key), range: range, into: CollectingSink())
    }
    #expect(error?.kind == .unsupported)
  }

  @Test("A range of no bytes asks only whether the object is there")
  func emptyRange() async throws {
    let remote = try S3TestRemote([HTTPResponse(status: 200), HTTPResponse(status: 404)])
    let empty = ReadRange(offset: 0, length: 0)
    try await remote.backend.read(ObjectReference(key), range: empty, into: CollectingSink())
    let error = await #expect(throws: BackendError.self) {
      try await remote.backend.read(ObjectReference(key), range: empty, into: CollectingSink())
    }
    #expect(error?.kind == .notFound)
  }
}
