/// A kind of backend, as its typed configuration: reading it from the config, saying which target it names, and
/// making the connection. Making a backend contacts nothing.
public protocol BackendConfiguration: Sendable {
  /// The word after `backend:`.
  static var kind: String { get }
  /// One line for `sync backends`.
  static var summary: String { get }
  /// What remotes of this kind usually can; a configured one may differ.
  static var typicalCapabilities: Capabilities { get }

  /// Reads the keys that belong to this kind, reporting every problem to `section`; nil where one was fatal.
  /// `backend`, `prefix` and `transfer` belong to every remote and are not in the section.
  init?(from section: ConfigSection)

  var target: Target { get }
  /// How the HTTP client that it is handed checks certificates.
  var tls: TLSSettings { get }

  func makeBackend(_ surroundings: Surroundings) -> any Backend
}

/// Which place a configuration names: two configurations with equal targets share one manifest.
public struct Target: Sendable, Hashable {
  public var kind: String
  /// A URL's scheme and authority, or a directory.
  public var endpoint: String
  public var bucket: String
  /// Where the target is a directory of this machine: no source may hold it.
  public var localDirectory: String?

  public init(kind: String, endpoint: String, bucket: String, localDirectory: String? = nil) {
    self.kind = kind
    self.endpoint = endpoint
    self.bucket = bucket
    self.localDirectory = localDirectory
  }
}

/// Everything a backend needs from outside itself; tests replace it.
public struct Surroundings: Sendable {
  public var http: any HTTPClient
  /// Nanoseconds since 1970.
  public var now: @Sendable () -> Int64
  /// Uniform in 0 ..< 1.
  public var random: @Sendable () -> Double
  /// An environment variable's value.
  public var environment: @Sendable (String) -> String?
  public var logger: Logger

  public init(
    http: any HTTPClient, now: @escaping @Sendable () -> Int64, random: @escaping @Sendable () -> Double,
    environment: @escaping @Sendable (String) -> String?, logger: Logger
  ) {
    self.http = http
    self.now = now
    self.random = random
    self.environment = environment
    self.logger = logger
  }
}
