/// Where a value stands: line and column count from 1, columns in characters.
public struct ConfigLocation: Sendable, Hashable, CustomStringConvertible {
  public var file: String
  /// 0 where the file as a whole is meant.
  public var line: Int
  public var column: Int

  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// The file as a whole.
  public init(file: String) {
    self.init(file: file, line: 0, column: 0)
  }

  public var description: String { line == 0 ? file : "\(file):\(line):\(column)" }
}

extension ConfigLocation: Comparable {
  public static func < (left: ConfigLocation, right: ConfigLocation) -> Bool {
    (left.file, left.line, left.column) < (right.file, right.line, right.column)
  }
}

/// A configuration value with its place. Scalars are text: the reader of a value gives it its type, so that `no`
/// is a bucket's name where a name is wanted.
public struct ConfigNode: Sendable, Hashable {
  public struct Entry: Sendable, Hashable {
    public var key: String
    /// The key's place, not its value's.
    public var location: ConfigLocation
    public var value: ConfigNode

    public init(key: String, location: ConfigLocation, value: ConfigNode) {
      self.key = key
      self.location = location
      self.value = value
    }
  }

  public enum Content: Sendable, Hashable {
    /// A key with nothing behind it.
    case empty
    case scalar(String)
    case sequence([ConfigNode])
    case mapping([Entry])
  }

  public var content: Content
  public var location: ConfigLocation

  public init(_ content: Content, at location: ConfigLocation) {
    self.content = content
    self.location = location
  }

  public var entries: [Entry] {
    if case .mapping(let entries) = content { entries } else { [] }
  }

  public func entry(_ key: String) -> Entry? {
    entries.first { $0.key == key }
  }

  public subscript(key: String) -> ConfigNode? { entry(key)?.value }

  /// What the node is, for "expected a list, found …". A scalar's text stays out of it: where no scalar is wanted
  /// nobody knows whether it is a secret.
  var kindName: String {
    switch content {
    case .empty: "nothing"
    case .scalar: "text"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}
