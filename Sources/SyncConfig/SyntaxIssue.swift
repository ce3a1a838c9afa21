import ConfigTree
import Yams

/// libyaml's complaint as an issue with its place, and with what is usually meant where that can be told.
func syntaxIssue(_ error: YamlError, in source: SourceText) -> ConfigIssue {
  switch error {
  case .scanner(let context, let problem, let mark, _),
    .parser(let context, let problem, let mark, _),
    .composer(let context, let problem, let mark, _):
    let location = source.location(line: mark.line, scalarColumn: mark.column)
    if problem == "but found another document" {
      return ConfigIssue(
        at: location, "a configuration is one YAML document; a second one begins here")
    }
    if problem.hasPrefix("Maximum nesting level") {
      return ConfigIssue(at: location, "not YAML: nested too deeply")
    }
    let text = ([context.map { described($0, in: source) }, problem].compactMap(\.self)).joined(
      separator: ", ")
    return ConfigIssue(
      at: location, "not YAML: \(text)\(hint(problem, context?.text, at: mark, in: source))")
  case .reader(let problem, let offset, let value, _):
    let location = offset.map { source.location(offset: bytes(before: $0, in: source.text)) }
    let found = value >= 0 ? " (U+\(String(value, radix: 16, uppercase: true)))" : ""
    return ConfigIssue(
      at: location ?? ConfigLocation(file: source.file), "not YAML: \(problem)\(found)")
  case .duplicatedKeysInMapping(let duplicates, let context):
    let names = duplicates.map { "\"\($0)\"" }.joined(separator: ", ")
    let location = source.location(line: context.mark.line, scalarColumn: context.mark.column)
    return ConfigIssue(at: location, "the same key stands in this mapping more than once: \(names)")
  default:
    return ConfigIssue(at: ConfigLocation(file: source.file), "not YAML: \(error)")
  }
}

private func described(_ context: YamlError.Context, in source: SourceText) -> String {
  let place = source.location(line: context.mark.line, scalarColumn: context.mark.column)
  return "\(context.text) that begins at \(place.line):\(place.column)"
}

/// Yams counts a reader's offset in characters.
private func bytes(before characters: Int, in text: String) -> Int {
  text.prefix(characters).utf8.count
}

private func hint(_ problem: String, _ context: String?, at mark: Mark, in source: SourceText) -> String {
  func quotes(around text: String) -> String { "; put quotes around text that \(text)" }
  switch (problem, context) {
  case ("found undefined alias", _), (_, "while scanning an alias"):
    return quotes(around: "begins with \"*\"")
  case (_, "while scanning an anchor"): return quotes(around: "begins with \"&\"")
  case ("mapping values are not allowed in this context", _):
    return "; is the indentation right?" + quotes(around: "holds \": \"").dropFirst()
  default: break
  }
  switch source.scalar(line: mark.line, scalarColumn: mark.column) {
  case "{" where problem.hasPrefix("did not find expected ','"):
    return quotes(around: "holds ${NAME} between braces or brackets")
  case "\t": return "; indent with spaces, not with tabs"
  case "@", "`",
    "%" where problem == "found character that cannot start any token":
    return quotes(around: "begins with a special character")
  default: return ""
  }
}
