extension ConfigSection {
  public func value<Value>(_ key: String, _ type: ConfigType<Value>, _ help: String) -> Value? {
    scalar(key, type, help, isRequired: false)
  }

  /// Reports where the key is missing. The result is nil then, and where the value is wrong.
  public func required<Value>(_ key: String, _ type: ConfigType<Value>, _ help: String) -> Value? {
    scalar(key, type, help, isRequired: true)
  }

  /// A value with a default, which `config show` prints and the schema names. The default also stands in for a value
  /// that is wrong, which was reported then.
  public func value<Value: CustomStringConvertible>(
    _ key: String, _ type: ConfigType<Value>, _ help: String, default fallback: Value
  ) -> Value {
    var type = type
    type.schema["default"] = jsonString(fallback.description)
    return scalar(key, type, help, isRequired: false, fallback: fallback.description) ?? fallback
  }

  /// A list of scalars; a single scalar is a list of one.
  public func list<Value>(_ key: String, _ type: ConfigType<Value>, _ help: String) -> [Value]? {
    var field = Field(
      name: key, help: help, isRequired: false, shape: .list(schema: type.schema), shown: [])
    defer { declare(field) }
    guard let found = node[key] else { return nil }
    switch found.content {
    case .sequence(let items):
      let read = items.enumerated().map { parse($1, as: type, name: "\(fullName(key))[\($0)]") }
      field.shown = read.compactMap { $0?.shown }
      return read.compactMap { $0?.value }
    case .scalar:
      guard let read = parse(found, as: type, name: fullName(key)) else { return nil }
      field.shown = [read.shown]
      return [read.value]
    case .empty:
      report("\(fullName(key)) has no value; it must be a list", at: key)
      return nil
    case .mapping:
      report("\(fullName(key)) must be a list, found \(found.kindName)", at: key)
      return nil
    }
  }

  /// Declares a key of the contract that this version does not carry out; using it is an error.
  public func unsupported(_ key: String, _ help: String) {
    declareUnsupported(key, help)
    guard contains(key) else { return }
    report("\(fullName(key)) is not supported by this version", at: key, kind: .unsupported)
  }

  /// The same, but a value that would not do in any version is told what is wrong with it instead.
  public func unsupported<Value>(
    _ key: String, _ type: ConfigType<Value>, orMapping: Bool = false, _ help: String
  ) {
    let (_, issues) = context.gathering { value(key, type, help) }
    if case .mapping = node[key]?.content, orMapping { return unsupported(key, help) }
    guard !issues.isEmpty else { return unsupported(key, help) }
    declareUnsupported(key, help)
    issues.forEach(context.report)
  }

  private func declareUnsupported(_ key: String, _ help: String) {
    declare(
      Field(
        name: key, help: help, isRequired: false, shape: .scalar(schema: ["not": "{}"]), shown: []))
  }

  private func scalar<Value>(
    _ key: String, _ type: ConfigType<Value>, _ help: String, isRequired: Bool,
    fallback: String? = nil
  ) -> Value? {
    var field = Field(
      name: key, help: help, isRequired: isRequired, shape: .scalar(schema: type.schema),
      shown: fallback.map { [$0] } ?? [])
    defer { declare(field) }
    guard let found = node[key] else {
      if isRequired, asksForKeys {
        report("\(fullName(key)) is missing: \(help)")
      }
      return nil
    }
    guard let read = parse(found, as: type, name: fullName(key)) else { return nil }
    field.shown = [read.shown]
    return read.value
  }

  private func parse<Value>(
    _ found: ConfigNode, as type: ConfigType<Value>, name: String
  ) -> (value: Value, shown: String)? {
    guard case .scalar(let raw) = found.content else {
      let problem = found.content == .empty ? "has no value; it must be" : "must be"
      let what = found.content == .empty ? "" : ", found \(found.kindName)"
      context.report(
        ConfigIssue(at: found.location, "\(name) \(problem) \(type.expectation)\(what)"))
      return nil
    }
    guard let text = expand(raw, of: name, isSecret: type.isSecret, at: found.location) else {
      return nil
    }
    let masked = type.isSecret ? "****" : maskingUserinfo(text)
    guard let value = type.parse(text, context) else {
      let shown = type.isSecret ? "****" : quoted(masked)
      let hint = didYouMean(text, among: type.names)
      context.report(
        ConfigIssue(
          at: found.location, "\(name) must be \(type.expectation), found \(shown)\(hint)"))
      return nil
    }
    return (value, type.isSecret ? masked : type.shown?(value) ?? masked)
  }

  private func expand(
    _ text: String, of name: String, isSecret: Bool, at location: ConfigLocation
  ) -> String? {
    let failure: Interpolation.Failure
    switch Interpolation.expand(text, with: context.environment) {
    case .success(let expansion):
      let holdsSecret = isSecret || maskingUserinfo(expansion.text) != expansion.text
      if holdsSecret, !expansion.usesEnvironment { context.literalSecrets.append(location) }
      return expansion.text
    case .failure(let reason): failure = reason
    }
    let kind: ConfigIssue.Kind
    let problem: String
    switch failure {
    case .unset(let variable):
      kind = .unsetVariable(variable)
      problem =
        "the environment variable \(variable) is not set; ${\(variable):-default} gives a default"
    case .unterminated:
      kind = .invalid
      problem = "\"${\" without its \"}\"; write $${ for a literal ${"
    case .notAName(let variable):
      kind = .invalid
      problem = "\(isSecret ? "****" : quoted(variable)) is not the name of an environment variable"
    case .nestedDefault:
      kind = .invalid
      problem = "the default of a variable cannot hold another ${"
    }
    context.report(ConfigIssue(kind, at: location, "\(name): \(problem)"))
    return nil
  }
}
