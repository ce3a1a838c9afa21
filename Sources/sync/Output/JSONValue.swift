/// JSON with its keys in the order they were given, so that a line begins with what it is about.
enum JSONValue {
  case text(String)
  case number(Int64)
  case decimal(Double)
  case boolean(Bool)
  case list([JSONValue])
  case object([(String, JSONValue)])
  case null

  /// Beyond this a number loses digits in readers that keep doubles; then it is written as text.
  private static let largestExact: Int64 = 1 << 53

  var encoded: String {
    switch self {
    case .text(let text): JSONValue.quoted(text)
    case .number(let number):
      abs(number) <= JSONValue.largestExact ? "\(number)" : "\"\(number)\""
    case .decimal(let decimal): decimal.isFinite ? "\(decimal)" : "null"
    case .boolean(let boolean): boolean ? "true" : "false"
    case .list(let values): "[" + values.map(\.encoded).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { "\(JSONValue.quoted($0)):\($1.encoded)" }.joined(separator: ",") + "}"
    case .null: "null"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      default:
        if scalar.value < 0x20 || scalar.value == 0x7F || scalar.value == 0x2028 || scalar.value == 0x2029 {
          let hex = String(scalar.value, radix: 16)
          quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        } else {
          quoted.unicodeScalars.append(scalar)
        }
      }
    }
    return quoted + "\""
  }
}
