import ConfigTree

/// The top of the file: what it holds, not yet what is in it.
struct RootSection {
  let stateDirectory: String?
  let remotes: [(name: String, section: ConfigSection)]
  let defaults: ConfigSection?
  let profiles: [(name: String, section: ConfigSection)]

  init(_ root: ConfigSection, kinds: [String]) {
    _ = root.required(
      "version", .version, "the version of the configuration's language, which is 1")
    stateDirectory = RootSection.stateDirectory(in: root)
    remotes = root.named(
      "remotes", "the places to mirror to, by names of your choosing", isRequired: true,
      alternatives: kinds)
    defaults = root.section("defaults", "settings that lie under every profile's")
    profiles = root.named(
      "profiles", "what to mirror, by names of your choosing", isRequired: true)
    root.unsupported("plugins_path", "where programs named sync-backend-KIND are looked for")
    root.finish()
  }

  /// The XDG base directory specification's place where the file names none; relative values of its variables do
  /// not count there.
  private static func stateDirectory(in root: ConfigSection) -> String? {
    let configured = root.value("state_dir", .path, "where manifests and upload state are kept")
    guard !root.contains("state_dir"), !root.context.isDescribing else { return configured }
    func folder(_ variable: String) -> String? {
      root.context.environment(variable).flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
    }
    if let state = folder("XDG_STATE_HOME") { return tidyPath("\(state)/sync") }
    if let home = folder("HOME") { return tidyPath("\(home)/.local/state/sync") }
    root.report("state_dir is missing, and neither XDG_STATE_HOME nor HOME says where it would be")
    return nil
  }
}

extension ConfigType where Value == String {
  fileprivate static var version: Self {
    ConfigType("1, the only version that this program reads", schema: ["enum": "[1, \"1\"]"]) {
      text, _ in
      text == "1" ? text : nil
    }
  }
}
