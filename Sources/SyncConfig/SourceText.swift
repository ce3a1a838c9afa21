import ConfigTree

/// A file's text by lines, to say where something stands. libyaml counts Unicode scalars, people count characters.
struct SourceText {
  let file: String
  let text: String
  private let lines: [String.UnicodeScalarView.SubSequence]

  init(_ text: String, file: String) {
    self.file = file
    self.text = text
    lines = SourceText.split(text.unicodeScalars)
  }

  /// - Parameters: both count from 1; the column in Unicode scalars.
  func location(line: Int, scalarColumn: Int) -> ConfigLocation {
    guard (1...lines.count).contains(line) else { return end }
    let before = lines[line - 1].prefix(max(0, scalarColumn - 1))
    return ConfigLocation(file: file, line: line, column: String(before).count + 1)
  }

  /// - Parameter offset: in bytes of UTF-8.
  func location(offset: Int) -> ConfigLocation {
    let index =
      text.utf8.index(text.startIndex, offsetBy: offset, limitedBy: text.endIndex) ?? text.endIndex
    let line = lines.lastIndex { $0.startIndex <= index } ?? 0
    let before = text.unicodeScalars[lines[line].startIndex..<max(lines[line].startIndex, index)]
    return ConfigLocation(file: file, line: line + 1, column: String(before).count + 1)
  }

  /// The scalar that stands there; nil past the end of a line.
  func scalar(line: Int, scalarColumn: Int) -> Unicode.Scalar? {
    guard (1...lines.count).contains(line) else { return nil }
    return lines[line - 1].dropFirst(scalarColumn - 1).first
  }

  private var end: ConfigLocation { location(offset: text.utf8.count) }

  /// At the line breaks of YAML 1.1, section 4.1.4, which libyaml counts by: CR LF, CR, LF, NEL, LS and PS.
  private static func split(_ text: String.UnicodeScalarView) -> [String.UnicodeScalarView
    .SubSequence]
  {
    var lines: [String.UnicodeScalarView.SubSequence] = []
    var start = text.startIndex
    var index = start
    while index < text.endIndex {
      let scalar = text[index]
      let next = text.index(after: index)
      switch scalar {
      case "\r", "\n", "\u{85}", "\u{2028}", "\u{2029}":
        lines.append(text[start..<index])
        let isPair = scalar == "\r" && next < text.endIndex && text[next] == "\n"
        start = isPair ? text.index(after: next) : next
        index = start
      default: index = next
      }
    }
    lines.append(text[start...])
    return lines
  }
}
