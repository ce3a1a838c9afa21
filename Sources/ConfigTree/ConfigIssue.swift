/// Something wrong with a configuration, and where.
public struct ConfigIssue: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Kind: Sendable, Hashable {
    case invalid
    /// Right by the contract, but this version does not do it yet.
    case unsupported
    /// `${NAME}` without a value: wrong only for whoever uses it.
    case unsetVariable(String)
    /// Somebody asked for what the configuration doesn't have: it is not to blame.
    case unknownName
  }

  public var kind: Kind
  public var location: ConfigLocation
  public var message: String

  public init(_ kind: Kind = .invalid, at location: ConfigLocation, _ message: String) {
    self.kind = kind
    self.location = location
    self.message = message
  }

  public var isUnsetVariable: Bool {
    if case .unsetVariable = kind { true } else { false }
  }

  public var description: String { "\(location): \(message)" }
}

/// By place, then by message: the order in which issues are printed.
extension ConfigIssue: Comparable {
  public static func < (left: ConfigIssue, right: ConfigIssue) -> Bool {
    (left.location, left.message) < (right.location, right.message)
  }
}
