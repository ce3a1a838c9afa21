import ConfigTree

/// How the layers of a profile lie over each other: `defaults`, what it extends, its own settings.
enum Inheritance {
  /// Mappings merge key by key; `exclude` and `include` append to what lies below, because the last match wins;
  /// anything else replaces it. Values keep the places that they have in the file.
  static func merge(_ upper: ConfigNode, over lower: ConfigNode) -> ConfigNode {
    guard case .mapping(let entries) = upper.content else { return lower }
    var merged = lower.entries
    for entry in entries {
      guard let index = merged.firstIndex(where: { $0.key == entry.key }) else {
        merged.append(entry)
        continue
      }
      let below = merged[index].value
      merged[index] = entry
      switch (entry.key, entry.value.content) {
      case ("exclude", _), ("include", _): merged[index].value = append(entry.value, to: below)
      case (_, .mapping): merged[index].value = merge(entry.value, over: below)
      default: break
      }
    }
    return ConfigNode(.mapping(merged), at: upper.location)
  }

  private static func append(_ upper: ConfigNode, to lower: ConfigNode) -> ConfigNode {
    ConfigNode(.sequence(items(of: lower) + items(of: upper)), at: upper.location)
  }

  private static func items(of node: ConfigNode) -> [ConfigNode] {
    switch node.content {
    case .sequence(let items): items
    case .scalar: [node]
    case .empty, .mapping: []
    }
  }
}

/// Which profile extends which.
struct ExtendsGraph {
  /// A profile's own `extends`.
  struct Link {
    var profile: String
    var parent: String
    /// Of the word after `extends:`.
    var location: ConfigLocation
  }

  private let links: [String: Link]

  init(_ links: [Link]) {
    self.links = Dictionary(links.map { ($0.profile, $0) }) { first, _ in first }
  }

  /// From the profile itself to the one that extends nothing.
  /// - Returns: nil where the chain is a circle.
  func chain(from profile: String) -> [String]? {
    var chain = [profile]
    while let parent = chain.last.flatMap({ links[$0]?.parent }) {
      guard !chain.contains(parent) else { return nil }
      chain.append(parent)
    }
    return chain
  }

  /// One issue for each circle, at the link that stands first in the file.
  var circles: [ConfigIssue] {
    var issues: [ConfigIssue] = []
    var known: Set<String> = []
    for link in links.values.sorted(by: { $0.location < $1.location }) {
      guard !known.contains(link.profile), let circle = circle(through: link.profile) else {
        continue
      }
      known.formUnion(circle)
      let round = (circle + [link.profile]).joined(separator: " → ")
      issues.append(
        ConfigIssue(
          at: link.location, "profiles.\(link.profile).extends goes round in a circle: \(round)"))
    }
    return issues
  }

  private func circle(through profile: String) -> [String]? {
    var circle = [profile]
    while let parent = circle.last.flatMap({ links[$0]?.parent }) {
      if parent == profile { return circle }
      guard !circle.contains(parent) else { return nil }
      circle.append(parent)
    }
    return nil
  }
}
