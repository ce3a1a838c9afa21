import ConfigTree

/// From the sections under `defaults` and `profiles` to complete profiles.
///
/// Every layer is read twice: alone, so that each mistake is reported once and under the name that it has in the
/// file; then merged with what it inherits, which gives the profile its values and shows which of them need a
/// variable that is not set. A value that another layer replaces needs none.
struct ProfileReader {
  typealias Item = (name: String, result: Result<Profile, ConfigurationError>, shown: ConfigNode)

  let context: ConfigContext
  let remotes: [String]
  let isPattern: @Sendable (String) -> Bool

  /// - Returns: nothing for profiles that were reported as wrong in a way that leaves nothing to build on.
  func read(
    _ profiles: [(name: String, section: ConfigSection)], defaults: ConfigSection?
  ) -> [Item] {
    let defaultsNode = defaults.map(readDefaults)
    var links: [ExtendsGraph.Link] = []
    var unset: [String: [ConfigIssue]] = [:]
    for (name, section) in profiles {
      let (parent, issues) = context.gathering {
        checkName(name, of: section)
        return readOwn(section, profiles: profiles.map(\.name))
      }
      issues.filter { !$0.isUnsetVariable }.forEach(context.report)
      let place = section.location(of: "extends")
      unset[name] = issues.filter { $0.isUnsetVariable && $0.location == place }
      if let parent {
        links.append(ExtendsGraph.Link(profile: name, parent: parent, location: place))
      }
    }
    let graph = ExtendsGraph(links)
    graph.circles.forEach(context.report)

    let sections = Dictionary(profiles.map { ($0.name, $0.section) }) { first, _ in first }
    return profiles.compactMap { name, section in
      guard let chain = graph.chain(from: name) else { return nil }
      let layers = chain.compactMap { sections[$0]?.node }
      let inherited = chain.flatMap { unset[$0] ?? [] }
      let merged = layers.reversed().reduce(ProfileReader.ground(defaultsNode)) {
        Inheritance.merge($1, over: $0)
      }
      return build(name, from: merged, of: section, unset: inherited)
    }
  }

  /// Declares what a profile can say.
  func describe(_ section: ConfigSection) {
    _ = readOwn(section, profiles: [])
  }

  /// Declares what `defaults` can say, and reports what is wrong there.
  @discardableResult
  func readDefaults(_ section: ConfigSection) -> ConfigNode {
    let (_, issues) = context.gathering {
      _ = ProfileSettings(from: section, remotes: remotes, isPattern: isPattern)
      section.finish()
    }
    issues.filter { !$0.isUnsetVariable }.forEach(context.report)
    return section.node
  }

  private func checkName(_ name: String, of section: ConfigSection) {
    guard !ConfigType<String>.isName(name) else { return }
    section.report(
      "\(jsonString(name)) cannot name a profile: it must be \(ConfigType<String>.name.expectation)"
    )
  }

  private func readOwn(_ section: ConfigSection, profiles: [String]) -> String? {
    let type = profiles.isEmpty ? ConfigType<String>.name : .oneOf(profiles)
    let parent = section.value("extends", type, "the profile whose settings lie under this one's")
    _ = ProfileSettings(from: section, remotes: remotes, isPattern: isPattern)
    section.finish()
    return parent
  }

  /// What lies under every profile. The defaults' `transfer` lies deeper, under the remote's.
  private static func ground(_ defaults: ConfigNode?) -> ConfigNode {
    let location = defaults?.location ?? ConfigLocation(file: "")
    let require = ConfigNode.Entry(
      key: "require", location: location, value: ConfigNode(.mapping([]), at: location))
    let ground = ConfigNode(.mapping([require]), at: location)
    guard let defaults else { return ground }
    let kept = defaults.entries.filter { $0.key != "transfer" }
    return Inheritance.merge(ConfigNode(.mapping(kept), at: location), over: ground)
  }

  private func build(
    _ name: String, from merged: ConfigNode, of own: ConfigSection, unset inherited: [ConfigIssue]
  ) -> Item {
    let section = ConfigSection(merged, path: own.path, context: context, location: own.location)
    let (settings, issues) = context.gathering {
      ProfileSettings(from: section, remotes: remotes, isPattern: isPattern)
    }
    if own.isMapping, !section.contains("remote") {
      own.report("\(section.fullName("remote")) is missing: the name of a remote under remotes")
    }
    if own.isMapping, merged["directories"].map({ $0.content == .sequence([]) }) ?? true {
      own.report("\(section.fullName("directories")) is missing: the source directories")
    }
    let unset = inherited + issues.filter(\.isUnsetVariable)
    guard unset.isEmpty, let remote = settings.remote else {
      return (name, .failure(ConfigurationError(unset)), section.shownNode)
    }
    let profile = Profile(
      name: name, location: own.location, remote: remote, directories: settings.directories,
      exclude: settings.exclude, include: settings.include, delete: settings.delete,
      maxDelete: settings.maxDelete, symlinks: settings.symlinks, require: settings.require,
      transfer: settings.transfer)
    return (name, .success(profile), section.shownNode)
  }
}
