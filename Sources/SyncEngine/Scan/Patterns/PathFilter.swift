/// The patterns of configuration and command line, in gitignore syntax, relative to the source.
///
/// Excludes rank below every `.syncignore`, as git's `core.excludesFile` does below `.gitignore`: a `.syncignore` can
/// take back what they exclude. With includes, only files are mirrored that match one or lie below a directory that
/// does; they never bring back what is excluded.
public struct PathFilter: Sendable, Hashable {
  let exclude: IgnoreList
  let include: IgnoreList

  /// Lets everything through.
  public init() {
    exclude = .empty
    include = .empty
  }

  /// - Throws: `PatternError` for a pattern that could never match anything. In a `.syncignore` such lines are passed
  ///   over, as git does; in a configuration they are mistakes.
  public init(exclude: [String], include: [String]) throws(PatternError) {
    self.exclude = try PathFilter.list(exclude)
    self.include = try PathFilter.list(include)
  }

  private static func list(_ texts: [String]) throws(PatternError) -> IgnoreList {
    var patterns: [IgnorePattern] = []
    for text in texts {
      guard !text.utf8.contains(0), !text.utf8.contains(UInt8(ascii: "\n")) else {
        throw PatternError(text, "a pattern is one line without zero bytes")
      }
      do throws(IgnorePattern.Dud) {
        patterns.append(try IgnorePattern(line: Array(text.utf8)))
      } catch {
        throw PatternError(text, error.advice)
      }
    }
    return IgnoreList(patterns)
  }
}

/// A pattern that can't be meant.
public struct PatternError: Error, Sendable, Hashable, CustomStringConvertible {
  public var pattern: String
  /// What is wrong with it, and what would be right.
  public var reason: String

  public init(_ pattern: String, _ reason: String) {
    self.pattern = pattern
    self.reason = reason
  }

  public var description: String { "the pattern '\(pattern)' matches nothing: \(reason)" }
}

extension IgnorePattern.Dud {
  fileprivate var advice: String {
    switch self {
    case .blank: "it is blank; write '\\ ' for a space that counts"
    case .comment: "it begins with '#' and is a comment; write '\\#' for a name that begins so"
    case .neverMatches:
      "a '[' is not closed, a backslash has nothing after it, or nothing but slashes is there; write '\\[' or '\\\\' "
        + "for the characters themselves"
    }
  }
}
