import ConfigTree

extension ConfigurationReader {
  /// The JSON Schema (draft 2020-12) of configurations, as text. Scalars may be written as JSON's own numbers and
  /// booleans or as text, and as text with `${NAME}`.
  public func schema() -> String {
    let context = ConfigContext(environment: { _ in nil }, baseDirectory: "/", isDescribing: true)
    let nothing = ConfigNode(.mapping([]), at: ConfigLocation(file: ""))
    let section = ConfigSection(nothing, path: "", context: context)
    let root = RootSection(section, kinds: kinds.map(\.name))
    for (kind, remote) in zip(kinds, root.remotes) {
      describe(kind, in: remote.section)
    }
    let profiles = ProfileReader(context: context, remotes: [], isPattern: isPattern)
    root.defaults.map { _ = profiles.readDefaults($0) }
    root.profiles.forEach { profiles.describe($0.section) }
    return Schema.document(section).text() + "\n"
  }
}

/// From the fields of a section that describes itself to JSON Schema.
private enum Schema {
  static func document(_ root: ConfigSection) -> JSON {
    let environment = JSON.object([
      ("description", .string("a value from the environment")),
      ("type", .string("string")), ("pattern", .string("[$][{]")),
    ])
    let head: [(String, JSON)] = [
      ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      ("title", .string("Configuration of sync")),
      ("$defs", .object([("environment", environment)])),
    ]
    return .object(head + members(of: root))
  }

  private static func members(of section: ConfigSection) -> [(String, JSON)] {
    let required = section.fields.filter(\.isRequired).map { JSON.string($0.name) }
    return [
      ("type", .string("object")),
      ("properties", .object(section.fields.map { ($0.name, property($0)) })),
      ("required", .array(required)),
      ("additionalProperties", .raw("false")),
    ]
  }

  private static func property(_ field: ConfigSection.Field) -> JSON {
    .object([("description", .string(field.help))] + shape(field.shape))
  }

  private static func shape(_ shape: ConfigSection.Field.Shape) -> [(String, JSON)] {
    switch shape {
    case .scalar(let schema): return scalar(schema)
    case .list(let schema):
      let item = JSON.object(scalar(schema))
      let list = JSON.object([("type", .string("array")), ("items", item)])
      return [("anyOf", .array([list, item]))]
    case .section(let section): return members(of: section)
    case .sections(let sections):
      let items = sections.first.map { JSON.object(members(of: $0)) }
      return [("type", .string("array"))] + (items.map { [("items", $0)] } ?? [])
    case .named(let alternatives):
      let kinds = alternatives.map { JSON.object(members(of: $0.section)) }
      let value = kinds.count == 1 ? kinds[0] : .object([("oneOf", .array(kinds))])
      let names = ConfigType<String>.name.schema.sorted { $0.key < $1.key }.map {
        ($0.key, JSON.raw($0.value))
      }
      return [
        ("type", .string("object")), ("minProperties", .raw("1")),
        ("propertyNames", .object(names)),
        ("additionalProperties", value),
      ]
    }
  }

  private static func scalar(_ schema: [String: String]) -> [(String, JSON)] {
    let members = schema.sorted { $0.key < $1.key }.map { ($0.key, JSON.raw($0.value)) }
    // Any text is a text with ${NAME} too; a constant tells the kinds of remotes apart; what is not supported is
    // not supported from the environment either.
    let isText = schema.keys.allSatisfy { ["type", "default"].contains($0) }
    guard !isText, schema["const"] == nil, schema["not"] == nil else { return members }
    let own = members.filter { $0.0 != "default" }
    let environment = JSON.object([("$ref", .string("#/$defs/environment"))])
    return members.filter { $0.0 == "default" } + [("anyOf", .array([.object(own), environment]))]
  }
}
