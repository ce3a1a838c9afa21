import ObjectREST
import SyncBackend
import Testing

@Suite("Endpoints")
struct EndpointTests {
  @Test(
    "A URL gives its authority, without the scheme's own port",
    arguments: [
      ("https://S3.Example.com", "https://s3.example.com"),
      ("https://s3.example.com:443/", "https://s3.example.com"),
      ("http://127.0.0.1:9000", "http://127.0.0.1:9000"), ("http://h:80", "http://h"),
      ("https://[FE80::1]:9000", "https://[fe80::1]:9000"),
      ("http://rook_ceph.local", "http://rook_ceph.local"),
    ])
  func good(text: String, url: String) {
    #expect(Endpoint(text)?.url == url)
  }

  @Test(
    "More than a scheme, host and port is refused",
    arguments: [
      "s3.example.com", "ftp://h", "https://", "https://h/path", "https://h?q", "https://h#f",
      "https://u:p@h",
      "https://h:0", "https://h:65536", "https://h:+1", "https://h:", "https://a..b", "https://h h",
      "http://[::1",
      "http://h:80:80", "http://\u{E9}.com",
    ])
  func bad(text: String) {
    #expect(Endpoint(text) == nil)
  }

  @Test("Addresses are told from names")
  func addresses() {
    #expect(Endpoint("http://10.0.0.1:9000")?.isAddress == true)
    #expect(Endpoint("http://[::1]")?.isAddress == true)
    #expect(Endpoint("http://10.0.0.example")?.isAddress == false)
    #expect(Endpoint("http://localhost")?.isAddress == false)
  }
}

@Suite("The remote's clock")
struct RemoteClockTests {
  private let ours: Int64 = 1_716_538_215_000_000_000
  private let twentyMinutes: Int64 = 1_200_000_000_000

  @Test("It is learned from the error's body before the Date header")
  func body() {
    let clock = RemoteClock { ours }
    let learned = clock.learn(
      body: "2024-05-24T08:30:15Z", dateHeader: "Fri, 24 May 2024 09:30:15 GMT", afterSigningAt: clock.read())
    #expect(learned)
    #expect(clock.read().moment == ours + twentyMinutes)
  }

  @Test("A Date header will do, unless it is of a box that has lost its clock")
  func header() {
    let clock = RemoteClock { ours }
    #expect(
      !clock.learn(body: nil, dateHeader: "Thu, 01 Jan 1970 00:01:00 GMT", afterSigningAt: clock.read()))
    #expect(!clock.learn(body: "soon", dateHeader: nil, afterSigningAt: clock.read()))
    #expect(clock.read().moment == ours)
    #expect(
      clock.learn(body: nil, dateHeader: "Fri, 24 May 2024 08:30:15 GMT", afterSigningAt: clock.read()))
    #expect(clock.read().moment == ours + twentyMinutes)
  }

  @Test("The same lesson twice is none, but one that other requests missed counts for them")
  func twice() {
    let clock = RemoteClock { ours }
    let before = clock.read()
    let time = "2024-05-24T08:30:15Z"
    #expect(clock.learn(body: time, dateHeader: nil, afterSigningAt: before))
    #expect(clock.learn(body: time, dateHeader: nil, afterSigningAt: before))
    #expect(!clock.learn(body: time, dateHeader: nil, afterSigningAt: clock.read()))
  }
}

@Suite("Failed attempts")
struct AttemptTests {
  @Test(
    "Retry-After counts in seconds or as a date, an hour at most",
    arguments: [
      ("3", 3), (" 0 ", 0), ("Thu, 01 Jan 1970 00:00:10 GMT", 5), ("Thu, 01 Jan 1970 00:00:01 GMT", 0),
      ("999999999", 3600), ("Fri, 01 Jan 2100 00:00:00 GMT", 3600), ("soon", nil), ("-1", nil),
    ] as [(String, Int?)])
  func wait(text: String, seconds: Int?) {
    #expect(retryAfter(["retry-after": text], now: 5_000_000_000) == seconds.map { .seconds($0) })
  }

  @Test("A message tells what was tried and cannot steer a terminal")
  func message() {
    let attempt = Attempt("PutObject", bucket: "b", key: ObjectKey("a\u{1B}[2J\nb"))
    #expect(attempt.message("no") == "PutObject b/a\\u{1b}[2J\\nb: no")
    #expect(Attempt("ListObjectsV2", bucket: "b").message("no") == "ListObjectsV2 b: no")
  }

  @Test("An error document is told from anything else")
  func document() {
    let body = "<Error><Code> SlowDown </Code><Message/><RequestId>1</RequestId></Error>"
    let document = ErrorDocument(Array(body.utf8))
    #expect(document?.code == "SlowDown")
    #expect(document?.message == nil)
    #expect(document?.requestID == "1")
    #expect(ErrorDocument(Array("<html><body>502</body></html>".utf8)) == nil)
    #expect(ErrorDocument(Array("<Error><Code>Slow".utf8)) == nil)
    #expect(ErrorDocument([]) == nil)
  }
}
