import ConfigTree

extension Directory {
  /// Same path and same prefix, by bytes.
  func isSameMapping(as other: Directory) -> Bool {
    path.utf8.elementsEqual(other.path.utf8) && prefix.utf8.elementsEqual(other.prefix.utf8)
  }

  /// The mappings of one target that overlap without being equal. Two sources under one prefix would overwrite and
  /// delete each other's objects, and so would nested prefixes; nested sources would send a file twice.
  ///
  /// `prefix` must be the whole prefix of the keys: where remotes that share a target are compared, the remote's
  /// prefix belongs before the directory's.
  /// - Returns: at most one issue for each directory, at the one that stands later, naming the earlier one's place.
  public static func overlaps(among directories: [Directory]) -> [ConfigIssue] {
    let ordered = directories.sorted { $0.location < $1.location }
    return ordered.indices.compactMap { index in
      let later = ordered[index]
      for earlier in ordered[..<index] {
        guard let problem = later.overlap(with: earlier) else { continue }
        let place = earlier.location
        let elsewhere =
          place.file == later.location.file ? "\(place.line):\(place.column)" : "\(place)"
        return ConfigIssue(
          at: later.location,
          "\(problem) (\(elsewhere)); mappings of one target must be equal or apart")
      }
      return nil
    }
  }

  private func overlap(with other: Directory) -> String? {
    guard !isSameMapping(as: other) else { return nil }
    let samePrefix = prefix.utf8.elementsEqual(other.prefix.utf8)
    if samePrefix {
      return "\(shown(path)) and \(shown(other.path)) have the same prefix \(shown(prefix))"
    }
    if prefix.utf8.starts(with: other.prefix.utf8) {
      return
        "the prefix \(shown(prefix)) lies within the prefix \(shown(other.prefix)) of \(shown(other.path))"
    }
    if other.prefix.utf8.starts(with: prefix.utf8) {
      return
        "the prefix \(shown(prefix)) holds the prefix \(shown(other.prefix)) of \(shown(other.path))"
    }
    if path.utf8.elementsEqual(other.path.utf8) {
      return "\(shown(path)) is already mirrored to the prefix \(shown(other.prefix))"
    }
    if isPath(path, within: other.path) {
      return "\(shown(path)) lies within the source directory \(shown(other.path))"
    }
    if isPath(other.path, within: path) {
      return "\(shown(path)) holds the source directory \(shown(other.path))"
    }
    return nil
  }

  /// The state directory changes while it is mirrored, and what it records would be about itself.
  func conflict(withStateDirectory state: String) -> ConfigIssue? {
    let problem: String
    if isPath(state, within: path) {
      problem = "holds the state directory"
    } else if isPath(path, within: state) {
      problem = "lies within the state directory"
    } else {
      return nil
    }
    return ConfigIssue(
      at: location,
      "the source directory \(shown(path)) \(problem) \(shown(state)); move it with state_dir")
  }

  private func shown(_ text: String) -> String { jsonString(text) }
}
