import Foundation
import SyncBackend
import SyncConfig

/// Where a directory's files go: what two mappings must not share.
private struct Mapping {
  var target: Target
  var directory: Directory

  init(_ directory: Directory, to remote: Remote<any BackendConfiguration>) {
    target = remote.backend.target
    self.directory = directory
    self.directory.prefix = remote.prefix + directory.prefix
  }
}

extension Configuration where Backend == any BackendConfiguration {
  /// Checks what only the remotes' targets tell: that mappings of different remotes don't meet in one bucket, and that
  /// no source holds the place that it is mirrored to. Remotes whose environment variables are not set are passed
  /// over; they can't be used either.
  ///
  /// - Parameter chosen: a profile that goes to another remote than its own in this run.
  func checkMappings(
    _ chosen: (profile: Profile, remote: Remote<any BackendConfiguration>)? = nil
  ) throws(ConfigurationError) {
    var mappings: [Mapping] = []
    for name in profileNames {
      guard let profile = try? profile(named: name), let remote = try? remote(named: profile.remote) else {
        continue
      }
      mappings += profile.directories.map { Mapping($0, to: remote) }
    }
    if let chosen { mappings += chosen.profile.directories.map { Mapping($0, to: chosen.remote) } }
    let overlaps = Dictionary(grouping: mappings, by: \.target).values
      .flatMap { Directory.overlaps(among: $0.map(\.directory)) }
    let issues = overlaps + mappings.compactMap(placeIssue) + mappings.compactMap(stateIssue)
    if !issues.isEmpty { throw ConfigurationError(issues) }
  }

  /// A bucket inside its own source would be mirrored into itself.
  private func placeIssue(_ mapping: Mapping) -> ConfigIssue? {
    guard let place = mapping.target.localDirectory else { return nil }
    return overlap(of: mapping.directory, with: place, "the bucket it is mirrored to")
  }

  /// The reader has compared the paths as they are written; here links are followed.
  private func stateIssue(_ mapping: Mapping) -> ConfigIssue? {
    overlap(of: mapping.directory, with: stateDirectory, "the state directory")
  }

  private func overlap(of directory: Directory, with place: String, _ name: String) -> ConfigIssue? {
    let (source, place) = (resolved(directory.path), resolved(place))
    guard isPath(place, within: source) || isPath(source, within: place) else { return nil }
    return ConfigIssue(
      at: directory.location, "the source directory \(source) and \(name), \(place), lie within each other")
  }

  private func resolved(_ path: String) -> String {
    tidyPath(URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
  }
}
