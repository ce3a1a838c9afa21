import ObjectREST
import SyncBackend

/// Where a bucket's requests go.
struct S3Addressing: Sendable, Hashable {
  /// How a request names its bucket.
  enum Style: String, Sendable, CaseIterable {
    /// Virtual-host style on AWS, else path style: the one that every compatible server takes.
    case auto
    /// `https://bucket.host/key`
    case virtual
    /// `https://host/bucket/key`
    case path
  }

  /// nil for AWS itself, whose host depends on the region.
  var endpoint: Endpoint?
  var bucket: String
  var style: Style

  func endpoint(region: String) -> Endpoint {
    if let endpoint { return endpoint }
    let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    return Endpoint(scheme: "https", host: "s3.\(region).\(domain)")
  }

  /// The bucket, or an object in it. The key's bytes go on the wire as they are: `//`, `.` and `..` are names.
  func target(region: String, key: ObjectKey?, query: Query = Query()) -> HTTPTarget {
    let endpoint = endpoint(region: region)
    var path = key.map { "/" + percentEncoded($0.bytes, keepingSlashes: true) } ?? ""
    var authority = endpoint.authority
    if isVirtual {
      authority = "\(bucket).\(authority)"
      path = path.isEmpty ? "/" : path
    } else {
      path = "/" + percentEncoded(bucket) + path
    }
    return HTTPTarget(scheme: endpoint.scheme, authority: authority, path: path, query: query.text)
  }

  var isVirtual: Bool {
    switch style {
    case .virtual: true
    case .path: false
    case .auto: isAWS && !hasDottedName
    }
  }

  /// A certificate's wildcard covers one label, so a bucket with dots fails under TLS as a part of the host.
  private var hasDottedName: Bool { bucket.utf8.contains(UInt8(ascii: ".")) }

  private var isAWS: Bool {
    guard let endpoint else { return true }
    guard endpoint.port == nil, endpoint.isSecure else { return false }
    return endpoint.host.hasSuffix(".amazonaws.com") || endpoint.host.hasSuffix(".amazonaws.com.cn")
  }
}
