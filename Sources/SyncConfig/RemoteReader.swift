import ConfigTree

extension ConfigurationReader {
  /// - Returns: nil where the remote was reported as wrong.
  func readRemote(
    _ remote: (name: String, section: ConfigSection), in context: ConfigContext
  ) -> Configuration<Backend>.Item<Remote<Backend>>? {
    let (name, section) = remote
    let (read, issues) = context.gathering { readRemote(name, section) }
    let unset = issues.filter(\.isUnsetVariable)
    issues.filter { !$0.isUnsetVariable }.forEach(context.report)
    if !unset.isEmpty {
      return .init(
        name: name, result: .failure(ConfigurationError(unset)), shown: section.shownNode)
    }
    guard let read else {
      if issues.isEmpty, section.isMapping {
        section.report("\(section.path) cannot be used, and its backend does not say why")
      }
      return nil
    }
    return .init(name: name, result: .success(read), shown: section.shownNode)
  }

  private func readRemote(_ name: String, _ section: ConfigSection) -> Remote<Backend>? {
    if !ConfigType<String>.isName(name) {
      let expectation = ConfigType<String>.name.expectation
      section.report("\(jsonString(name)) cannot name a remote: it must be \(expectation)")
    }
    let word = section.required("backend", kindType, "the kind of store it is")
    let common = CommonSettings(from: section)
    // Without its kind nobody can tell which of its keys are known.
    guard let kind = kinds.first(where: { $0.name == word }) else {
      guard let word else { return nil }
      section.report(
        "\(section.fullName("backend")): \(word) is not supported by this version, only \(kindNames)",
        at: "backend", kind: .unsupported)
      return nil
    }
    let backend = kind.read(section)
    section.finish()
    return backend.map {
      Remote(
        name: name, location: section.location, kind: kind.name, prefix: common.prefix,
        transfer: common.transfer, backend: $0)
    }
  }

  private var kindNames: String { kinds.map(\.name).joined(separator: ", ") }

  /// The kinds that there are; those of the contract that this version lacks are told apart from typing errors.
  private var kindType: ConfigType<String> {
    let known = ConfigType<String>.oneOf(kinds.map(\.name))
    var type = ConfigType<String>(known.expectation, schema: known.schema) { text, context in
      ["oss", "chunked-post"].contains(text) ? text : known.parse(text, context)
    }
    type.names = known.names
    return type
  }

  /// Declares the keys of one kind of remote.
  func describe(_ kind: RemoteKind<Backend>, in section: ConfigSection) {
    var word = ConfigType<String>.oneOf([kind.name])
    word.schema = ["const": jsonString(kind.name)]
    _ = section.required("backend", word, "the kind of store it is")
    _ = CommonSettings(from: section)
    _ = kind.read(section)
  }
}

/// What every remote can say.
private struct CommonSettings {
  let prefix: String
  let transfer: TransferOverrides

  init(from section: ConfigSection) {
    prefix = section.value("prefix", .keyPrefix, "put before every key", default: "")
    transfer =
      section.section("transfer", "how to transfer").map(TransferOverrides.init)
      ?? TransferOverrides()
  }
}
