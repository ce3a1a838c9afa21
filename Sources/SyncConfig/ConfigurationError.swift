import ConfigTree

/// Everything that is wrong with a configuration, in the order of the file, each issue once.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  public let issues: [ConfigIssue]

  public init(_ issues: [ConfigIssue]) {
    self.issues = Set(issues).sorted()
  }

  /// One issue a line: `config.yaml:12:5: …`.
  public var description: String {
    issues.map(\.description).joined(separator: "\n")
  }
}
