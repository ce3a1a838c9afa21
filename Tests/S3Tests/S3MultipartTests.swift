import Digests
import S3
import SyncBackend
import Testing
import TestSupport

@Suite("S3 multipart uploads")
struct S3MultipartTests {
  private let upload = Upload(key: ObjectKey("a b"), id: "2~x/+=&")
  private let summary = ContentSummary(size: 2)

  @Test("An upload begins with its metadata")
  func begin() async throws {
    let remote = try S3TestRemote([
      xml("<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>")
    ])
    let plan = UploadPlan(
      key: upload.key, size: 10, partSize: 5, options: ObjectOptions(metadata: ["k": "v"]))
    let begun = try await remote.backend.beginUpload(plan)
    #expect(begun == Upload(key: upload.key, id: "u", plan: plan))
    let request = try remote.request
    #expect(request.method == .post)
    #expect(request.target.path == "/bucket/a%20b")
    #expect(request.target.query == "uploads")
    #expect(request.headers["x-amz-meta-k"] == "v")
  }

  @Test("rclone's name for a begun upload is known; an answer without an id leaves it in doubt")
  func otherNames() async throws {
    let plan = UploadPlan(key: upload.key, size: 10, partSize: 5, options: ObjectOptions())
    let remote = try S3TestRemote([
      xml("<InitiateMultipartUpload><UploadId>u</UploadId></InitiateMultipartUpload>"),
      xml("<InitiateMultipartUploadResult/>"),
    ])
    #expect(try await remote.backend.beginUpload(plan).id == "u")
    let error = await #expect(throws: BackendError.self) { try await remote.backend.beginUpload(plan) }
    #expect(error?.kind == .outcomeUnknown)
  }

  @Test("A part carries its number, id and MD5, and comes back with its ETag")
  func part() async throws {
    let bytes = Array("abc".utf8)
    let remote = try S3TestRemote([
      HTTPResponse(status: 200, headers: ["ETag": "\"\(hexText(MD5.hash(bytes)))\""])
    ])
    var digests = DigestSet()
    digests[.md5] = MD5.hash(bytes)
    digests[.sha256] = SHA256.hash(bytes)
    let part = try await remote.backend.uploadPart(
      7, payload: Payload(.bytes(bytes), digests: digests), of: upload)
    #expect(part == Part(number: 7, size: 3, etag: hexText(MD5.hash(bytes)), md5: MD5.hash(bytes)))
    let request = try remote.request
    #expect(request.target.query == "partNumber=7&uploadId=2~x%2F%2B%3D%26")
    #expect(request.headers["Content-MD5"] == base64Text(MD5.hash(bytes)))
    #expect(request.headers["x-amz-content-sha256"] == hexText(SHA256.hash(bytes)))
  }

