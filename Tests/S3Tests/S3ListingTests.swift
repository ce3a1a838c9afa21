import Digests
import ObjectREST
import S3
import SyncBackend
import Testing
import TestSupport

@Suite("S3 listings")
struct S3ListingTests {
  private let none = xml("<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>")

  @Test("A listing asks for its prefix, url-encoded keys, and the page after a token")
  func request() async throws {
    let remote = try S3TestRemote([none, none])
    _ = try await remote.backend.list(prefix: ObjectKey(""), after: nil)
    #expect(try remote.request.target.path == "/bucket")
    #expect(try remote.request.target.query == "list-type=2&encoding-type=url")
    _ = try await remote.backend.list(prefix: ObjectKey("a b/"), after: PageToken("1/+="))
    #expect(
      try remote.request.target.query
        == "list-type=2&encoding-type=url&prefix=a%20b%2F&continuation-token=1%2F%2B%3D")
  }

  @Test("Keys are decoded only where the answer says that they are encoded")
  func encoding() async throws {
    let contents = "<Contents><Key>a+b%2Bc</Key><Size>1</Size></Contents></ListBucketResult>"
    let remote = try S3TestRemote([
      xml("<ListBucketResult><EncodingType>url</EncodingType>" + contents),
      xml("<ListBucketResult>" + contents),
    ])
    let decoded = try await remote.backend.list(prefix: ObjectKey(""), after: nil)
    #expect(decoded.items.first?.reference.key == ObjectKey("a b+c"))
    #expect(decoded.items.first?.url == "http://127.0.0.1:9000/bucket/a%20b%2Bc")
    let plain = try await remote.backend.list(prefix: ObjectKey(""), after: nil)
    #expect(plain.items.first?.reference.key == ObjectKey("a+b%2Bc"))
  }

  @Test("An ETag in a listing is kept, but does not say whether it is an MD5")
  func content() async throws {
    let remote = try S3TestRemote([
      xml(
        "<ListBucketResult><Contents><Key>a</Key><Size>1</Size><ETag>\"900150983cd24fb0d6963f7d28e17f72\"</ETag>"
          + "<LastModified>2024-05-24T08:30:15.000Z</LastModified></Contents></ListBucketResult>")
    ])
    let object = try #require(try await remote.backend.list(prefix: ObjectKey(""), after: nil).items.first)
    #expect(object.reference.etag == "900150983cd24fb0d6963f7d28e17f72")
    #expect(object.content == nil)
    #expect(object.modified == 1_716_539_415_000_000_000)
  }

  @Test(
    "A listing that is cut off, or says that there is more but not where, is an error",
    arguments: [
      "<ListBucketResult><Contents><Key>a</Key>",
      "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
      "", "<html></html>", "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>",
    ])
  func broken(body: String) async throws {
    let remote = try S3TestRemote([xml(body)])
    let error = await #expect(throws: BackendError.self) {
      _ = try await remote.backend.list(prefix: ObjectKey(""), after: nil)
    }
    #expect(error?.kind == .unavailable)
    #expect(error?.retry == .backoff)
  }

  @Test(
    "A missing bucket, or one that may not be listed, is no empty one",
    arguments: [
      (403, BackendError.Kind.denied), (404, .targetMissing),
    ])
  func refused(status: Int, kind: BackendError.Kind) async throws {
    let remote = try S3TestRemote([HTTPResponse(status: status)])
    let error = await #expect(throws: BackendError.self) {
      _ = try await remote.backend.list(prefix: ObjectKey(""), after: nil)
    }
    #expect(error?.kind == kind)
    #expect(error?.retry == .never)
  }

  @Test("A bucket that knows of no upload has none, however it says so")
  func noUploads() async throws {
    let remote = try S3TestRemote([xml("<Error><Code>NoSuchUpload</Code></Error>", status: 404)])
    let page = try await remote.backend.listUploads(prefix: ObjectKey("p"), after: nil)
    #expect(page.items.isEmpty)
    #expect(page.next == nil)
  }

  @Test("A listing of uploads goes on behind any key", arguments: ["a&b", "a%b", "a+b\n", "\u{E9}"])
  func uploadMarkers(key: String) async throws {
    let escaped = key.replacing("&", with: "&amp;")
    let answer = xml(
      "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated><NextKeyMarker>\(escaped)</NextKeyMarker>"
        + "<NextUploadIdMarker>u&amp;1</NextUploadIdMarker></ListMultipartUploadsResult>")
    let remote = try S3TestRemote([answer, xml("<ListMultipartUploadsResult/>")])
    let page = try await remote.backend.listUploads(prefix: ObjectKey("p"), after: nil)
    let last = try await remote.backend.listUploads(prefix: ObjectKey("p"), after: page.next)
    #expect(last.next == nil)
    var query = Query()
    query.add("key-marker", key)
    query.add("upload-id-marker", "u&1")
    #expect(try remote.request.target.query == "uploads&encoding-type=url&prefix=p&" + query.text)
  }
}

