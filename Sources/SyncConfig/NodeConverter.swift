import ConfigTree
import Yams

/// From Yams' nodes to configuration values. Goes on after an issue, so that all of them are found.
struct NodeConverter {
  let source: SourceText
  var issues: [ConfigIssue] = []
  private var count = 0

  /// Aliases of aliases can make a small file mean billions of values.
  private static let mostValues = 100_000

  init(source: SourceText) {
    self.source = source
  }

  /// - Parameter key: where the key stands whose value this is: a missing value has no better place.
  mutating func convert(_ node: Node, of key: ConfigLocation? = nil) -> ConfigNode {
    let location = place(node)
    count += 1
    guard count <= NodeConverter.mostValues else {
      if count == NodeConverter.mostValues + 1 {
        issues.append(
          ConfigIssue(
            at: location, "more than \(NodeConverter.mostValues) values; aliases of aliases?"))
      }
      return ConfigNode(.empty, at: location)
    }
    refuseTag(of: node, at: location)
    switch node {
    case .scalar(let scalar):
      let isEmpty = scalar.string.isEmpty && scalar.style == .plain
      return ConfigNode(
        isEmpty ? .empty : .scalar(scalar.string), at: isEmpty ? key ?? location : location)
    case .sequence(let items):
      return ConfigNode(.sequence(items.map { convert($0) }), at: location)
    case .mapping(let pairs):
      return ConfigNode(.mapping(pairs.compactMap { entry($0.key, $0.value) }), at: location)
    case .alias:
      // The parser puts the anchored node in an alias's place; only trees made by hand hold aliases.
      issues.append(ConfigIssue(at: location, "an alias without its anchor"))
      return ConfigNode(.empty, at: location)
    }
  }

  private mutating func entry(_ key: Node, _ value: Node) -> ConfigNode.Entry? {
    let location = place(key)
    guard case .scalar(let scalar) = key else {
      issues.append(ConfigIssue(at: location, "a key must be text"))
      return nil
    }
    refuseTag(of: key, at: location)
    guard !scalar.string.isEmpty else {
      issues.append(ConfigIssue(at: location, "a key is missing before the colon"))
      return nil
    }
    if scalar.string == "<<", scalar.style == .plain {
      issues.append(
        ConfigIssue(
          at: location,
          "merge keys (<<) are not supported; a profile can extend another: extends: NAME"))
      return nil
    }
    return ConfigNode.Entry(
      key: scalar.string, location: location, value: convert(value, of: location))
  }

  private mutating func refuseTag(of node: Node, at location: ConfigLocation) {
    let mark = node.mark.flatMap { source.scalar(line: $0.line, scalarColumn: $0.column) }
    let begins = mark == "!"
    // libyaml tags quoted scalars as text by itself, and comparing keys resolves theirs to text.
    let tag = tag(of: node)
    guard begins || !["", Tag.Name.str.rawValue].contains(tag) else { return }
    let standard = "tag:yaml.org,2002:"
    let written = tag.hasPrefix(standard) ? "!!" + tag.dropFirst(standard.count) : tag
    let hint = begins ? "; put quotes around text that begins with \"!\"" : ""
    issues.append(
      ConfigIssue(at: location, "the tag \(written) is not supported: every value is text\(hint)"))
  }

  private func tag(of node: Node) -> String {
    switch node {
    case .scalar(let scalar): scalar.tag.description
    case .sequence(let sequence): sequence.tag.description
    case .mapping(let mapping): mapping.tag.description
    case .alias(let alias): alias.tag.description
    }
  }

  private func place(_ node: Node) -> ConfigLocation {
    node.mark.map { source.location(line: $0.line, scalarColumn: $0.column) }
      ?? ConfigLocation(file: source.file)
  }
}
