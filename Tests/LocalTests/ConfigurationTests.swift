import SyncBackend
import Testing

@testable import Local

@Suite("`backend: local` is configured by its path")
struct ConfigurationTests {
  private let location = ConfigLocation(file: "config.yaml", line: 1, column: 1)

  private func read(_ entries: [String: String]) -> (LocalConfiguration?, [ConfigIssue]) {
    let context = ConfigContext(environment: { _ in nil }, baseDirectory: "/etc/sync")
    let mapping = entries.map {
      ConfigNode.Entry(key: $0.key, location: location, value: ConfigNode(.scalar($0.value), at: location))
    }
    let section = ConfigSection(
      ConfigNode(.mapping(mapping), at: location), path: "remotes.nas", context: context)
    return (LocalConfiguration(from: section), context.issues)
  }

  @Test("one place is one target, however its path is written")
  func target() {
    for path in ["/etc/sync/mirror", "mirror", "/etc/sync/mirror/", "./mirror"] {
      let (configuration, issues) = read(["path": path])
      #expect(issues.isEmpty)
      let place = "/etc/sync/mirror"
      #expect(
        configuration?.target == Target(kind: "local", endpoint: place, bucket: "", localDirectory: place))
    }
  }

  @Test("a path that is missing and a key that is unknown are both reported")
  func wrong() {
    let (configuration, issues) = read(["pat": "/mnt"])
    #expect(configuration == nil)
    #expect(issues.contains { $0.message.contains("remotes.nas.path is missing") })
    #expect(issues.contains { $0.message.contains("did you mean path?") })
  }
}
