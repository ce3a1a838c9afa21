import Digests
import ObjectREST
import SyncBackend
import Synchronization

/// Signs and sends one request, and says what its answer means. What the remote teaches on the way (its clock, the
/// bucket's region) is kept for the requests after it.
final class S3Connection: Sendable {
  let addressing: S3Addressing
  let etags: S3ETagMeaning
  let logger: Logger
  let isSecure: Bool
  private let http: any HTTPClient
  private let clock: RemoteClock
  private let credentials: S3Credentials?
  private let region: Mutex<String>
  private let signingKeys = SigningKeys()

  init(_ configuration: S3Configuration, _ surroundings: Surroundings) {
    addressing = configuration.addressing
    let endpoint = configuration.addressing.endpoint(region: configuration.region)
    etags = S3ETagMeaning(host: endpoint.host)
    isSecure = endpoint.isSecure
    logger = surroundings.logger
    http = surroundings.http
    clock = RemoteClock(surroundings.now)
    credentials = configuration.credentials ?? S3Credentials(environment: surroundings.environment)
    region = Mutex(configuration.region)
  }

  func url(of key: ObjectKey) -> String {
    addressing.target(region: region.withLock { $0 }, key: key).url
  }

  func attempt(_ operation: S3Operation, _ key: ObjectKey? = nil) -> Attempt {
    Attempt(operation.rawValue, bucket: addressing.bucket, key: key)
  }

  /// - Returns: an answer whose status is 2xx; all others are thrown.
  func send(_ call: S3Call, into sink: (any ByteSink)? = nil) async throws(BackendError) -> HTTPResponse {
    try await exchange(call, into: sink).response
  }

  /// Sends a call that is answered in XML. Even a 200 may hold an `<Error>`, or be empty or cut off.
  ///
  /// - Parameter roots: the names that the answer's root element may have.
  func read(_ call: S3Call, root roots: String...) async throws(BackendError) -> S3Answer {
    let (response, sending) = try await exchange(call, into: nil)
    let attempt = attempt(call.operation, call.key ?? call.prefix)
    let element: XMLElement
    do {
      element = try XMLReader.read(response.body)
    } catch {
      throw S3Answer.unclear(error.reason, call.operation, attempt)
    }
    if let document = ErrorDocument(element) {
      throw refusal(document, response, call, sending)
    }
    guard roots.contains(where: element.isNamed) else {
      throw S3Answer.unclear("it is not a \(roots[0])", call.operation, attempt)
    }
    return S3Answer(root: element, headers: response.headers, operation: call.operation, attempt: attempt)
  }

  private func exchange(
    _ call: S3Call, into sink: (any ByteSink)?
  ) async throws(BackendError) -> (response: HTTPResponse, sending: Sending) {
    let attempt = attempt(call.operation, call.key ?? call.prefix)
    guard let credentials else { throw attempt.error(.credentials, Self.missingCredentials) }
    let sending = sign(call, with: credentials)
    let response: HTTPResponse
    do {
      response = try await http.send(sending.request, into: sink)
    } catch {
      throw attempt.error(error, mayHaveHappened: call.operation.isUnrepeatable)
    }
    if (200..<300).contains(response.status) { return (response, sending) }
    throw refusal(ErrorDocument(response.body), response, call, sending)
  }

  private func refusal(
    _ document: ErrorDocument?, _ response: HTTPResponse, _ call: S3Call, _ sending: Sending
  ) -> BackendError {
    let mended = mend(response, document, sending)
    var refusal = S3Refusal(document, response, now: clock.read().moment)
    refusal.hide(sending.secrets)
    return refusal.error(call.operation, attempt(call.operation, call.key ?? call.prefix), mended: mended)
  }

  private static let missingCredentials =
    "there are no credentials: set `credentials` of the remote, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
}

// MARK: - Signing

extension S3Connection {
  /// A request as it leaves, with what it was signed with.
  private struct Sending {
    var request: HTTPRequest
    var region: String
    var time: RemoteClock.Reading
    /// What no message may show, whatever an answer repeats.
    var secrets: [String]
  }

  private func sign(_ call: S3Call, with credentials: S3Credentials) -> Sending {
    let region = region.withLock { $0 }
    let time = clock.read()
    let target = addressing.target(region: region, key: call.key, query: call.query)
    let signed = SignatureV4(
      credentials: credentials, region: region, moment: time.moment, keys: signingKeys
    ).sign(call.method, target, headers: call.headers, payload: call.hash)
    var headers = call.headers
    for field in signed.headers.fields { headers[field.name] = field.value }
    let request = HTTPRequest(
      call.method, target, headers: headers, body: call.body, patience: call.patience, onSent: call.onSent)
    let secrets = [signed.signature, credentials.secretAccessKey.exposed, credentials.sessionToken?.exposed]
    return Sending(request: request, region: region, time: time, secrets: secrets.compactMap { $0 })
  }
}

// MARK: - Learning

extension S3Connection {
  /// Takes what a refusal teaches.
  ///
  /// - Returns: what was wrong, if the same request, signed again, can succeed now.
  private func mend(
    _ response: HTTPResponse, _ document: ErrorDocument?, _ sending: Sending
  ) -> BackendError.Kind? {
    switch document?.code {
    case "RequestTimeTooSkewed":
      learnClock(document?["ServerTime"], response, sending, ifBeyond: .seconds(60)) ? .clock : nil
    // Some servers (rclone) say no more than this to a clock that is behind; and HEAD's answers have no body.
    case "AccessDenied", nil:
      if [400, 403].contains(response.status), learnClock(nil, response, sending, ifBeyond: .seconds(900)) {
        BackendError.Kind.clock
      } else {
        learnRegion(document, response, sending) ? .targetMissing : nil
      }
    case "AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect", "Redirect",
      "IllegalLocationConstraintException":
      learnRegion(document, response, sending) ? .targetMissing : nil
    default: nil
    }
  }

  private func learnClock(
    _ serverTime: String?, _ response: HTTPResponse, _ sending: Sending, ifBeyond tolerance: Duration
  ) -> Bool {
    clock.learn(
      body: serverTime, dateHeader: response.headers["Date"], afterSigningAt: sending.time,
      ifBeyond: tolerance)
  }

  private func learnRegion(
    _ document: ErrorDocument?, _ response: HTTPResponse, _ sending: Sending
  ) -> Bool {
    guard [301, 307, 400].contains(response.status),
      let region = document?["Region"] ?? response.headers["x-amz-bucket-region"], region != sending.region,
      S3Configuration.isRegion(region)
    else { return false }
    logger.notice("bucket \(addressing.bucket) is in region \(region), not \(sending.region)")
    self.region.withLock { $0 = region }
    return true
  }
}

extension SignatureV4.PayloadHash {
  /// Of a request without a body.
  static var ofNothing: Self { .signed(SHA256.hash([])) }
}
