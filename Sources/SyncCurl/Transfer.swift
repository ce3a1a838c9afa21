import CCurl
import SyncHTTP

/// One call in curl's hands, from its first option to its outcome. Belongs to one loop's thread.
///
/// When a kept connection proves dead before any byte of an answer, curl sends the request again on a fresh one.
/// That is let happen only while the server cannot have acted on the first: for GET and HEAD, and for a
/// body that had not yet been handed over whole. Otherwise the call fails as `broken`, and whoever called decides.
final class Transfer {
  let submission: Submission
  let easy: EasyHandle
  var body: BodyReader
  /// What goes wrong on our own side of curl's callbacks; it comes before curl's view of the matter.
  var failure: HTTPError?
  /// Requests handed to a connection: more than one after redirects or curl's own repetition.
  var requestsBegun = 0
  var answerHasBegun = false
  /// Whether the empty line after the last answer's fields has come.
  var headIsWhole = false
  var answer: [UInt8] = []
  let answerBound: Int
  private(set) var clock: StallClock

  var call: Call { submission.call }
  private var request: HTTPRequest { submission.call.request }

  init(_ submission: Submission, on easy: EasyHandle, _ options: CurlOptions, now: StallClock.Instant) {
    self.submission = submission
    self.easy = easy
    body = BodyReader(submission.call.request.body)
    answerBound = options.answerBound
    clock = StallClock(submission.call.request.patience, now: now)
    setConnection(options)
    setTrust(options)
    setRequest(options)
    setMethod()
    setCallbacks()
  }

  private func setConnection(_ options: CurlOptions) {
    easy.setErrorText()
    // Without this curl would use SIGALRM; the loop's thread blocks SIGPIPE, so that is safe too.
    easy.set(CURLOPT_NOSIGNAL, true)
    easy.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
    easy.set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    easy.set(CURLOPT_TCP_KEEPALIVE, true)
    easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    easy.set(CURLOPT_CONNECTTIMEOUT_MS, request.patience.connect.milliseconds)
    // A transfer that ends while a name is being resolved would otherwise hold up the loop until the resolver
    // gives up; now the resolver's thread is left to end by itself.
    easy.set(CURLOPT_QUICK_EXIT, true)
    if let proxy = options.proxy { easy.set(CURLOPT_PROXY, proxy) }
  }

  private func setTrust(_ options: CurlOptions) {
    easy.set(CURLOPT_SSL_VERIFYPEER, options.verifiesTLS)
    easy.set(CURLOPT_SSL_VERIFYHOST, options.verifiesTLS ? 2 : 0)
    if let file = options.caFile { easy.set(CURLOPT_CAINFO, file) }
    if let directory = options.caDirectory { easy.set(CURLOPT_CAPATH, directory) }
  }

  private func setRequest(_ options: CurlOptions) {
    easy.set(CURLOPT_URL, call.head.url)
    easy.set(CURLOPT_PATH_AS_IS, true)
    easy.set(CURLOPT_USERAGENT, options.userAgent)
    easy.setHeaderLines(call.head.lines)
    let follows = request.redirects > 0 && (request.method == .get || request.method == .head)
    easy.set(CURLOPT_FOLLOWLOCATION, follows)
    easy.set(CURLOPT_MAXREDIRS, request.redirects)
    easy.set(CURLOPT_UNRESTRICTED_AUTH, false)
    let smallest = 16 * 1024  // curl's own lower bound
    let wanted = max(Int64(smallest), min(Int64(options.uploadBuffer), request.body.length))
    easy.set(CURLOPT_UPLOAD_BUFFERSIZE, Int(wanted))
    if call.sink != nil { easy.set(CURLOPT_BUFFERSIZE, 64 * 1024) }
  }

  /// Bodies always go the way of PUT, whatever the method is called: Content-Length, no Content-Type.
  private func setMethod() {
    switch (request.method, request.body) {
    case (.get, _):
      easy.set(CURLOPT_HTTPGET, true)
    case (.head, _):
      easy.set(CURLOPT_NOBODY, true)
    case (.delete, .none):
      easy.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    case (.put, _), (.post, _), (.patch, _), (.delete, _):
      easy.set(CURLOPT_UPLOAD, true)
      easy.set(CURLOPT_INFILESIZE_LARGE, bytes: request.body.length)
      easy.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
  }

  /// Looks at what has moved; call it after curl was given the chance to move something.
  func observe(at now: StallClock.Instant) {
    clock.observe(phase, moved: easy.bytesMoved, at: now)
  }

  private var phase: StallClock.Phase {
    if requestsBegun == 0 { return .connecting }
    if answerHasBegun || easy.bytesSent < request.body.length { return .moving }
    return .awaitingAnswer
  }

  /// The error for the caller, with the host in front.
  func located(_ error: HTTPError) -> HTTPError {
    HTTPError(error.kind, "\(request.target.authority): \(error.message)")
  }

  /// What curl's result means, once curl is done with the handle.
  func outcome(of code: CURLcode) -> Outcome {
    if let failure { return .failure(located(failure)) }
    guard code == CURLE_OK else {
      return .failure(
        CurlFailure.error(
          code, begun: requestsBegun > 0, detail: easy.detail, authority: request.target.authority))
    }
    // curl takes a connection that closes within the fields for the end of an answer without a body.
    guard headIsWhole else {
      return .failure(located(HTTPError(.broken, "the connection closed within the answer's head")))
    }
    return .success(HTTPResponse(status: easy.status, headers: easy.answerFields, body: answer))
  }
}

extension Duration {
  /// Rounded up; at least 1, since 0 means "forever" or "at once" to those who take it.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < Int64(Int32.max) / 1000 else { return Int(Int32.max) }
    return max(1, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }
}
