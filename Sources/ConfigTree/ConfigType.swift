/// How a scalar's text becomes a value: one line for messages, a JSON Schema fragment, and the parser.
public struct ConfigType<Value> {
  /// As in "expected …": "a size such as 8MiB".
  public var expectation: String
  /// The JSON Schema of the text, as key and JSON value.
  public var schema: [String: String]
  public var isSecret: Bool
  /// - Returns: nil where the text is not of this type.
  public var parse: (_ text: String, _ context: ConfigContext) -> Value?

  public init(
    _ expectation: String, schema: [String: String] = ["type": "\"string\""], isSecret: Bool = false,
    parse: @escaping (_ text: String, _ context: ConfigContext) -> Value?
  ) {
    self.expectation = expectation
    self.schema = schema
    self.isSecret = isSecret
    self.parse = parse
  }

  public func map<Other>(_ expectation: String? = nil, _ transform: @escaping (Value) -> Other?) -> ConfigType<Other> {
    ConfigType<Other>(expectation ?? self.expectation, schema: schema, isSecret: isSecret) { text, context in
      parse(text, context).flatMap(transform)
    }
  }
}

extension ConfigType where Value == String {
  /// Any text that is not empty.
  public static var text: Self {
    ConfigType("text") { text, _ in text.isEmpty ? nil : text }
  }

  /// `~`, relative and absolute paths, made absolute from the configuration's folder.
  public static var path: Self {
    ConfigType("a path") { text, context in
      guard !text.isEmpty, !text.utf8.contains(0) else { return nil }
      if text == "~" || text.hasPrefix("~/") {
        guard let home = context.environment("HOME") else { return nil }
        return home + text.dropFirst()
      }
      return text.hasPrefix("/") ? text : context.baseDirectory + "/" + text
    }
  }
}

extension ConfigType where Value == Secret {
  public static var secret: Self {
    ConfigType("text", isSecret: true) { text, _ in text.isEmpty ? nil : Secret(text) }
  }
}

extension ConfigType where Value == Bool {
  public static var boolean: Self {
    ConfigType("true or false", schema: ["type": "\"boolean\""]) { text, _ in
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
    let schema = [
      "type": "\"integer\"", "minimum": "\(range.lowerBound)", "maximum": "\(range.upperBound)",
    ]
    return ConfigType("a whole number from \(range.lowerBound) to \(range.upperBound)", schema: schema) { text, _ in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ConfigType where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of an enumeration's raw values.
  public static var choice: Self {
    let names = Value.allCases.map(\.rawValue)
    let schema = ["enum": "[" + names.map { "\"\($0)\"" }.joined(separator: ", ") + "]"]
    return ConfigType("one of " + names.joined(separator: ", "), schema: schema) { text, _ in
      Value(rawValue: text)
    }
  }
}