@Suite("S3 deletes")
struct S3DeleteTests {
  private let done = xml("<DeleteResult/>")

  @Test("One key goes by a request of its own, whatever characters it has")
  func single() async throws {
    let remote = try S3TestRemote([
      HTTPResponse(status: 204), xml("<Error><Code>NoSuchKey</Code></Error>", status: 404),
    ])
    let reference = ObjectReference(ObjectKey("a\u{1}"), version: "v1")
    #expect(try await remote.backend.delete([reference]).isEmpty)
    #expect(try remote.request.method == .delete)
    #expect(
      try remote.request.target.url == "http://127.0.0.1:9000/bucket/a%01",
      "a version would come back to light")
    #expect(try await remote.backend.delete([reference]).isEmpty, "missing is success")
  }

  @Test("A 404 that does not say what is missing is no deletion: another server may stand at the endpoint")
  func foreignAnswer() async throws {
    let remote = try S3TestRemote([xml("<html>Not Found</html>", status: 404)])
    let error = await #expect(throws: BackendError.self) {
      _ = try await remote.backend.delete([ObjectReference(ObjectKey("a"))])
    }
    #expect(error?.kind == .targetMissing)
  }

  @Test("A key that the remote cannot have is not there")
  func impossibleKey() async throws {
    let remote = try S3TestRemote([xml("<Error><Code>KeyTooLongError</Code></Error>", status: 400)])
    #expect(try await remote.backend.delete([ObjectReference(ObjectKey("a"))]).isEmpty)
  }

  @Test("Several go in one quiet batch, checked by its MD5")
  func batch() async throws {
    let remote = try S3TestRemote([done])
    let keys = ["a&b", "\u{E9}", "e\u{301}", "c\r"]
    #expect(try await remote.backend.delete(keys.map { ObjectReference(ObjectKey($0)) }).isEmpty)
    let request = try remote.request
    let body = try #require(request.body.text)
    #expect(request.method == .post)
    #expect(request.target.query == "delete")
    #expect(request.headers["Content-MD5"] == base64Text(MD5.hash(Array(body.utf8))))
    #expect(body.contains("<Quiet>true</Quiet>"))
    for key in ["a&amp;b", "\u{E9}", "e\u{301}", "c&#13;"] {
      #expect(Array(body.utf8).firstRange(of: Array("<Object><Key>\(key)</Key></Object>".utf8)) != nil)
    }
  }

  @Test("Each failure belongs to its key; a missing object is none")
  func failures() async throws {
    let remote = try S3TestRemote([
      xml(
        "<DeleteResult><Error><Key>a</Key><Code>InternalError</Code></Error>"
          + "<Error><Key>b</Key><Code>NoSuchKey</Code></Error></DeleteResult>")
    ])
    let references = ["a", "b", "c"].map { ObjectReference(ObjectKey($0)) }
    let failures = try await remote.backend.delete(references)
    #expect(failures.keys.map(\.key) == [ObjectKey("a")])
    #expect(failures[references[0]]?.kind == .unavailable)
    #expect(failures[references[0]]?.retry == .backoff)
    #expect(failures[references[0]]?.message.contains("bucket/a") == true)
  }

  @Test(
    "A whole batch that is refused, or answered with nonsense, throws",
    arguments: [
      (xml("<Error><Code>AccessDenied</Code></Error>", status: 403), BackendError.Kind.denied),
      (xml(""), .unavailable),
      (
        xml("<DeleteResult><Error><Key>z</Key><Code>AccessDenied</Code></Error></DeleteResult>"), .unavailable
      ),
    ])
  func refused(answer: HTTPResponse, kind: BackendError.Kind) async throws {
    let remote = try S3TestRemote([answer])
    let error = await #expect(throws: BackendError.self) {
      _ = try await remote.backend.delete([ObjectReference(ObjectKey("a")), ObjectReference(ObjectKey("b"))])
    }
    #expect(error?.kind == kind)
  }

  @Test("Nothing to delete is no request")
  func nothing() async throws {
    let remote = try S3TestRemote([])
    #expect(try await remote.backend.delete([]).isEmpty)
    #expect(remote.http.requests.isEmpty)
  }
}
