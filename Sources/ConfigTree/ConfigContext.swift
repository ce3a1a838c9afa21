/// What reading a configuration needs and gathers: all issues are collected, none ends the reading.
public final class ConfigContext {
  public internal(set) var issues: [ConfigIssue] = []
  /// Where a secret stands in the file itself instead of coming from the environment.
  public internal(set) var literalSecrets: [ConfigLocation] = []
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

  /// Reads something whose issues the caller wants to judge: they are handed over, not kept.
  public func gathering<Value>(_ read: () -> Value) -> (value: Value, issues: [ConfigIssue]) {
    let kept = issues
    issues = []
    defer { issues = kept }
    return (read(), issues)
  }
}
