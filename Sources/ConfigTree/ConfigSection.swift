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
  private let node: ConfigNode

  public init(_ node: ConfigNode, path: String, context: ConfigContext) {
    self.node = node
    self.path = path
    self.context = context
    location = node.location
    switch node.content {
    case .mapping, .empty: break
    default: context.report(ConfigIssue(at: location, "\(name) must be a mapping, found \(node.kindName)"))
    }
  }

  private var name: String { path.isEmpty ? "the configuration" : path }

  private func fullName(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  public func contains(_ key: String) -> Bool { node[key] != nil }

  /// Where `key` stands, or the section itself where it is absent.
  public func location(of key: String) -> ConfigLocation { node[key]?.location ?? location }

  /// Reports a problem with the value of `key`, or with the section.
  public func report(_ message: String, at key: String? = nil, kind: ConfigIssue.Kind = .invalid) {
    context.report(ConfigIssue(kind, at: key.map(location(of:)) ?? location, message))
  }
}

// MARK: - Scalars and lists

extension ConfigSection {
  public func value<Value>(_ key: String, _ type: ConfigType<Value>, _ help: String) -> Value? {
    scalar(key, type, help, isRequired: false)
  }

  /// Reports where the key is missing. The result is nil then, and where the value is wrong.
  public func required<Value>(_ key: String, _ type: ConfigType<Value>, _ help: String) -> Value? {
    scalar(key, type, help, isRequired: true)
  }

  /// A list of scalars; a single scalar is a list of one.
  public func list<Value>(_ key: String, _ type: ConfigType<Value>, _ help: String) -> [Value]? {
    var field = Field(
      name: key, help: help, isRequired: false, shape: .list(schema: type.schema), shown: [])
    defer { fields.append(field) }
    guard let found = node[key] else { return nil }
    switch found.content {
    case .sequence(let items):
      let read = items.map { parse($0, as: type, name: fullName(key)) }
      field.shown = read.map { $0?.shown ?? "" }
      return read.compactMap { $0?.value }
    case .scalar:
      guard let read = parse(found, as: type, name: fullName(key)) else { return nil }
      field.shown = [read.shown]
      return [read.value]
    default:
      report("\(fullName(key)) must be a list, found \(found.kindName)", at: key)
      return nil
    }
  }

  /// Declares a key of the contract that this version does not carry out; using it is an error.
  public func unsupported(_ key: String, _ help: String) {
    fields.append(
      Field(name: key, help: help, isRequired: false, shape: .scalar(schema: ["not": "{}"]), shown: []))
    guard contains(key) else { return }
    report("\(fullName(key)) is not supported by this version", at: key, kind: .unsupported)
  }

  private func scalar<Value>(
    _ key: String, _ type: ConfigType<Value>, _ help: String, isRequired: Bool
  ) -> Value? {
    var field = Field(
      name: key, help: help, isRequired: isRequired, shape: .scalar(schema: type.schema), shown: [])
    defer { fields.append(field) }
    guard let found = node[key] else {
      if isRequired, !context.isDescribing {
        report("\(fullName(key)) is missing: \(help)")
      }
      return nil
    }
    guard let read = parse(found, as: type, name: fullName(key)) else { return nil }
    field.shown = [read.shown]
    return read.value
  }

  private func parse<Value>(
    _ found: ConfigNode, as type: ConfigType<Value>, name: String
  ) -> (value: Value, shown: String)? {
    guard case .scalar(let raw) = found.content else {
      context.report(
        ConfigIssue(at: found.location, "\(name) must be \(type.expectation), found \(found.kindName)"))
      return nil
    }
    guard let text = expand(raw, at: found.location) else { return nil }
    guard let value = type.parse(text, context) else {
      let shown = type.isSecret ? "****" : "\"\(text)\""
      context.report(ConfigIssue(at: found.location, "\(name) must be \(type.expectation), found \(shown)"))
      return nil
    }
    return (value, type.isSecret ? "****" : text)
  }

  private func expand(_ text: String, at location: ConfigLocation) -> String? {
    switch Interpolation.expand(text, with: context.environment) {
    case .success(let expanded): return expanded
    case .failure(.unset(let name)):
      context.report(
        ConfigIssue(
          .unsetVariable(name), at: location, "the environment variable \(name) is not set; ${\(name):-default} gives a default"))
    case .failure(.malformed(let reason)):
      context.report(ConfigIssue(at: location, reason))
    }
    return nil
  }
}

// MARK: - Nested sections

extension ConfigSection {
  /// The mapping under `key`; nil where it is absent.
  public func section(_ key: String, _ help: String) -> ConfigSection? {
    guard let found = node[key] ?? placeholder else {
      fields.append(Field(name: key, help: help, isRequired: false, shape: .scalar(schema: [:]), shown: []))
      return nil
    }
    let section = ConfigSection(found, path: fullName(key), context: context)
    fields.append(Field(name: key, help: help, isRequired: false, shape: .section(section), shown: []))
    return section
  }

  /// The list of mappings under `key`; empty where it is absent.
  public func sections(_ key: String, _ help: String) -> [ConfigSection] {
    var found: [ConfigNode] = []
    if let node = node[key] {
      if case .sequence(let items) = node.content {
        found = items
      } else {
        report("\(fullName(key)) must be a list, found \(node.kindName)", at: key)
      }
    } else if let placeholder {
      found = [placeholder]
    }
    let sections = found.enumerated().map {
      ConfigSection($1, path: "\(fullName(key))[\($0)]", context: context)
    }
    fields.append(Field(name: key, help: help, isRequired: false, shape: .sections(sections), shown: []))
    return sections
  }

  /// The mappings under `key` by the names that the user gave them, in the file's order.
  public func named(_ key: String, _ help: String) -> [(name: String, section: ConfigSection)] {
    let entries: [ConfigNode.Entry]
    if let found = node[key] {
      // Building the section reports a value that is no mapping.
      _ = ConfigSection(found, path: fullName(key), context: context)
      entries = found.entries
    } else {
      entries = placeholder.map { [ConfigNode.Entry(key: "NAME", location: location, value: $0)] } ?? []
    }
    let sections = entries.map {
      (name: $0.key, section: ConfigSection($0.value, path: "\(fullName(key)).\($0.key)", context: context))
    }
    fields.append(Field(name: key, help: help, isRequired: false, shape: .named(sections), shown: []))
    return sections
  }

  private var placeholder: ConfigNode? {
    context.isDescribing ? ConfigNode(.mapping([]), at: location) : nil
  }

  /// Reports every key that nobody asked for, with the nearest that somebody did.
  public func finish() {
    let known = fields.map(\.name)
    for entry in node.entries where !known.contains(entry.key) {
      let hint = nearestName(to: entry.key, among: known).map { "; did you mean \($0)?" } ?? ""
      context.report(ConfigIssue(at: entry.location, "unknown key \(fullName(entry.key))\(hint)"))
    }
  }
}
