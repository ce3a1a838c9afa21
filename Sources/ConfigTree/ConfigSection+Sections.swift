extension ConfigSection {
  /// The mapping under `key`; nil where it is absent.
  public func section(_ key: String, _ help: String) -> ConfigSection? {
    guard let found = node.entry(key) ?? placeholder(key) else {
      declare(
        Field(name: key, help: help, isRequired: false, shape: .scalar(schema: [:]), shown: []))
      return nil
    }
    let section = ConfigSection(
      found.value, path: join(key), context: context, location: found.location)
    declare(Field(name: key, help: help, isRequired: false, shape: .section(section), shown: []))
    return section
  }

  /// The list of mappings under `key`; empty where it is absent.
  public func sections(_ key: String, _ help: String) -> [ConfigSection] {
    var found: [ConfigNode] = []
    if let node = node[key] {
      switch node.content {
      case .sequence(let items): found = items
      case .empty: report("\(fullName(key)) has no value; it must be a list of mappings", at: key)
      default:
        report("\(fullName(key)) must be a list of mappings, found \(node.kindName)", at: key)
      }
    } else if let placeholder = placeholder(key) {
      found = [placeholder.value]
    }
    let sections = found.enumerated().map {
      ConfigSection($1, path: "\(join(key))[\($0)]", context: context)
    }
    declare(Field(name: key, help: help, isRequired: false, shape: .sections(sections), shown: []))
    return sections
  }

  /// The mappings under `key` by the names that the user gave them, in the file's order.
  ///
  /// - Parameter alternatives: while describing, one placeholder each, so that a reader who knows several kinds of
  ///   section can declare the keys of each kind.
  public func named(
    _ key: String, _ help: String, isRequired: Bool = false, alternatives: [String] = ["NAME"]
  ) -> [(name: String, section: ConfigSection)] {
    var entries: [ConfigNode.Entry] = []
    if let found = node.entry(key) {
      // Building the section reports a value that is no mapping.
      _ = ConfigSection(found.value, path: join(key), context: context, location: found.location)
      entries = found.value.entries
    } else if context.isDescribing {
      entries = alternatives.compactMap(placeholder)
    }
    if isRequired, asksForKeys, isAbsent(key) {
      report("\(fullName(key)) is missing: \(help)", at: key)
    }
    let sections = entries.map {
      (
        name: $0.key,
        section: ConfigSection(
          $0.value, path: "\(join(key)).\($0.key)", context: context, location: $0.location)
      )
    }
    declare(
      Field(name: key, help: help, isRequired: isRequired, shape: .named(sections), shown: []))
    return sections
  }

  private func isAbsent(_ key: String) -> Bool {
    switch node[key]?.content {
    case nil, .empty, .mapping([]): true
    default: false
    }
  }

  private func join(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  private func placeholder(_ key: String) -> ConfigNode.Entry? {
    guard context.isDescribing else { return nil }
    return ConfigNode.Entry(
      key: key, location: location, value: ConfigNode(.mapping([]), at: location))
  }
}

extension ConfigSection {
  /// What was read, as it may be shown: in the order of reading, secrets masked, defaults filled in.
  public var shownNode: ConfigNode {
    func scalar(_ text: String) -> ConfigNode { ConfigNode(.scalar(text), at: location) }
    let entries = fields.compactMap { field -> ConfigNode.Entry? in
      let content: ConfigNode.Content?
      switch field.shape {
      case .scalar: content = field.shown.first.map { .scalar($0) }
      case .list: content = contains(field.name) ? .sequence(field.shown.map(scalar)) : nil
      case .section(let section):
        let shown = section.shownNode
        content = shown.entries.isEmpty ? nil : shown.content
      case .sections(let sections):
        content = sections.isEmpty ? nil : .sequence(sections.map(\.shownNode))
      case .named(let sections):
        let named = sections.map {
          ConfigNode.Entry(key: $0.name, location: $0.section.location, value: $0.section.shownNode)
        }
        content = named.isEmpty ? nil : .mapping(named)
      }
      return content.map {
        ConfigNode.Entry(key: field.name, location: location, value: ConfigNode($0, at: location))
      }
    }
    return ConfigNode(.mapping(entries), at: location)
  }
}
