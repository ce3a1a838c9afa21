/// `${NAME}` and `${NAME:-default}`; `$${` is a literal `${`. Expanded in scalars after the file was parsed, so a
/// value can never add keys. What a variable holds is not expanded again.
///
/// Works on bytes: a combining character after `}` would otherwise hide it.
enum Interpolation {
  struct Expansion: Equatable {
    var text: String
    /// Whether any of the text came from a variable.
    var usesEnvironment: Bool
  }

  enum Failure: Error, Equatable {
    case unset(String)
    case unterminated
    case notAName(String)
    case nestedDefault
  }

  static func expand(_ text: String, with environment: (String) -> String?) -> Result<
    Expansion, Failure
  > {
    var expanded: [UInt8] = []
    var usesEnvironment = false
    var rest = Array(text.utf8)[...]
    while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
      expanded += rest[..<dollar]
      rest = rest[dollar...]
      if rest.starts(with: "$${".utf8) {
        expanded += "${".utf8
        rest = rest.dropFirst(3)
      } else if rest.starts(with: "${".utf8) {
        guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
          return .failure(.unterminated)
        }
        switch value(of: rest[(dollar + 2)..<end], with: environment) {
        case .success(let value): expanded += value.utf8
        case .failure(let failure): return .failure(failure)
        }
        usesEnvironment = true
        rest = rest[(end + 1)...]
      } else {
        expanded.append(UInt8(ascii: "$"))
        rest = rest.dropFirst()
      }
    }
    let whole = String(decoding: expanded + rest, as: UTF8.self)
    return .success(Expansion(text: whole, usesEnvironment: usesEnvironment))
  }

  private static func value(
    of expression: ArraySlice<UInt8>, with environment: (String) -> String?
  ) -> Result<String, Failure> {
    let separator = expression.firstRange(of: Array(":-".utf8))
    let nameBytes = separator.map { expression[..<$0.lowerBound] } ?? expression
    let name = String(decoding: nameBytes, as: UTF8.self)
    guard isName(nameBytes) else { return .failure(.notAName(name)) }
    let fallback = separator.map { expression[$0.upperBound...] }
    if let fallback, fallback.firstRange(of: Array("${".utf8)) != nil {
      return .failure(.nestedDefault)
    }
    // As in a shell, `:-` also replaces an empty value.
    if let value = environment(name), fallback == nil || !value.isEmpty { return .success(value) }
    guard let fallback else { return .failure(.unset(name)) }
    return .success(String(decoding: fallback, as: UTF8.self))
  }

  private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, !(0x30...0x39).contains(first) else { return false }
    return bytes.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || $0 == 0x5F
    }
  }
}
