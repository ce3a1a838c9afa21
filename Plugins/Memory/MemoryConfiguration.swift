import SyncBackend

/// `backend: memory`: a bucket that lives as long as the process, for tests.
public struct MemoryConfiguration: BackendConfiguration {
  public static let kind = "memory"
  public static let summary = "a bucket in memory, gone with the process; for tests"
  public static var typicalCapabilities: Capabilities { MemoryLimits().capabilities }

  public var name: String
  /// What every connection shares; nil: each begins empty.
  public var shared: MemoryBackend?

  public init(name: String, shared: MemoryBackend? = nil) {
    self.name = name
    self.shared = shared
  }

  public init?(from section: ConfigSection) {
    let name = section.value("name", .text, "tells one bucket in memory from another")
    section.finish()
    self.init(name: name ?? "memory")
  }

  /// There is no connection.
  public var tls: TLSSettings { TLSSettings() }

  public var target: Target { Target(kind: Self.kind, endpoint: "", bucket: name) }

  public func makeBackend(_ surroundings: Surroundings) -> any Backend {
    shared ?? MemoryBackend(now: surroundings.now)
  }
}
