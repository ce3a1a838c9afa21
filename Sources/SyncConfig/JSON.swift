import ConfigTree

/// JSON to be written: members keep their order, which dictionaries would not.
indirect enum JSON {
  case string(String)
  case array([JSON])
  case object([(String, JSON)])
  /// JSON text as it stands.
  case raw(String)

  /// Indented by two blanks a level.
  func text(indent: String = "") -> String {
    let inner = indent + "  "
    switch self {
    case .string(let text): return jsonString(text)
    case .raw(let text): return text
    case .array(let items) where items.isEmpty: return "[]"
    case .array(let items):
      return "[\n" + items.map { inner + $0.text(indent: inner) }.joined(separator: ",\n")
        + "\n\(indent)]"
    case .object(let members) where members.isEmpty: return "{}"
    case .object(let members):
      let lines = members.map { "\(inner)\(jsonString($0)): \($1.text(indent: inner))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    }
  }
}
