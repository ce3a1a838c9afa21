/// Something wrong with a configuration, and where.
public struct ConfigIssue: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Kind: Sendable, Hashable {
    case invalid
    /// Right by the contract, but this version does not do it yet.
    case unsupported
    /// `${NAME}` without a value: wrong only for whoever uses it.
    case unsetVariable(String)
  }

  public var kind: Kind
  public var location: ConfigLocation
  public var message: String

  public init(_ kind: Kind = .invalid, at location: ConfigLocation, _ message: String) {
    self.kind = kind
    self.location = location
    self.message = message
  }

  public var description: String { "\(location): \(message)" }
}

/// What reading a configuration needs and gathers: all issues are collected, none ends the reading.
public final class ConfigContext {
  public internal(set) var issues: [ConfigIssue] = []
  /// An environment variable's value.
  public let environment: (String) -> String?
  /// Relative paths are meant from here: the folder of the configuration file.
  public let baseDirectory: String
  /// Sections are read to learn which keys there are, not for their values: nothing is missing.
  public let isDescribing: Bool

  public init(
    environment: @escaping (String) -> String?, baseDirectory: String, isDescribing: Bool = false
  ) {
    self.environment = environment
    self.baseDirectory = baseDirectory
    self.isDescribing = isDescribing
  }

  public func report(_ issue: ConfigIssue) {
    issues.append(issue)
  }
}
