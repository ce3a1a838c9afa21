/// Patterns from one place; the last that matches decides.
struct IgnoreList: Sendable, Hashable {
  private let patterns: [IgnorePattern]

  static let empty = IgnoreList([])

  init(_ patterns: [IgnorePattern]) {
    self.patterns = patterns
  }

  /// The lines of a `.syncignore`, read as git reads a `.gitignore`: a byte order mark and the `\r` of DOS lines do
  /// not count, and lines that can never match are passed over.
  init(file: [UInt8]) {
    var text = file[...]
    if text.starts(with: [0xef, 0xbb, 0xbf]) { text = text.dropFirst(3) }
    self.init(
      text.split(separator: UInt8(ascii: "\n")).compactMap { line in
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        // Git's lines are C strings.
        return try? IgnorePattern(line: Array(line.prefix { $0 != 0 }))
      })
  }

  var isEmpty: Bool { patterns.isEmpty }

  /// Whether the last pattern that matches takes `path` in (true), or takes it back (false); nil where none matches.
  func decision(
    _ path: UnsafeBufferPointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>, isDirectory: Bool
  ) -> Bool? {
    patterns.last { $0.matches(path, name, isDirectory: isDirectory) }.map { !$0.isNegated }
  }

  func mayMatch(below folder: UnsafeBufferPointer<UInt8>) -> Bool {
    patterns.contains { !$0.isNegated && $0.mayMatch(below: folder) }
  }
}
