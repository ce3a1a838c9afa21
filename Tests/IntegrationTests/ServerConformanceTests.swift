import Digests
import Glibc
import S3
import SyncBackend
import SyncConformance
import SyncCurl
import TestSupport
import Testing

extension ProgramTests {
  @Suite("The S3 backend keeps the promises of a backend on real servers")
  struct ServerConformanceTests {
    @Test("Ceph RGW", .on(.rgw), arguments: ConformanceSuite.promises)
    func rgw(_ promise: ConformancePromise) async throws {
      try await expectKept(promise, on: .rgw, but: ServerConformanceTests.rgwLimits)
    }

    @Test("rclone serve s3", .on(.rclone), arguments: ConformanceSuite.promises)
    func rclone(_ promise: ConformancePromise) async throws {
      try await expectKept(promise, on: .rclone, but: ServerConformanceTests.rcloneLimits)
    }

    /// What the server itself does otherwise, by the promise that it breaks. An entry that is not needed any more
    /// fails the test.
    private static let rgwLimits = [
      "parts.assembled": "complete answers an empty ETag",
      "uploads.gone": "completing an upload that was aborted is InternalError",
    ]

    private static let rcloneLimits = [
      "names.empty-segment": "keys are paths of files",
      "names.dot-segment": "keys are paths of files",
      "names.nested": "a file and a folder can't share a name",
      "delete.folder": "deleting a folder that is not empty is InternalError",
      "parts.assembled": "HEAD has another ETag than complete's answer: the plain MD5",
      "parts.replaced": "parts are written through at once and can't be replaced",
      "parts.corrupted": "a part with a wrong MD5 ends the whole upload",
    ]

    private func expectKept(
      _ promise: ConformancePromise, on server: RealServer, but limits: [String: String]
    ) async throws {
      let suite = try await Remote.of(server).value.suite
      let verdict = await suite.run(promise)
      guard let reason = limits[promise.id] else {
        #expect(verdict.isGood, "\(verdict)")
        return
      }
      withKnownIssue("\(server.rawValue): \(reason)") { #expect(verdict.isGood, "\(verdict)") }
    }
  }
}

/// A bucket for the trials of one server, made once.
private struct Remote {
  let suite: ConformanceSuite

  static func of(_ server: RealServer) -> Task<Remote, any Error> {
    switch server {
    case .rgw: rgw
    case .rclone: rclone
    }
  }

  private static let rgw = Task { try await Remote(.rgw) }
  private static let rclone = Task { try await Remote(.rclone) }

  private init(_ server: RealServer) async throws {
    let bucket = try await Bucket(.server(server), in: try TemporaryDirectory())
    let access = try #require(server.access)
    let surroundings = Surroundings(
      http: try CurlClient(CurlOptions(proxy: "")), now: systemNow, random: { .random(in: 0..<1) },
      environment: { _ in nil }, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    let configuration = try #require(Remote.configuration(bucket.name, access))
    suite = ConformanceSuite(
      on: configuration.makeBackend(surroundings), prefix: ObjectKey("conformance/"),
      random: { .random(in: 0..<1) },
      digest: { algorithm, bytes in
        switch algorithm {
        case .md5: MD5.hash(bytes)
        case .sha256: SHA256.hash(bytes)
        }
      })
  }

  private static func configuration(_ bucket: String, _ access: RealServer.Access) -> S3Configuration? {
    let place = ConfigLocation(file: "test")
    func mapping(_ keys: [(String, ConfigNode)]) -> ConfigNode {
      ConfigNode(.mapping(keys.map { ConfigNode.Entry(key: $0, location: place, value: $1) }), at: place)
    }
    func text(_ text: String) -> ConfigNode { ConfigNode(.scalar(text), at: place) }
    let credentials = mapping([
      ("access_key_id", text(access.accessKey)), ("secret_access_key", text(access.secretKey)),
    ])
    let keys = mapping([
      ("bucket", text(bucket)), ("endpoint", text(access.endpoint)), ("addressing", text("path")),
      ("region", text("us-east-1")), ("credentials", credentials),
    ])
    let context = ConfigContext(environment: { _ in nil }, baseDirectory: "/")
    return S3Configuration(from: ConfigSection(keys, path: "remotes.test", context: context))
  }
}

/// Nanoseconds since 1970.
@Sendable private func systemNow() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
