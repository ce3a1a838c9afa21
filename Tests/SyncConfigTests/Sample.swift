/// Configurations to begin with; a test appends what it is about.
enum Sample {
  /// Ends inside `profiles`, after profile `p`.
  static let minimal = """
    version: 1
    remotes:
      disk:
        backend: local
        path: /mnt/disk
    profiles:
      p:
        remote: disk
        directories:
          - path: /data
            prefix: data/

    """

  /// `minimal` with more settings for profile `p`; they begin in line 12, column 5.
  static func profile(_ settings: String) -> String {
    minimal.trimmed + "\n" + settings.split(separator: "\n").map { "    \($0)\n" }.joined()
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.last == "\n" { text = text.dropLast() }
    return String(text)
  }
}
