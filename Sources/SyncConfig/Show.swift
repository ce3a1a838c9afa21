import ConfigTree

extension Configuration {
  /// One profile with its remote as YAML that loads again: everything inherited merged in, defaults filled in, paths
  /// resolved, secrets `****`.
  /// - Parameter remote: in place of the profile's own.
  /// - Throws: as `profile(named:)` and `remote(named:)` do.
  public func show(profile name: String, remote other: String? = nil) throws(ConfigurationError)
    -> String
  {
    let profile = try profile(named: name)
    let remote = try remote(named: other ?? profile.remote)
    let shownProfile = try item(name, in: profiles, "profile").shown
    let shownRemote = try item(remote.name, in: remotes, "remote").shown
    let settings = transfer(for: profile, remote: remote)
    let ownEntries = shownProfile.entries.filter { $0.key != "transfer" && $0.key != "remote" }
    return YAMLText.text(
      .mapping([
        ("version", .scalar("1")),
        ("state_dir", .scalar(stateDirectory)),
        ("remotes", .mapping([(remote.name, YAMLText(shownRemote, without: "transfer"))])),
        (
          "profiles",
          .mapping([
            (
              name,
              .mapping(
                [("remote", .scalar(remote.name))] + ownEntries.map { ($0.key, YAMLText($0.value)) }
                  + [("transfer", settings.shown)])
            )
          ])
        ),
      ]))
  }
}

extension TransferSettings {
  fileprivate var shown: YAMLText {
    .mapping([
      ("part_size", .scalar(partSize.map(sizeText) ?? "auto")),
      ("multipart_threshold", .scalar(multipartThreshold.map(sizeText) ?? "auto")),
      ("concurrency", .scalar(concurrency.map(\.description) ?? "auto")),
      ("retries", .scalar(retries.map(\.description) ?? "auto")),
      ("whole_md5", .scalar(wholeMD5.description)),
    ])
  }
}

/// YAML to be written in block style.
indirect enum YAMLText {
  case scalar(String)
  case list([YAMLText])
  case mapping([(String, YAMLText)])

  init(_ node: ConfigNode, without key: String? = nil) {
    switch node.content {
    case .empty: self = .scalar("")
    case .scalar(let text): self = .scalar(text)
    case .sequence(let items): self = .list(items.map { YAMLText($0) })
    case .mapping(let entries):
      self = .mapping(entries.filter { $0.key != key }.map { ($0.key, YAMLText($0.value)) })
    }
  }

  static func text(_ document: YAMLText) -> String {
    document.lines.joined(separator: "\n") + "\n"
  }

  private var lines: [String] {
    switch self {
    case .scalar(let text): return [YAMLText.scalarText(text)]
    case .list(let items):
      return items.flatMap { item in
        item.lines.enumerated().map { ($0 == 0 ? "- " : "  ") + $1 }
      }
    case .mapping(let members):
      return members.flatMap { key, value -> [String] in
        let key = YAMLText.scalarText(key)
        switch value {
        case .scalar(let text): return ["\(key): \(YAMLText.scalarText(text))"]
        case .list(let items) where items.isEmpty: return ["\(key): []"]
        case .mapping(let members) where members.isEmpty: return ["\(key): {}"]
        default: return ["\(key):"] + value.lines.map { "  " + $0 }
        }
      }
    }
  }

  /// Plain where no YAML reader could see anything but text, a number or a boolean in it; `${` stays literal.
  private static func scalarText(_ text: String) -> String {
    let literal = text.split(separator: "${", omittingEmptySubsequences: false).joined(
      separator: "$${")
    let bytes = Array(literal.utf8)
    let isPlain = bytes.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._%-:".utf8.contains(byte)
    }
    let begins = bytes.first.map { !"%-:.".utf8.contains($0) } ?? false
    return isPlain && begins && bytes.last != UInt8(ascii: ":") ? literal : jsonString(literal)
  }
}
