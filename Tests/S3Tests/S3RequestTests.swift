import Digests
import S3
import SyncBackend
import Testing
import TestSupport

@Suite("S3 requests")
struct S3RequestTests {
  private let stored = HTTPResponse(status: 200, headers: ["ETag": "\"900150983cd24fb0d6963f7d28e17f72\""])

  private func payload(_ text: String) -> Payload {
    var digests = DigestSet()
    digests[.md5] = MD5.hash(Array(text.utf8))
    digests[.sha256] = SHA256.hash(Array(text.utf8))
    return Payload(.bytes(Array(text.utf8)), digests: digests)
  }

  @Test("A put carries Content-MD5 and metadata, and over plain HTTP the signed hash of its bytes")
  func put() async throws {
    let remote = try S3TestRemote([stored])
    let object = try await remote.backend.put(
      payload("abc"), to: ObjectKey("a"),
      options: ObjectOptions(metadata: ["md5chksum": "kAFQmDzST7DWlj99KOF/cg=="]))
    let request = try remote.request
    #expect(request.method == .put)
    #expect(request.target.url == "http://127.0.0.1:9000/bucket/a")
    #expect(request.body.text == "abc")
    #expect(request.headers["Content-MD5"] == "kAFQmDzST7DWlj99KOF/cg==")
    #expect(request.headers["x-amz-meta-md5chksum"] == "kAFQmDzST7DWlj99KOF/cg==")
    #expect(request.headers["x-amz-content-sha256"] == hexText(SHA256.hash(Array("abc".utf8))))
    #expect(request.headers["x-amz-date"] == "20240524T081015Z")
    #expect(request.headers["Authorization"]?.contains("/20240524/us-east-1/s3/aws4_request") == true)
    #expect(request.headers["Expect"] == nil)
    #expect(object.content == .md5(MD5.hash(Array("abc".utf8))))
    #expect(object.reference.etag == "900150983cd24fb0d6963f7d28e17f72")
    #expect(object.url == "http://127.0.0.1:9000/bucket/a")
    #expect(remote.backend.capabilities.putDigests == [.md5, .sha256])
    #expect(remote.backend.capabilities.partDigests == [.md5, .sha256])
  }

  @Test("Over TLS the payload is not signed, so nobody hashes it for that")
  func secure() async throws {
    let remote = try S3TestRemote(["region": "eu-central-1"], [stored])
    _ = try await remote.backend.put(payload("abc"), to: ObjectKey("a"), options: ObjectOptions())
    #expect(try remote.request.headers["x-amz-content-sha256"] == "UNSIGNED-PAYLOAD")
    #expect(try remote.request.target.url == "https://bucket.s3.eu-central-1.amazonaws.com/a")
    #expect(remote.backend.capabilities.putDigests == [.md5])
  }

  @Test("Over plain HTTP bytes without their hash are not sent")
  func unhashed() async throws {
    let remote = try S3TestRemote([stored])
    let error = await #expect(throws: BackendError.self) {
      _ = try await remote.backend.put(Payload(.bytes([1])), to: ObjectKey("a"), options: ObjectOptions())
    }
    #expect(error?.kind == .invalidRequest)
    #expect(remote.http.requests.isEmpty)
  }

  @Test(
    "A key's bytes go on the wire as they are",
    arguments: [
      ("/", "/bucket//"), ("//a/../b/./c", "/bucket///a/../b/./c"), ("trail/ ", "/bucket/trail/%20"),
      ("a+b%2F?#", "/bucket/a%2Bb%252F%3F%23"), ("\u{E9}", "/bucket/%C3%A9"), ("e\u{301}", "/bucket/e%CC%81"),
      ("\u{1}\n\u{7F}", "/bucket/%01%0A%7F"), ("..", "/bucket/.."),
    ])
  func keys(key: String, path: String) async throws {
    let remote = try S3TestRemote([HTTPResponse(status: 200)])
    _ = try await remote.backend.stat(ObjectReference(ObjectKey(key)))
    #expect(try remote.request.target.path.utf8.elementsEqual(path.utf8))
    #expect(try remote.request.method == .head)
  }

  @Test("Temporary credentials send their token, signed")
  func token() async throws {
    let remote = try S3TestRemote(
      environment: S3TestRemote.credentials.merging(["AWS_SESSION_TOKEN": "TOKEN=="]) { $1 }
    ) { (_: HTTPRequest) in HTTPResponse(status: 200) }
    _ = try await remote.backend.stat(ObjectReference(ObjectKey("a")))
    #expect(try remote.request.headers["x-amz-security-token"] == "TOKEN==")
    #expect(try remote.request.headers["Authorization"]?.contains(";x-amz-security-token,") == true)
  }

  @Test("Without credentials nothing is sent, and the message says what to set")
  func noCredentials() async throws {
    let remote = try S3TestRemote(environment: ["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": ""]) {
      (_: HTTPRequest) in HTTPResponse(status: 200)
    }
    let error = await #expect(throws: BackendError.self) {
      _ = try await remote.backend.stat(ObjectReference(ObjectKey("a")))
    }
    #expect(error?.kind == .credentials)
    #expect(error?.retry == .never)
    #expect(error?.message.contains("AWS_SECRET_ACCESS_KEY") == true)
    #expect(remote.http.requests.isEmpty)
  }

  @Test(
    "Metadata that would not come back unchanged is refused",
    arguments: [
      ["a": "\u{E9}"], ["a": "x\r\nEvil: 1"], ["a": " x"], ["a": "x  y"], ["a b": "x"], ["A": "x"], ["": "x"],
    ])
  func metadata(metadata: [String: String]) async throws {
    let remote = try S3TestRemote([stored])
    let error = await #expect(throws: BackendError.self) {
      _ = try await remote.backend.put(
        payload("abc"), to: ObjectKey("a"), options: ObjectOptions(metadata: metadata))
    }
    #expect(error?.kind == .invalidRequest)
  }

  @Test("Copying on the server is refused, as the capabilities say")
  func copy() async throws {
    let remote = try S3TestRemote([stored])
    let source = Payload(.object(ObjectReference(ObjectKey("b")), offset: 0, length: 1))
    let error = await #expect(throws: BackendError.self) {
      _ = try await remote.backend.put(source, to: ObjectKey("a"), options: ObjectOptions())
    }
    #expect(error?.kind == .unsupported)
    #expect(!remote.backend.capabilities.copies)
  }
}
