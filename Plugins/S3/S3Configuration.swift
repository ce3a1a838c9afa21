import ObjectREST
import SyncBackend

/// `backend: s3`: Amazon S3, and servers that speak its API.
public struct S3Configuration: BackendConfiguration {
  public static var kind: String { "s3" }
  public static var summary: String { "Amazon S3 and stores with the same API (Ceph, MinIO, R2, …)" }
  public static var typicalCapabilities: Capabilities { capabilities(isSecure: true) }

  let addressing: S3Addressing
  let region: String
  /// nil: from the environment.
  let credentials: S3Credentials?
  public let tls: TLSSettings

  public init?(from section: ConfigSection) {
    let bucket = section.required("bucket", .bucket, "the bucket's name")
    let endpoint = section.value(
      "endpoint", .endpoint, "where an S3-compatible store listens, without a path; left out: AWS")
    let region = section.value("region", .region, "the bucket's region; left out: AWS_REGION")
    let style = section.value(
      "addressing", ConfigType<S3Addressing.Style>.choice,
      "whether requests name the bucket in the host (virtual) or in the path; auto: virtual on AWS only")
    let credentials = S3Configuration.credentials(in: section)
    tls = TLSSettings(in: section)
    S3Configuration.declareUnsupported(in: section)
    section.finish()

    let isComplete = section.contains("endpoint") || section.contains("region")
    let known = region ?? S3Configuration.region(from: section.context)
    if known == nil, !isComplete, !section.context.isDescribing {
      section.report(
        "\(section.path).region is missing: set it (or AWS_REGION), or set endpoint for a store other than AWS"
      )
    }
    if case .wrong = credentials { return nil }
    guard let bucket, endpoint != nil || !section.contains("endpoint"),
      region != nil || !section.contains("region"), style != nil || !section.contains("addressing"),
      known != nil || endpoint != nil
    else { return nil }
    let addressing = S3Addressing(endpoint: endpoint, bucket: bucket, style: style ?? .auto)
    if addressing.isVirtual, Endpoint("https://\(bucket.lowercased())") == nil || endpoint?.isAddress == true
    {
      section.report(
        "\(section.path).addressing cannot be virtual here: \(bucket) cannot be part of the host's name")
      return nil
    }
    self.addressing = addressing
    self.region = known ?? "us-east-1"
    self.credentials = if case .given(let own) = credentials { own } else { nil }
  }

  public var target: Target {
    Target(kind: Self.kind, endpoint: addressing.endpoint(region: region).url, bucket: addressing.bucket)
  }

  public func makeBackend(_ surroundings: Surroundings) -> any Backend {
    S3Backend(self, surroundings)
  }
}

// MARK: - Reading

extension S3Configuration {
  private enum GivenCredentials {
    case leftOut
    case given(S3Credentials)
    /// Reported already.
    case wrong
  }

  private static func credentials(in section: ConfigSection) -> GivenCredentials {
    guard
      let section = section.section(
        "credentials", "left out: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN")
    else { return .leftOut }
    let isGiven = ["access_key_id", "secret_access_key", "session_token"].contains(where: section.contains)
    let idHelp = "the access key's id"
    let secretHelp = "the access key's secret"
    let id =
      isGiven
      ? section.required("access_key_id", .accessKeyID, idHelp)
      : section.value("access_key_id", .accessKeyID, idHelp)
    let secret =
      isGiven
      ? section.required("secret_access_key", .secret, secretHelp)
      : section.value("secret_access_key", .secret, secretHelp)
    let token = section.value("session_token", .sessionToken, "the session token of temporary credentials")
    section.finish()
    guard isGiven else { return .leftOut }
    guard let id, let secret, token != nil || !section.contains("session_token") else { return .wrong }
    return .given(S3Credentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token))
  }

  /// What S3 users know and this version does not do: refused by name, never accepted and ignored.
  private static func declareUnsupported(in section: ConfigSection) {
    section.unsupported("provider", "the make of an S3-compatible store")
    section.unsupported("signature", "v4, or v2 for old stores")
    section.unsupported("signer", "where signatures are made, if not here")
    section.unsupported("presign", "send with presigned URLs")
    section.unsupported("checksum", "additional checksums (CRC64NVME, SHA-256, …)")
    section.unsupported("storage_class", "the storage class of new objects")
    section.unsupported("acl", "the canned ACL of new objects")
    section.unsupported("sse", "server-side encryption of new objects")
    section.unsupported("tags", "the tags of new objects")
    section.unsupported("rules", "headers and storage classes by name")
    section.unsupported("accelerate", "S3 Transfer Acceleration")
    section.unsupported("dual_stack", "AWS's IPv6 endpoints")
    section.unsupported("request_payer", "requester pays")
  }

  private static func region(from context: ConfigContext) -> String? {
    ["AWS_REGION", "AWS_DEFAULT_REGION"].lazy.compactMap { context.environment($0) }.first { isRegion($0) }
  }

  /// Regions become part of a host's name, and they may be learned from an answer: nothing but a label will do.
  static func isRegion(_ text: String) -> Bool {
    (1...63).contains(text.utf8.count)
      && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
  }

  fileprivate static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

extension ConfigType where Value == String {
  /// AWS wants 3 to 63 of a-z, 0-9, `-` and `.`; older buckets and other stores allow more.
  fileprivate static var bucket: Self {
    ConfigType("a bucket's name (letters, digits, . - _)") { text, _ in
      let isName = text.utf8.allSatisfy {
        S3Configuration.isLetterOrDigit($0)
          || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains($0)
      }
      let isPathSegment = text != "." && text != ".."
      return isName && isPathSegment && (1...255).contains(text.utf8.count) ? text : nil
    }
  }

  fileprivate static var region: Self {
    ConfigType("a region such as eu-central-1") { text, _ in S3Configuration.isRegion(text) ? text : nil }
  }

  /// It stands between slashes and commas in the Authorization header.
  fileprivate static var accessKeyID: Self {
    ConfigType("an access key's id") { text, _ in
      let isPlain = text.utf8.allSatisfy {
        (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ",")
      }
      return isPlain && !text.isEmpty ? text : nil
    }
  }
}

extension ConfigType where Value == Secret {
  /// It is sent as a header.
  fileprivate static var sessionToken: Self {
    ConfigType("a session token", isSecret: true) { text, _ in
      !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? Secret(text) : nil
    }
  }
}

extension ConfigType where Value == Endpoint {
  fileprivate static var endpoint: Self {
    ConfigType("a URL such as https://s3.example.com, without a path") { text, _ in Endpoint(text) }
  }
}
