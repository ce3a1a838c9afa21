/// One line of gitignore syntax.
struct IgnorePattern: Sendable, Hashable {
  /// `!`: takes back what earlier patterns excluded.
  let isNegated: Bool
  /// A slash at the end: only directories match.
  let wantsDirectory: Bool
  /// No slash elsewhere: matches the name, at any depth.
  let matchesName: Bool
  /// What a path has to begin with, and how it goes on. Git cuts the plain beginning off before it looks at
  /// wildcards, so that in `a**/b` the stars stand at the start and span directories.
  private let literal: [UInt8]
  private let rest: Glob

  /// A line that is no pattern, or one that can never match.
  enum Dud: Error, Sendable, Hashable {
    case blank
    case comment
    case neverMatches
  }

  init(line: [UInt8]) throws(Dud) {
    if line.first == UInt8(ascii: "#") { throw .comment }
    var text = IgnorePattern.withoutTrailingSpaces(line)[...]
    if text.isEmpty { throw .blank }
    isNegated = text.first == UInt8(ascii: "!")
    if isNegated { text = text.dropFirst() }
    wantsDirectory = text.last == UInt8(ascii: "/")
    if wantsDirectory { text = text.dropLast() }
    matchesName = !text.contains(UInt8(ascii: "/"))
    if text.first == UInt8(ascii: "/") { text = text.dropFirst() }
    let literal = text.prefix { !"*?[\\".utf8.contains($0) }
    guard !text.isEmpty, let rest = Glob(text.dropFirst(literal.count)) else { throw .neverMatches }
    self.literal = Array(literal)
    self.rest = rest
  }

  /// Spaces at the end go, unless a backslash keeps them.
  private static func withoutTrailingSpaces(_ line: [UInt8]) -> [UInt8] {
    var end = 0, index = 0
    while index < line.count {
      if line[index] == UInt8(ascii: "\\") {
        // A lone backslash at the end keeps what is before it.
        if index + 1 >= line.count { return line }
        index += 1
        end = index + 1
      } else if line[index] != UInt8(ascii: " ") {
        end = index + 1
      }
      index += 1
    }
    return Array(line[..<end])
  }

  /// - Parameters:
  ///   - path: relative to where the pattern was found.
  ///   - name: its last component.
  func matches(
    _ path: UnsafeBufferPointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>, isDirectory: Bool
  ) -> Bool {
    if wantsDirectory, !isDirectory { return false }
    let text = matchesName ? name : path
    guard text.count >= literal.count, text.starts(with: literal) else { return false }
    return rest.matches(UnsafeBufferPointer(rebasing: text[literal.count...]))
  }

  /// Whether something below `folder` (relative, without the last slash) could match: the plain beginning of the
  /// pattern does not lead elsewhere.
  func mayMatch(below folder: UnsafeBufferPointer<UInt8>) -> Bool {
    if matchesName { return true }
    let common = min(folder.count, literal.count)
    return folder.prefix(common).elementsEqual(literal.prefix(common))
  }
}
