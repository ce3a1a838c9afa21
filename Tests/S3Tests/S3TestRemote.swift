import S3
import SyncBackend
import Synchronization
import Testing
import TestSupport

/// A configuration as the user writes it, its backend, and the fake HTTP under it.
struct S3TestRemote {
  var backend: any Backend
  var http: ScriptedHTTP
  var target: Target

  static let credentials: [String: String] = [
    "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  ]

  /// 2024-05-24T08:10:15Z.
  static let now: Int64 = 1_716_538_215_000_000_000

  /// - Parameter keys: besides the bucket.
  init(
    _ keys: [String: String] = ["endpoint": "http://127.0.0.1:9000"],
    environment: [String: String] = credentials, answer: @escaping ScriptedHTTP.Answer
  ) throws {
    var keys = keys
    keys["bucket"] = keys["bucket"] ?? "bucket"
    let (configuration, issues) = Self.read(keys, environment: environment)
    #expect(issues.isEmpty)
    let made = try #require(configuration)
    http = ScriptedHTTP(answer)
    target = made.target
    backend = made.makeBackend(
      Surroundings(
        http: http, now: { Self.now }, random: { 0.5 }, environment: { environment[$0] },
        logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })))
  }

  init(_ answers: [HTTPResponse]) throws {
    try self.init(["endpoint": "http://127.0.0.1:9000"], answers)
  }

  init(_ keys: [String: String], _ answers: [HTTPResponse]) throws {
    let rest = AnswerQueue(answers)
    try self.init(keys) { (_: HTTPRequest) throws(HTTPError) -> HTTPResponse in try rest.next() }
  }

  /// - Parameter keys: of the remote; `credentials.NAME` stands for NAME in that section.
  static func read(
    _ keys: [String: String], environment: [String: String] = [:]
  ) -> (configuration: S3Configuration?, issues: [ConfigIssue]) {
    let place = ConfigLocation(file: "config.yaml", line: 1, column: 1)
    func entry(_ key: some StringProtocol, _ value: ConfigNode) -> ConfigNode.Entry {
      ConfigNode.Entry(key: String(key), location: place, value: value)
    }
    let nested = keys.filter { $0.key.hasPrefix("credentials.") }.map {
      entry($0.key.dropFirst("credentials.".count), ConfigNode(.scalar($0.value), at: place))
    }
    var entries = keys.filter { !$0.key.hasPrefix("credentials.") }.map {
      entry($0.key, ConfigNode(.scalar($0.value), at: place))
    }
    if !nested.isEmpty { entries.append(entry("credentials", ConfigNode(.mapping(nested), at: place))) }
    let context = ConfigContext(environment: { environment[$0] }, baseDirectory: "/")
    let section = ConfigSection(ConfigNode(.mapping(entries), at: place), path: "remotes.r", context: context)
    return (S3Configuration(from: section), context.issues)
  }

  var request: HTTPRequest {
    get throws { try #require(http.requests.last) }
  }
}

/// Answers in turn; when they are used up, the remote cannot be reached.
final class AnswerQueue: Sendable {
  private let rest: Mutex<ArraySlice<HTTPResponse>>

  init(_ answers: [HTTPResponse]) {
    rest = Mutex(answers[...])
  }

  func next() throws(HTTPError) -> HTTPResponse {
    guard let answer = rest.withLock({ $0.popFirst() }) else {
      throw HTTPError(.unreachable, "no answer left in the script")
    }
    return answer
  }
}

/// Keeps what it is given.
final class CollectingSink: ByteSink {
  private let kept = Mutex<[UInt8]>([])

  var bytes: [UInt8] { kept.withLock { $0 } }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    kept.withLock { $0 += bytes }
    return true
  }
}

func xml(_ text: String, status: Int = 200, headers: HTTPFields = [:]) -> HTTPResponse {
  HTTPResponse(status: status, headers: headers, body: Array(text.utf8))
}

extension HTTPBody {
  var text: String? {
    if case .bytes(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }
}
