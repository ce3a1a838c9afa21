/// `${NAME}` and `${NAME:-default}`; `$${` is a literal `${`. Expanded in scalars after the file was parsed, so a
/// value can never add keys.
enum Interpolation {
  enum Failure: Error, Equatable {
    case unset(String)
    case malformed(String)
  }

  static func expand(_ text: String, with environment: (String) -> String?) -> Result<String, Failure> {
    var expanded = ""
    var rest = Substring(text)
    while let dollar = rest.firstIndex(of: "$") {
      expanded += rest[..<dollar]
      rest = rest[dollar...]
      if rest.hasPrefix("$${") {
        expanded += "${"
        rest = rest.dropFirst(3)
      } else if rest.hasPrefix("${") {
        guard let end = rest.firstIndex(of: "}") else {
          return .failure(.malformed("\"${\" without its \"}\"; write $${ for a literal ${"))
        }
        switch value(of: rest[rest.index(rest.startIndex, offsetBy: 2)..<end], with: environment) {
        case .success(let value): expanded += value
        case .failure(let failure): return .failure(failure)
        }
        rest = rest[rest.index(after: end)...]
      } else {
        expanded += "$"
        rest = rest.dropFirst()
      }
    }
    return .success(expanded + rest)
  }

  private static func value(
    of expression: Substring, with environment: (String) -> String?
  ) -> Result<String, Failure> {
    let separator = expression.firstRange(of: ":-")
    let name = String(separator.map { expression[..<$0.lowerBound] } ?? expression)
    guard isName(name) else {
      return .failure(.malformed("\"\(name)\" is not the name of an environment variable"))
    }
    // As in a shell, `:-` also replaces an empty value.
    if let value = environment(name), separator == nil || !value.isEmpty { return .success(value) }
    guard let separator else { return .failure(.unset(name)) }
    return .success(String(expression[separator.upperBound...]))
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
    }
  }
}
