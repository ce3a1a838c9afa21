import S3
import SyncBackend
import Testing
import TestSupport

@Suite("S3 configuration")
struct S3ConfigurationTests {
  private func url(_ keys: [String: String]) async throws -> String {
    let remote = try S3TestRemote(keys, [HTTPResponse(status: 200)])
    _ = try await remote.backend.stat(ObjectReference(ObjectKey("k")))
    return try remote.request.target.url
  }

  private func issues(_ keys: [String: String], environment: [String: String] = [:]) -> [String] {
    S3TestRemote.read(keys, environment: environment).issues.map(\.message)
  }

  @Test(
    "The bucket is named where the endpoint wants it",
    arguments: [
      (["region": "eu-central-1"], "https://bucket.s3.eu-central-1.amazonaws.com/k"),
      (["region": "cn-north-1"], "https://bucket.s3.cn-north-1.amazonaws.com.cn/k"),
      (["region": "eu-central-1", "addressing": "path"], "https://s3.eu-central-1.amazonaws.com/bucket/k"),
      (
        ["region": "eu-central-1", "bucket": "my.bucket"], "https://s3.eu-central-1.amazonaws.com/my.bucket/k"
      ),
      (["endpoint": "https://s3.us-west-2.amazonaws.com"], "https://bucket.s3.us-west-2.amazonaws.com/k"),
      (["endpoint": "http://127.0.0.1:9000"], "http://127.0.0.1:9000/bucket/k"),
      (["endpoint": "http://localhost"], "http://localhost/bucket/k"),
      (["endpoint": "https://s3.example.com/"], "https://s3.example.com/bucket/k"),
      (["endpoint": "https://s3.example.com", "addressing": "virtual"], "https://bucket.s3.example.com/k"),
      (
        ["endpoint": "https://s3.example.com:8443", "addressing": "virtual"],
        "https://bucket.s3.example.com:8443/k"
      ),
    ])
  func addressing(keys: [String: String], expected: String) async throws {
    #expect(try await url(keys) == expected)
  }

  @Test("The region comes from the environment where the config leaves it out")
  func region() throws {
    let (configuration, issues) = S3TestRemote.read(
      ["bucket": "b"], environment: ["AWS_REGION": "eu-north-1"])
    #expect(issues.isEmpty)
    #expect(configuration?.target.endpoint == "https://s3.eu-north-1.amazonaws.com")
    let fallback = S3TestRemote.read(["bucket": "b"], environment: ["AWS_DEFAULT_REGION": "eu-south-1"])
    #expect(fallback.configuration?.target.endpoint == "https://s3.eu-south-1.amazonaws.com")
  }

  @Test("Without region and endpoint the message says what to set")
  func noRegion() {
    let found = issues(["bucket": "b"])
    #expect(found.count == 1)
    #expect(found.first?.contains("AWS_REGION") == true)
  }

  @Test("The target is the endpoint and the bucket, however they are spelt")
  func target() throws {
    let remote = try S3TestRemote(["endpoint": "HTTPS://S3.Example.com:443/"], [])
    #expect(remote.target == Target(kind: "s3", endpoint: "https://s3.example.com", bucket: "bucket"))
  }

  @Test(
    "Wrong values are refused",
    arguments: [
      ["region": "x"], ["bucket": "a/b", "region": "x"], ["bucket": "..", "region": "x"],
      ["bucket": "b", "region": "a.b"],
      ["bucket": "b", "endpoint": "https://h/path"], ["bucket": "b", "endpoint": "h"],
      ["bucket": "b", "endpoint": "http://h", "addressing": "host"],
      ["bucket": "b", "endpoint": "http://127.0.0.1", "addressing": "virtual"],
      ["bucket": "b_\u{E9}", "region": "x"],
      ["bucket": "b", "region": "x", "credentials.access_key_id": "a"],
      ["bucket": "b", "region": "x", "credentials.secret_access_key": "s"],
      ["bucket": "b", "region": "x", "credentials.session_token": "t"],
      [
        "bucket": "b", "region": "x", "credentials.access_key_id": "a/b",
        "credentials.secret_access_key": "s",
      ],
      ["bucket": "b", "region": "x", "credentials.access_key_id": "a", "credentials.secret_acces_key": "s"],
      ["bucket": "b", "region": "x", "colour": "red"],
    ])
  func wrong(keys: [String: String]) {
    #expect(!issues(keys).isEmpty)
  }

  @Test(
    "What this version does not do is refused by name",
    arguments: [
      "storage_class", "acl", "sse", "signer", "presign", "checksum", "provider", "rules", "signature",
    ])
  func unsupported(key: String) {
    let found = S3TestRemote.read(["bucket": "b", "region": "x", key: "v2"]).issues
    #expect(found.map(\.kind) == [.unsupported])
    #expect(found.first?.message.contains(key) == true)
  }

  @Test("Credentials of the config come before the environment's, and a secret is never shown")
  func credentials() async throws {
    let keys = [
      "endpoint": "http://h", "credentials.access_key_id": "OWN",
      "credentials.secret_access_key": "own-secret",
    ]
    let remote = try S3TestRemote(keys, [HTTPResponse(status: 200)])
    _ = try await remote.backend.stat(ObjectReference(ObjectKey("k")))
    #expect(try remote.request.headers["Authorization"]?.contains("Credential=OWN/") == true)
    let configuration = S3TestRemote.read(keys.merging(["bucket": "b"]) { $1 }).configuration
    #expect(!"\(String(reflecting: configuration))".contains("own-secret"))
  }

  @Test("What the keys are can be asked without a configuration")
  func describing() {
    let context = ConfigContext(environment: { _ in nil }, baseDirectory: "/", isDescribing: true)
    let place = ConfigLocation(file: "", line: 1, column: 1)
    let section = ConfigSection(ConfigNode(.mapping([]), at: place), path: "", context: context)
    #expect(S3Configuration(from: section) == nil)
    #expect(context.issues.isEmpty)
    #expect(
      Set(section.fields.map(\.name)).isSuperset(of: [
        "bucket", "region", "endpoint", "addressing", "credentials",
      ]))
  }
}
