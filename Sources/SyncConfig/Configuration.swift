import ConfigTree

/// A remote as every kind of backend has it, and its kind's own configuration.
public struct Remote<Backend: Sendable>: Sendable {
  public let name: String
  public let location: ConfigLocation
  /// The word after `backend:`.
  public let kind: String
  /// Put before every key; empty, or ends in `/`.
  public let prefix: String
  public let transfer: TransferOverrides
  public let backend: Backend
}

/// A configuration that was checked as a whole. Only environment variables may still be missing: they are asked for
/// when the remote or the profile that needs them is.
public struct Configuration<Backend: Sendable>: Sendable {
  /// A remote or a profile with how it may be shown; a failure holds its unset variables and nothing else.
  struct Item<Value: Sendable>: Sendable {
    var name: String
    var result: Result<Value, ConfigurationError>
    var shown: ConfigNode
  }

  /// The file, as it was named to the reader.
  public let path: String
  /// Absolute.
  public let stateDirectory: String
  /// What is allowed, but hardly meant.
  public let warnings: [String]

  let remotes: [Item<Remote<Backend>>]
  let profiles: [Item<Profile>]
  let defaultTransfer: TransferOverrides

  /// In the order of the file.
  public var remoteNames: [String] { remotes.map(\.name) }
  /// In the order of the file.
  public var profileNames: [String] { profiles.map(\.name) }

  /// - Throws: where there is no such remote, or a variable that it needs is not set.
  public func remote(named name: String) throws(ConfigurationError) -> Remote<Backend> {
    try item(name, in: remotes, "remote").result.get()
  }

  /// - Throws: where there is no such profile, or a variable that it needs is not set. Its remote is not looked at:
  ///   `--remote` may name another.
  public func profile(named name: String) throws(ConfigurationError) -> Profile {
    try item(name, in: profiles, "profile").result.get()
  }

  /// The settings in effect: the options over the profile's over the remote's over the defaults'.
  public func transfer(
    for profile: Profile, remote: Remote<Backend>, options: TransferOverrides = TransferOverrides()
  ) -> TransferSettings {
    options.over(profile.transfer).over(remote.transfer).over(defaultTransfer).settings
  }

  func item<Value>(
    _ name: String, in items: [Item<Value>], _ what: String
  ) throws(ConfigurationError) -> Item<Value> {
    if let item = items.first(where: { $0.name == name }) { return item }
    let names = items.map(\.name)
    let hint =
      nearestName(to: name, among: names).map { "; did you mean \($0)?" }
      ?? "; there are \(names.joined(separator: ", "))"
    throw ConfigurationError([
      ConfigIssue(
        .unknownName, at: ConfigLocation(file: path), "there is no \(what) \(jsonString(name))\(hint)")
    ])
  }
}
