import Foundation
import SyncConfig
import Testing

@Suite("The example and the starter")
struct ExampleTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func example() throws -> String {
    try String(contentsOf: root.appendingPathComponent("config.yaml.example"), encoding: .utf8)
  }

  @Test("the example loads")
  func exampleLoads() throws {
    let configuration = try load(Self.example())
    #expect(configuration.profileNames == ["photos", "nightly", "projects"])
    #expect(configuration.remoteNames == ["aws", "minio", "nas"])
    let nightly = try configuration.profile(named: "nightly")
    #expect(nightly.exclude == [".DS_Store", "*.tmp", "cache/", "*.bak", "!cache/"])
    #expect(nightly.directories.map(\.path) == ["/home/u/Pictures", "/home/u/Videos"])
    #expect(nightly.delete)
    #expect(nightly.maxDelete == .count(1000))
    #expect(nightly.require.sentinel == ".mirror-me")
  }

  @Test("every setting that the example has commented out loads too")
  func commentedSettingsLoad() throws {
    let uncommented = try Self.example().split(separator: "\n", omittingEmptySubsequences: false)
      .map { uncomment(String($0)) }
    #expect(issues(uncommented.joined(separator: "\n")) == [])
    #expect(uncommented.contains { $0.hasPrefix("      session_token: ") })
    #expect(uncommented.contains { $0.hasPrefix("    symlinks: skip") })
    #expect(uncommented.contains { $0.hasPrefix("      verify: true") })
  }

  @Test("the starter loads, and so do its commented settings")
  func starterLoads() {
    #expect(issues(starterConfiguration) == [])
    let uncommented = starterConfiguration.split(separator: "\n", omittingEmptySubsequences: false)
      .map { uncomment(String($0)) }
    #expect(issues(uncommented.joined(separator: "\n")) == [])
    #expect(uncommented.contains("    bucket: my-mirror"))
  }

  /// `    # delete: false` becomes `    delete: false`; prose stays a comment.
  private func uncomment(_ line: String) -> String {
    guard let match = line.wholeMatch(of: #/( *)# ( *)([a-z_0-9]+:.*)/#), !match.3.contains("…"),
      !match.3.hasPrefix("sync ")
    else { return line }
    let isSetting = match.3.wholeMatch(of: #/[a-z_0-9]+:( [^ ]+)?( +#.*)?/#) != nil
    return isSetting ? "\(match.1)\(match.2)\(match.3)" : line
  }
}
