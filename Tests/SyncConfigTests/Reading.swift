import ConfigTree
import SyncConfig

/// Stands for a plugin's configuration.
struct TestBackend: Sendable, Hashable {
  var values: [String: String] = [:]
}

/// The kinds that the tests' configurations name, with the keys that the real ones have.
enum TestKinds {
  enum Addressing: String, CaseIterable {
    case virtual, path, auto
  }

  static let s3 = RemoteKind<TestBackend>(name: "s3") { section in
    let bucket = section.required("bucket", .text, "the bucket's name")
    let region = section.value("region", .text, "the bucket's region")
    let endpoint = section.value("endpoint", .text, "an S3-compatible store's URL")
    _ = section.value("addressing", ConfigType<Addressing>.choice, "where the bucket's name stands in URLs")
    var secret: Secret?
    if let credentials = section.section("credentials", "left out: the environment's") {
      _ = credentials.required("access_key_id", .text, "the key's name")
      secret = credentials.required("secret_access_key", .secret, "the key")
      _ = credentials.value("session_token", .secret, "of temporary credentials")
      credentials.finish()
    }
    if let tls = section.section("tls", "how the server's certificate is checked") {
      _ = tls.value("ca_file", .path, "certificates to trust")
      _ = tls.value("verify", .boolean, "whether the certificate is checked")
      tls.finish()
    }
    section.finish()
    guard let bucket else { return nil }
    return TestBackend(values: [
      "bucket": bucket, "region": region ?? "", "endpoint": endpoint ?? "", "secret": secret?.exposed ?? "",
    ])
  }

  static let local = RemoteKind<TestBackend>(name: "local") { section in
    let path = section.required("path", .path, "the directory that is the bucket")
    section.finish()
    return path.map { TestBackend(values: ["path": $0]) }
  }
}

func reader(_ environment: [String: String] = ["HOME": "/home/u"]) -> ConfigurationReader<TestBackend> {
  ConfigurationReader(
    kinds: [TestKinds.s3, TestKinds.local], environment: { environment[$0] }, currentDirectory: "/etc/sync")
}

func load(
  _ text: String, _ environment: [String: String] = ["HOME": "/home/u"]
) throws(ConfigurationError) -> Configuration<TestBackend> {
  try reader(environment).read(Array(text.utf8), path: "config.yaml")
}

/// The lines that a user would see, without the file's name; none where the text loads.
func issues(_ text: String, _ environment: [String: String] = ["HOME": "/home/u"]) -> [String] {
  issues(Array(text.utf8), environment)
}

func issues(_ bytes: [UInt8], _ environment: [String: String] = ["HOME": "/home/u"]) -> [String] {
  do {
    _ = try reader(environment).read(bytes, path: "config.yaml")
    return []
  } catch {
    return error.issues.map { String($0.description.dropFirst("config.yaml:".count)) }
  }
}

/// What `read` throws, as the lines that a user would see.
func failure(_ read: () throws(ConfigurationError) -> Void) -> [String] {
  do {
    try read()
    return []
  } catch {
    return error.description.split(separator: "\n").map(String.init)
  }
}
