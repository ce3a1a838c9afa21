import S3
import SyncBackend
import Testing
import TestSupport

@Suite("What S3 teaches, and what goes wrong on the way")
struct S3MendingTests {
  private let object = ObjectReference(ObjectKey("a"))

  private func stat(_ remote: S3TestRemote) async -> BackendError? {
    await #expect(throws: BackendError.self) { _ = try await remote.backend.stat(object) }
  }

  private func skewed(_ time: String) -> HTTPResponse {
    xml(
      "<Error><Code>RequestTimeTooSkewed</Code><ServerTime>\(time)</ServerTime></Error>", status: 403,
      headers: ["Date": "Thu, 01 Jan 1970 00:00:00 GMT"])
  }

  @Test("The remote's clock is learned once, and signed with from then on")
  func clock() async throws {
    let remote = try S3TestRemote([
      skewed("2024-05-24T08:30:15Z"), HTTPResponse(status: 200), skewed("2024-05-24T08:30:15Z"),
    ])
    let first = await stat(remote)
    #expect(first?.kind == .clock)
    #expect(first?.retry == .now)
    _ = try await remote.backend.stat(object)
    #expect(try remote.request.headers["x-amz-date"] == "20240524T083015Z")
    let again = await stat(remote)
    #expect(again?.kind == .clock)
    #expect(again?.retry == .never)
    #expect(again?.message.contains("clock") == true)
  }

  @Test("A 200 whose body is about the clock teaches it too")
  func clockInBody() async throws {
    var answer = skewed("2024-05-24T08:30:15Z")
    answer.status = 200
    let remote = try S3TestRemote([answer])
    let error = await #expect(throws: BackendError.self) {
      _ = try await remote.backend.completeUpload(
        AnswerVectors.upload, parts: [], content: ContentSummary(size: 0))
    }
    #expect(error?.kind == .clock)
    #expect(error?.retry == .now)
  }

  @Test(
    "A refusal that does not speak of the clock teaches it where the Date is far off",
    arguments: [
      xml(
        "<Error><Code>AccessDenied</Code></Error>", status: 400,
        headers: ["Date": "Fri, 24 May 2024 08:30:15 GMT"]),
      HTTPResponse(status: 403, headers: ["Date": "Fri, 24 May 2024 08:30:15 GMT"]),
    ])
  func clockInDate(answer: HTTPResponse) async throws {
    let remote = try S3TestRemote([answer, answer])
    let first = await stat(remote)
    #expect(first?.kind == .clock)
    #expect(first?.retry == .now)
    let second = await stat(remote)
    #expect(second?.kind == .denied)
    #expect(second?.retry == .never)
  }

  @Test("A Date that is a few minutes off does not excuse a refusal")
  func nearDate() async throws {
    let remote = try S3TestRemote([
      HTTPResponse(status: 403, headers: ["Date": "Fri, 24 May 2024 08:20:15 GMT"])
    ])
    #expect(await stat(remote)?.kind == .denied)
  }

  @Test(
    "The bucket's region is learned from a refusal, with or without a body",
    arguments: [
      xml("<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region></Error>", status: 400),
      xml(
        "<Error><Code>PermanentRedirect</Code></Error>", status: 301,
        headers: ["x-amz-bucket-region": "eu-west-1"]),
      HTTPResponse(status: 301, headers: ["x-amz-bucket-region": "eu-west-1"]),
    ])
  func region(answer: HTTPResponse) async throws {
    let remote = try S3TestRemote(["region": "us-east-1"], [answer, HTTPResponse(status: 200), answer])
    #expect(await stat(remote)?.retry == .now)
    _ = try await remote.backend.stat(object)
    #expect(try remote.request.target.authority == "bucket.s3.eu-west-1.amazonaws.com")
    #expect(try remote.request.headers["Authorization"]?.contains("/eu-west-1/s3/") == true)
    #expect(await stat(remote)?.retry == .never, "the same lesson twice helps nobody")
  }

  @Test(
    "A region that is no label of a host's name is not believed",
    arguments: ["evil.example.com/", "a.b", "", "a b"])
  func evilRegion(region: String) async throws {
    let remote = try S3TestRemote(
      ["region": "us-east-1"], [HTTPResponse(status: 301, headers: ["x-amz-bucket-region": region])])
    #expect(await stat(remote)?.retry == .never)
  }

  @Test("A Retry-After is passed on")
  func retryAfter() async throws {
    let remote = try S3TestRemote([HTTPResponse(status: 503, headers: ["Retry-After": "7"])])
    #expect(await stat(remote)?.retry == .after(.seconds(7)))
  }

  @Test(
    "Each failure of the transport has its meaning",
    arguments: [
      (HTTPError.Kind.unreachable, BackendError.Kind.unavailable, BackendError.Retry.backoff),
      (.broken, .unavailable, .backoff), (.stalled, .unavailable, .backoff),
      (.malformed, .unavailable, .backoff),
      (.untrusted, .unavailable, .never), (.unreadableBody, .unreadableSource, .never),
      (.cancelled, .cancelled, .never), (.invalidRequest, .invalidRequest, .never),
      (.sinkFailed, .cancelled, .never),
    ])
  func transport(kind: HTTPError.Kind, expected: BackendError.Kind, retry: BackendError.Retry) async throws {
    let remote = try S3TestRemote { (_: HTTPRequest) throws(HTTPError) in throw HTTPError(kind, "oh") }
    let error = await stat(remote)
    #expect(error?.kind == expected)
    #expect(error?.retry == retry)
    #expect(error?.message == nil || error?.message.hasPrefix("HeadObject bucket/a: ") == true)
  }

  @Test(
    "A completion that broke off may have happened; one that was never sent has not",
    arguments: [
      (HTTPError.Kind.unreachable, BackendError.Kind.unavailable), (.broken, .outcomeUnknown),
      (.stalled, .outcomeUnknown),
      (.malformed, .outcomeUnknown),
    ])
  func lostCompletion(kind: HTTPError.Kind, expected: BackendError.Kind) async throws {
    let remote = try S3TestRemote { (_: HTTPRequest) throws(HTTPError) in throw HTTPError(kind, "oh") }
    let error = await #expect(throws: BackendError.self) {
      _ = try await remote.backend.completeUpload(
        AnswerVectors.upload, parts: [], content: ContentSummary(size: 0))
    }
    #expect(error?.kind == expected)
    #expect(error?.retry == .backoff)
  }

  @Test("An answer that repeats the signature or a secret does not get it into the message")
  func hidden() async throws {
    let remote = try S3TestRemote { (request: HTTPRequest) in
      xml(
        "<Error><Code>Odd</Code><Message>\(request.headers["Authorization"] ?? "") \(S3TestRemote.credentials)"
          + "</Message></Error>", status: 400)
    }
    let error = try #require(await stat(remote))
    #expect(error.message.contains("Signature=****"))
    #expect(!error.message.contains("wJalrXUtnFEMI"))
  }

  @Test("A message cannot steer a terminal or fill a log")
  func hostile() async throws {
    let text = "\u{1B}[2J\n" + String(repeating: "x", count: 100_000)
    let remote = try S3TestRemote([
      xml("<Error><Code>Odd</Code><Message>\(text)</Message></Error>", status: 400)
    ])
    let error = try #require(await stat(remote))
    #expect(!error.message.utf8.contains(0x1B))
    #expect(error.message.utf8.count < 1000)
  }
}
