import Local
import S3
import SyncBackend
import SyncConfig

/// A backend plugin: the type that reads its configuration and makes its connections.
public typealias BackendPlugin = any BackendConfiguration.Type

/// The plugins that are built in, by name. A new one is a line here.
public enum Backends {
  public static let builtIn: [BackendPlugin] = [
    S3Configuration.self,
    LocalConfiguration.self,
  ]

  /// How the configuration's reader knows them.
  static func kinds(_ plugins: [BackendPlugin]) -> [RemoteKind<any BackendConfiguration>] {
    plugins.map { plugin in
      RemoteKind(name: plugin.kind) { section in plugin.init(from: section) }
    }
  }
}
