/// A mapping that is being read by whoever knows its keys.
///
/// Reading is also what declares the keys: a section remembers every field it was asked for, so the same code that
/// reads a configuration finds unknown keys, writes the JSON Schema, and shows the values with secrets masked.
/// Read every field before giving up on one, then call `finish()`.
public final class ConfigSection {
  /// A key that the section's reader knows.
  public struct Field {
    public enum Shape {
      case scalar(schema: [String: String])
      case list(schema: [String: String])
      case section(ConfigSection)
      case sections([ConfigSection])
      /// A mapping whose keys are names of the user's choosing.
      case named([(name: String, section: ConfigSection)])
    }

    public var name: String
    public var help: String
    public var isRequired: Bool
    public var shape: Shape
    /// The values as they may be shown: secrets are `****`.
    public var shown: [String]
  }

  public let context: ConfigContext
  public let location: ConfigLocation
  /// The keys from the root to here, for messages: `remotes.aws.credentials`.
  public let path: String
  public private(set) var fields: [Field] = []
  /// What the file says, unread.
  public let node: ConfigNode
  private var isFinished = false

  /// - Parameter location: where the section as a whole is reported; its key's place is better than its first key's.
  public init(
    _ node: ConfigNode, path: String, context: ConfigContext, location: ConfigLocation? = nil
  ) {
    self.node = node
    self.path = path
    self.context = context
    self.location = location ?? node.location
    guard !isMapping else { return }
    let name = path.isEmpty ? "the configuration" : oneLine(path)
    context.report(ConfigIssue(at: node.location, "\(name) must be a mapping, found \(node.kindName)"))
  }

  /// False where the file has something else there, which was reported.
  public var isMapping: Bool {
    switch node.content {
    case .mapping, .empty: true
    case .scalar, .sequence: false
    }
  }

  /// Whether a required key can be missed: not while describing, nor where there are no keys at all.
  var asksForKeys: Bool { isMapping && !context.isDescribing }

  /// The key from the root, as messages name it.
  public func fullName(_ key: String) -> String { oneLine(path.isEmpty ? key : "\(path).\(key)") }

  public func contains(_ key: String) -> Bool { node[key] != nil }

  /// Where the value of `key` stands, or the section itself where it is absent.
  public func location(of key: String) -> ConfigLocation { node[key]?.location ?? location }

  /// Reports a problem with the value of `key`, or with the section.
  public func report(_ message: String, at key: String? = nil, kind: ConfigIssue.Kind = .invalid) {
    context.report(ConfigIssue(kind, at: key.map(location(of:)) ?? location, message))
  }

  /// Reports every key that nobody asked for, with the nearest that somebody did. Doing it again changes nothing.
  public func finish() {
    guard !isFinished else { return }
    isFinished = true
    let known = fields.map(\.name)
    for entry in node.entries where !known.contains(entry.key) {
      let hint = didYouMean(entry.key, among: known)
      context.report(ConfigIssue(at: entry.location, "unknown key \(fullName(entry.key))\(hint)"))
    }
  }

  /// A key that is asked for twice stays one field, as it was declared last.
  func declare(_ field: Field) {
    if let index = fields.firstIndex(where: { $0.name == field.name }) {
      fields[index] = field
    } else {
      fields.append(field)
    }
  }
}
