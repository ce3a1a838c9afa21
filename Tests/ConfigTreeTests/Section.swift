import ConfigTree

/// A tree for tests: keys and values stand in lines and columns that follow from where they are written.
enum Tree: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  case empty
  case text(String)
  case list([Tree])
  case mapping([(String, Tree)])

  init(stringLiteral text: String) { self = .text(text) }
  init(arrayLiteral items: Tree...) { self = .list(items) }
  init(dictionaryLiteral entries: (String, Tree)...) { self = .mapping(entries) }

  /// Every entry of a mapping on a line of its own, counted from `line`; keys in `column`, values 10 further.
  func node(line: Int = 1, column: Int = 1) -> ConfigNode {
    let place = ConfigLocation(file: "f", line: line, column: column)
    switch self {
    case .empty: return ConfigNode(.empty, at: place)
    case .text(let text): return ConfigNode(.scalar(text), at: place)
    case .list(let items):
      return ConfigNode(
        .sequence(items.enumerated().map { $1.node(line: line + $0, column: column) }), at: place)
    case .mapping(let entries):
      let read = entries.enumerated().map { index, entry in
        ConfigNode.Entry(
          key: entry.0, location: ConfigLocation(file: "f", line: line + index, column: column),
          value: entry.1.node(line: line + index, column: column + 10))
      }
      return ConfigNode(.mapping(read), at: place)
    }
  }
}

func section(_ tree: Tree, _ environment: [String: String] = ["HOME": "/home/u"]) -> ConfigSection {
  let context = ConfigContext(environment: { environment[$0] }, baseDirectory: "/etc/sync")
  return ConfigSection(tree.node(), path: "top", context: context)
}

extension ConfigSection {
  var reported: [String] { context.issues.map(\.description) }
}
