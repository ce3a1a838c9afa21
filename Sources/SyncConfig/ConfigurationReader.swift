import ConfigTree

/// A kind of backend as far as the configuration is concerned: the word after `backend:`, and the reader of the
/// keys that are its own. `backend`, `prefix` and `transfer` belong to every remote.
public struct RemoteKind<Backend: Sendable>: Sendable {
  public let name: String
  /// Reports what is wrong to the section; nil where something was.
  public let read: @Sendable (ConfigSection) -> Backend?

  public init(name: String, read: @escaping @Sendable (ConfigSection) -> Backend?) {
    self.name = name
    self.read = read
  }
}

/// Reads configurations for the kinds of backends that it is given, and describes what they may say.
public struct ConfigurationReader<Backend: Sendable>: Sendable {
  let kinds: [RemoteKind<Backend>]
  let environment: @Sendable (String) -> String?
  let currentDirectory: String
  let isPattern: @Sendable (String) -> Bool

  /// - Parameters:
  ///   - currentDirectory: absolute; where a relative path to a configuration begins.
  ///   - isPattern: whether a gitignore pattern could match anything, as whoever matches by it says.
  public init(
    kinds: [RemoteKind<Backend>], environment: @escaping @Sendable (String) -> String?,
    currentDirectory: String, isPattern: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    self.kinds = kinds
    self.environment = environment
    self.currentDirectory = currentDirectory
    self.isPattern = isPattern
  }

  /// - Throws: everything that is wrong with the file, at once.
  public func load(path: String) throws(ConfigurationError) -> Configuration<Backend> {
    let file = try ConfigurationFile.read(path)
    return try read(file.bytes, path: path, isReadableByOthers: file.isReadableByOthers)
  }

  /// The same from bytes; `path` names them in messages, and relative paths begin in its folder.
  public func read(
    _ bytes: [UInt8], path: String, isReadableByOthers: Bool = false
  ) throws(ConfigurationError) -> Configuration<Backend> {
    let node = try YAMLLoader.load(bytes, file: path)
    let context = ConfigContext(environment: environment, baseDirectory: baseDirectory(of: path))
    let root = RootSection(
      ConfigSection(node, path: "", context: context), kinds: kinds.map(\.name))
    let remotes = root.remotes.compactMap { readRemote($0, in: context) }
    let reader = ProfileReader(
      context: context, remotes: root.remotes.map(\.name), isPattern: isPattern)
    let profiles = reader.read(root.profiles, defaults: root.defaults)
    let (defaultTransfer, unset) = readDefaultTransfer(root.defaults, in: context)
    check(
      profiles.compactMap { try? $0.result.get() }, stateDirectory: root.stateDirectory, in: context
    )
    guard context.issues.isEmpty, let stateDirectory = root.stateDirectory else {
      throw ConfigurationError(context.issues)
    }
    return Configuration(
      path: path, stateDirectory: stateDirectory,
      warnings: isReadableByOthers ? warnings(context.literalSecrets, path: path) : [],
      remotes: remotes,
      profiles: profiles.map { profile in
        Configuration.Item(
          name: profile.name, result: profile.result.adding(unset), shown: profile.shown)
      },
      defaultTransfer: defaultTransfer)
  }

  private func baseDirectory(of path: String) -> String {
    let absolute = path.utf8.first == UInt8(ascii: "/") ? path : "\(currentDirectory)/\(path)"
    return tidyPath("\(absolute)/..")
  }

  /// The defaults' own block is checked with the rest of `defaults`; here only its values are wanted.
  private func readDefaultTransfer(
    _ defaults: ConfigSection?, in context: ConfigContext
  ) -> (TransferOverrides, unset: [ConfigIssue]) {
    guard let node = defaults?.node["transfer"] else { return (TransferOverrides(), []) }
    let (transfer, issues) = context.gathering {
      TransferOverrides(from: ConfigSection(node, path: "defaults.transfer", context: context))
    }
    return (transfer, issues.filter(\.isUnsetVariable))
  }

  private func check(_ profiles: [Profile], stateDirectory: String?, in context: ConfigContext) {
    for (_, profiles) in Dictionary(grouping: profiles, by: \.remote) {
      Directory.overlaps(among: profiles.flatMap(\.directories)).forEach(context.report)
    }
    guard let stateDirectory else { return }
    profiles.flatMap(\.directories)
      .compactMap { $0.conflict(withStateDirectory: stateDirectory) }
      .forEach(context.report)
  }

  private func warnings(_ secrets: [ConfigLocation], path: String) -> [String] {
    guard let first = secrets.min() else { return [] }
    return [
      "\(first): the file holds a secret and can be read by others; run chmod 600 on it, or write ${NAME} and keep "
        + "the secret in the environment"
    ]
  }
}

extension Result where Failure == ConfigurationError {
  fileprivate func adding(_ issues: [ConfigIssue]) -> Self {
    guard !issues.isEmpty else { return self }
    switch self {
    case .success: return .failure(ConfigurationError(issues))
    case .failure(let error): return .failure(ConfigurationError(error.issues + issues))
    }
  }
}
