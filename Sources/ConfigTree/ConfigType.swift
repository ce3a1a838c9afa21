/// How a scalar's text becomes a value: one line for messages, a JSON Schema fragment, and the parser.
public struct ConfigType<Value> {
  /// As in "must be …": "a size such as 8MiB".
  public var expectation: String
  /// The JSON Schema of the text, as key and JSON value. `${NAME}` is allowed in addition by whoever writes the schema.
  public var schema: [String: String]
  public var isSecret: Bool
  /// Where only certain words will do: these, for "did you mean …?".
  public var names: [String] = []
  /// The value as `config show` prints it; the text itself where nil.
  public var shown: ((Value) -> String)?
  /// - Returns: nil where the text is not of this type.
  public var parse: (_ text: String, _ context: ConfigContext) -> Value?

  /// The schema of any text: an editor may take an unquoted one for a number or a boolean.
  public static var textSchema: [String: String] {
    ["type": "[\"string\", \"number\", \"boolean\"]"]
  }

  public init(
    _ expectation: String, schema: [String: String] = Self.textSchema, isSecret: Bool = false,
    parse: @escaping (_ text: String, _ context: ConfigContext) -> Value?
  ) {
    self.expectation = expectation
    self.schema = schema
    self.isSecret = isSecret
    self.parse = parse
  }

  /// Another value from the same text; nil from `transform` means that the text will not do.
  public func map<Other>(
    _ expectation: String? = nil, _ transform: @escaping (Value) -> Other?
  ) -> ConfigType<Other> {
    var type = ConfigType<Other>(
      expectation ?? self.expectation, schema: schema, isSecret: isSecret
    ) {
      parse($0, $1).flatMap(transform)
    }
    type.names = names
    return type
  }
}

extension ConfigType where Value == String {
  /// Any text that is not empty.
  public static var text: Self {
    ConfigType("text that is not empty") { text, _ in text.isEmpty ? nil : text }
  }

  /// What people call things by: letters, digits, `.`, `_` and `-`, not beginning with `.` or `-`.
  public static var name: Self {
    let schema = ["type": "\"string\"", "pattern": jsonString("^[A-Za-z0-9_][A-Za-z0-9._-]*$")]
    return ConfigType("a name of letters, digits, \".\", \"_\" and \"-\"", schema: schema) {
      text, _ in
      isName(text) ? text : nil
    }
  }

  /// Whether the text is what `.name` wants.
  public static func isName(_ text: String) -> Bool {
    let marks = Array("._-".utf8)
    guard let first = text.utf8.first, first != marks[0], first != marks[2] else { return false }
    return text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || marks.contains($0)
    }
  }

  /// One of these words.
  public static func oneOf(_ names: [String]) -> Self {
    let schema = ["enum": "[" + names.map(jsonString).joined(separator: ", ") + "]"]
    var type = ConfigType("one of " + names.joined(separator: ", "), schema: schema) { text, _ in
      names.contains(text) ? text : nil
    }
    type.names = names
    return type
  }

  /// `~/…`, relative and absolute paths, made absolute from the configuration's folder and tidied by `tidyPath`.
  public static var path: Self {
    var type = ConfigType("a path: absolute, below ~/ (with HOME set), or from this file's folder") {
      (text, context) -> String? in
      guard let first = text.utf8.first, !text.utf8.contains(0) else { return nil }
      switch first {
      case UInt8(ascii: "/"): return tidyPath(text)
      case UInt8(ascii: "~"):
        // Another user's home (`~name`) would need the system's user database.
        guard text.utf8.count == 1 || text.utf8.starts(with: "~/".utf8) else { return nil }
        guard let home = context.environment("HOME"), home.utf8.first == UInt8(ascii: "/") else {
          return nil
        }
        return tidyPath(home + "/" + String(decoding: text.utf8.dropFirst(), as: UTF8.self))
      default: return tidyPath(context.baseDirectory + "/" + text)
      }
    }
    type.shown = { $0 }
    return type
  }
}

extension ConfigType where Value == Secret {
  /// Text on one line: a line break that slipped in with a variable would end up in a header.
  public static var secret: Self {
    ConfigType("text without line breaks and control characters", isSecret: true) { text, _ in
      text.isEmpty || text.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? nil : Secret(text)
    }
  }
}

extension ConfigType where Value == Bool {
  public static var boolean: Self {
    let schema = ["enum": "[true, false, \"true\", \"false\"]"]
    return ConfigType("true or false", schema: schema) { text, _ in
      switch text {
      case "true": true
      case "false": false
      default: nil
      }
    }
  }
}

extension ConfigType where Value == Int {
  public static func integer(in range: ClosedRange<Int>) -> Self {
    let number =
      "{\"type\": \"integer\", \"minimum\": \(range.lowerBound), \"maximum\": \(range.upperBound)}"
    let text = "{\"type\": \"string\", \"pattern\": \"^-?[0-9]+$\"}"
    let expectation = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return ConfigType(expectation, schema: ["anyOf": "[\(number), \(text)]"]) { text, _ in
      text.utf8.first == UInt8(ascii: "+")
        ? nil : Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ConfigType where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of an enumeration's raw values.
  public static var choice: Self {
    ConfigType<String>.oneOf(Value.allCases.map(\.rawValue)).map { Value(rawValue: $0) }
  }
}
