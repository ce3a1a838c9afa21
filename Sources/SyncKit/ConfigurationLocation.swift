import Glibc

/// Where the configuration is looked for.
public enum ConfigurationLocation {
  /// In order: what was asked for, `$SYNC_CONFIG`, `./config.yaml`, `$XDG_CONFIG_HOME/sync/config.yaml`
  /// (`~/.config` where that is not set).
  ///
  /// - Returns: nil where nothing was asked for and none of the usual files exists.
  public static func find(_ asked: String?, environment: (String) -> String?) -> String? {
    if let asked { return asked }
    if let named = environment("SYNC_CONFIG"), !named.isEmpty { return named }
    return usual(environment).first { access($0, F_OK) == 0 }
  }

  /// The files that are looked for when none is named.
  public static func usual(_ environment: (String) -> String?) -> [String] {
    let home = environment("HOME").map { $0 + "/.config" }
    let base = environment("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
    return ["config.yaml"] + (base.map { [$0 + "/sync/config.yaml"] } ?? [])
  }
}
