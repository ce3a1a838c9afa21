import ConfigTree
import Yams

/// YAML text as configuration values. Every scalar is text, whatever YAML would make of it.
enum YAMLLoader {
  /// - Throws: issues with their places where the bytes are not UTF-8, not YAML, or use what a configuration has no
  ///   use for: tags, merge keys, keys that are not text, several documents.
  static func load(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> ConfigNode {
    let source = try decode(bytes, file: file)
    let root: Node
    do {
      // The parser holds the anchors that its nodes refer to weakly.
      let parser = try Parser(yaml: source.text, resolver: .basic, encoding: .utf8)
      guard let node = try parser.singleRoot() else {
        throw ConfigurationError([
          ConfigIssue(
            at: ConfigLocation(file: file, line: 1, column: 1),
            "the configuration is empty; sync init writes one to begin with")
        ])
      }
      root = node
    } catch let error as ConfigurationError {
      throw error
    } catch let error as YamlError {
      throw ConfigurationError([syntaxIssue(error, in: source)])
    } catch {
      throw ConfigurationError([ConfigIssue(at: ConfigLocation(file: file), "not YAML: \(error)")])
    }
    var converter = NodeConverter(source: source)
    let node = converter.convert(root)
    guard converter.issues.isEmpty else { throw ConfigurationError(converter.issues) }
    return node
  }

  private static func decode(_ bytes: [UInt8], file: String) throws(ConfigurationError)
    -> SourceText
  {
    // libyaml takes the mark for a character of the first line.
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    if let text = String(validating: bytes, as: UTF8.self) { return SourceText(text, file: file) }
    let valid = validPrefix(of: bytes)
    let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    let byte =
      bytes.dropFirst(valid.utf8.count).first.map { String($0, radix: 16, uppercase: true) } ?? ""
    let problem = isUTF16 ? "it looks like UTF-16" : "the byte 0x\(byte) begins no character"
    let location = SourceText(valid, file: file).location(offset: valid.utf8.count)
    throw ConfigurationError([
      ConfigIssue(at: location, "the configuration must be UTF-8: \(problem)")
    ])
  }

  private static func validPrefix(of bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      text.unicodeScalars.append(scalar)
    }
    return text
  }
}
