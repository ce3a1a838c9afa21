import SyncBackend

/// `backend: local`: a directory as the bucket.
public struct LocalConfiguration: BackendConfiguration {
  public static let kind = "local"
  public static let summary = "a directory as the bucket: a mounted disk, a NAS"
  public static let typicalCapabilities = LocalBackend.capabilities

  /// The bucket's directory; absolute.
  public var path: String

  public init(path: String) {
    self.path = path
  }

  public init?(from section: ConfigSection) {
    let path = section.required("path", .path, "the directory that is the bucket; it must exist")
    section.finish()
    guard let path else { return nil }
    self.init(path: path)
  }

  public var target: Target { Target(kind: Self.kind, endpoint: path, bucket: "", localDirectory: path) }

  /// There is no connection.
  public var tls: TLSSettings { TLSSettings() }

  public func makeBackend(_ surroundings: Surroundings) -> any Backend {
    LocalBackend(path: path, now: surroundings.now, random: surroundings.random)
  }
}