  @Test("A part stored with another MD5 was damaged; one without ETag is in doubt")
  func damagedPart() async throws {
    let remote = try S3TestRemote([
      HTTPResponse(status: 200, headers: ["ETag": "\"00000000000000000000000000000000\""]),
      HTTPResponse(status: 200),
    ])
    var payload = AnswerVectors.payload
    payload.digests[.md5] = MD5.hash([])
    let damaged = await #expect(throws: BackendError.self) {
      _ = try await remote.backend.uploadPart(1, payload: payload, of: upload)
    }
    #expect(damaged?.kind == .corrupted)
    #expect(damaged?.retry == .backoff)
    let doubtful = await #expect(throws: BackendError.self) {
      _ = try await remote.backend.uploadPart(1, payload: payload, of: upload)
    }
    #expect(doubtful?.kind == .outcomeUnknown)
  }

  @Test("Parts are listed page by page")
  func pages() async throws {
    let page =
      "<ListPartsResult><IsTruncated>true</IsTruncated><Part><PartNumber>3</PartNumber><ETag>e</ETag>"
      + "<Size>5</Size></Part></ListPartsResult>"
    let remote = try S3TestRemote([xml(page), xml(page)])
    let first = try await remote.backend.listParts(of: upload, after: nil)
    #expect(first.next == PageToken("3"))
    let stuck = await #expect(throws: BackendError.self) {
      _ = try await remote.backend.listParts(of: upload, after: first.next)
    }
    #expect(try remote.request.target.query == "uploadId=2~x%2F%2B%3D%26&part-number-marker=3")
    #expect(stuck?.kind == .unavailable, "a remote that never moves on must not be asked for ever")
  }

  @Test("Completion names every part and is given minutes to answer")
  func complete() async throws {
    let remote = try S3TestRemote([
      xml("<CompleteMultipartUploadResult><ETag>&quot;x-2&quot;</ETag></CompleteMultipartUploadResult>")
    ])
    let parts = [Part(number: 1, size: 1, etag: "one"), Part(number: 2, size: 1, etag: "two")]
    let object = try await remote.backend.completeUpload(upload, parts: parts, content: summary)
    #expect(object.reference.etag == "x-2")
    #expect(object.content == nil)
    let request = try remote.request
    let body = try #require(request.body.text)
    #expect(
      body.hasSuffix(
        "<Part><PartNumber>1</PartNumber><ETag>&quot;one&quot;</ETag></Part>"
          + "<Part><PartNumber>2</PartNumber><ETag>&quot;two&quot;</ETag></Part></CompleteMultipartUpload>"))
    #expect(request.headers["Content-Type"] == "application/xml")
    #expect(request.headers["x-amz-content-sha256"] == hexText(SHA256.hash(Array(body.utf8))))
    #expect(request.patience.answer >= .seconds(600))
  }

  @Test("A completion's empty ETag is none")
  func emptyETag() async throws {
    let remote = try S3TestRemote([
      xml("<CompleteMultipartUploadResult><ETag></ETag></CompleteMultipartUploadResult>")
    ])
    let object = try await remote.backend.completeUpload(upload, parts: [], content: summary)
    #expect(object.reference.etag == nil)
    #expect(object.content == nil)
  }

  @Test(
    "A completion without a whole answer may have happened",
    arguments: [
      "", " \n", "<?xml version=\"1.0\"?>\n  \n", "<Complete", "<html></html>",
    ])
  func unclear(body: String) async throws {
    let remote = try S3TestRemote([xml(body)])
    let error = await #expect(throws: BackendError.self) {
      _ = try await remote.backend.completeUpload(upload, parts: [], content: summary)
    }
    #expect(error?.kind == .outcomeUnknown)
    #expect(error?.retry == .backoff)
  }

  @Test(
    "An upload that the remote does not know is gone, whichever way it says so",
    arguments: [
      xml("<Error><Code>NoSuchUpload</Code></Error>", status: 404),
      xml("<Error><Code>NoSuchKey</Code></Error>", status: 404), HTTPResponse(status: 404),
    ])
  func gone(answer: HTTPResponse) async throws {
    let remote = try S3TestRemote([answer, answer, answer])
    let listing = await #expect(throws: BackendError.self) {
      try await remote.backend.listParts(of: upload, after: nil)
    }
    let completion = await #expect(throws: BackendError.self) {
      try await remote.backend.completeUpload(upload, parts: [], content: summary)
    }
    for error in [listing, completion] {
      #expect(error?.kind == .uploadGone)
      #expect(error?.retry == .restartUpload)
    }
    try await remote.backend.abortUpload(upload)
    #expect(try remote.request.method == .delete)
  }

  @Test("Aborting in a bucket that is not there is an error")
  func abortWithoutBucket() async throws {
    let remote = try S3TestRemote([xml("<Error><Code>NoSuchBucket</Code></Error>", status: 404)])
    let error = await #expect(throws: BackendError.self) {
      try await remote.backend.abortUpload(upload)
    }
    #expect(error?.kind == .targetMissing)
  }
}
