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
    let word = section.required("backend", .oneOf(kinds.map(\.name)), "the kind of store it is")
    let common = CommonSettings(from: section)
    // Without its kind nobody can tell which of its keys are known.
    guard let kind = kinds.first(where: { $0.name == word }) else { return nil }
    let backend = kind.read(section)
    section.finish()
    return backend.map {
      Remote(
        name: name, location: section.location, kind: kind.name, prefix: common.prefix,
        transfer: common.transfer, backend: $0)
    }
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
