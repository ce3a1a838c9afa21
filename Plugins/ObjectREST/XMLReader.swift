/// Why a text is not an answer in XML.
public enum XMLError: Error, Sendable, Equatable {
  /// Empty, only blanks, or ended before the root element did.
  case truncated
  case malformed(String)
  case tooLarge

  /// For messages: what is wrong with the answer.
  public var reason: String {
    switch self {
    case .truncated: "it is empty or cut off"
    case .malformed(let reason): "it is not well-formed XML, \(reason)"
    case .tooLarge: "it is larger than \(XMLReader.maximumSize >> 20) MiB"
    }
  }
}

/// Reads the XML that object stores answer with: elements, text, entities, CDATA, comments.
///
/// Strict in structure, because half an answer must never pass for a whole one: every element is closed by its own
/// name and nothing but blanks follows the root. A document type is refused, so there is nothing to expand and
/// nothing to fetch. Lenient where services are sloppy: a byte order mark, blanks before the declaration, raw
/// control characters, and references to characters that XML 1.0 forbids (`&#1;`), which stand for bytes of a key.
public struct XMLReader {
  /// Of a document, in bytes: a page of 1,000 keys of 1,024 bytes, each byte as `%XX`, is below 5 MiB.
  public static let maximumSize = 16 << 20
  /// Of elements within each other; the answers' own depth is 5.
  public static let maximumDepth = 32
  /// Of elements: a page of 1,000 versions or parts has about 15 for each.
  public static let maximumCount = 100_000

  private let bytes: [UInt8]
  private var position = 0
  private var count = 0
  /// The elements that are open, with the names by which they must be closed.
  private var open: [(qualifiedName: ArraySlice<UInt8>, element: XMLElement)] = []
  private var root: XMLElement?

  /// The root element of a document in UTF-8.
  public static func read(_ bytes: [UInt8]) throws(XMLError) -> XMLElement {
    guard bytes.count <= maximumSize else { throw .tooLarge }
    guard bytes.withUnsafeBufferPointer({ String(validating: $0, as: UTF8.self) }) != nil else {
      throw .malformed("it is not UTF-8")
    }
    var reader = XMLReader(bytes: bytes)
    return try reader.document()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func document() throws(XMLError) -> XMLElement {
    _ = skip("\u{FEFF}")
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "<") {
        try markup()
      } else {
        try text()
      }
    }
    guard let root, open.isEmpty else { throw .truncated }
    return root
  }
}

// MARK: - Markup

extension XMLReader {
  private mutating func markup() throws(XMLError) {
    if skip("<?") {
      _ = try take(upTo: "?>")
    } else if skip("<!--") {
      _ = try take(upTo: "-->")
    } else if skip("<![CDATA[") {
      let data = try take(upTo: "]]>")
      guard !open.isEmpty else { throw .malformed("there is text outside the root element") }
      open[open.count - 1].element.text += data
    } else if skip("</") {
      try endTag()
    } else if bytes[position...].starts(with: "<!".utf8) {
      throw isCutOff(["<!--", "<![CDATA["]) ? .truncated : .malformed("it has a document type")
    } else {
      position += 1
      try startTag()
    }
  }

  private mutating func startTag() throws(XMLError) {
    guard root == nil else { throw .malformed("there is an element after the root") }
    guard open.count < Self.maximumDepth else { throw .malformed("its elements are nested too deep") }
    count += 1
    guard count <= Self.maximumCount else { throw .malformed("it has too many elements") }
    let name = try self.name()
    try attributes()
    open.append((name, XMLElement(name: Array(localName(name)))))
    if skip("/>") {
      close()
    } else if !skip(">") {
      throw position < bytes.count && !isCutOff(["/>"]) ? .malformed("a tag has no end") : .truncated
    }
  }

  private mutating func endTag() throws(XMLError) {
    let name = try self.name()
    skipBlanks()
    guard position < bytes.count else { throw .truncated }
    guard skip(">"), let last = open.last, last.qualifiedName.elementsEqual(name) else {
      throw .malformed("an end tag does not match")
    }
    close()
  }

  /// Ends the innermost element, which has its place in the one around it.
  private mutating func close() {
    let element = open.removeLast().element
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].element.children.append(element)
    }
  }

  private mutating func attributes() throws(XMLError) {
    while true {
      let start = position
      skipBlanks()
      guard position < bytes.count else { throw .truncated }
      if bytes[position] == UInt8(ascii: ">") || bytes[position] == UInt8(ascii: "/") { return }
      guard position > start else { throw .malformed("a tag's name is not a name") }
      _ = try name()
      skipBlanks()
      guard skip("=") else {
        throw position < bytes.count ? .malformed("an attribute has no value") : .truncated
      }
      skipBlanks()
      let quote = skip("\"") ? "\"" : skip("'") ? "'" : nil
      guard let quote else { throw position < bytes.count ? .malformed("a value has no quotes") : .truncated }
      guard try !take(upTo: quote).contains(UInt8(ascii: "<")) else {
        throw .malformed("a value holds a tag")
      }
    }
  }

  private mutating func name() throws(XMLError) -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count, isNameByte(bytes[position]) { position += 1 }
    guard position < bytes.count else { throw .truncated }
    guard position > start else { throw .malformed("a tag's name is not a name") }
    return bytes[start..<position]
  }

  private func localName(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let colon = name.lastIndex(of: UInt8(ascii: ":")) else { return name }
    return name[(colon + 1)...]
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: ":"), 0x80...:
      true
    default: false
    }
  }
}

// MARK: - Text

extension XMLReader {
  private mutating func text() throws(XMLError) {
    let start = position
    var text: [UInt8] = []
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") {
      if bytes[position] == UInt8(ascii: "&") {
        text += try reference()
      } else {
        text.append(bytes[position])
        position += 1
      }
    }
    if !open.isEmpty {
      open[open.count - 1].element.text += text
    } else if !bytes[start..<position].allSatisfy(isBlank) {
      throw .malformed("there is text outside the root element")
    }
  }

  private mutating func reference() throws(XMLError) -> [UInt8] {
    // The longest is `&#x10FFFF;`; a bound keeps a stray `&` from being searched for to the end.
    let window = bytes[position...].prefix(16)
    guard let end = window.firstIndex(of: UInt8(ascii: ";")) else {
      throw window.endIndex == bytes.count ? .truncated : .malformed("an entity has no end")
    }
    let name = bytes[(position + 1)..<end]
    position = end + 1
    if name.first == UInt8(ascii: "#") { return try character(name.dropFirst()) }
    switch String(decoding: name, as: UTF8.self) {
    case "amp": return [UInt8(ascii: "&")]
    case "lt": return [UInt8(ascii: "<")]
    case "gt": return [UInt8(ascii: ">")]
    case "quot": return [UInt8(ascii: "\"")]
    case "apos": return [UInt8(ascii: "'")]
    default: throw .malformed("an entity is unknown")
    }
  }

  private func character(_ digits: ArraySlice<UInt8>) throws(XMLError) -> [UInt8] {
    let isHexadecimal = digits.first == UInt8(ascii: "x")
    let text = String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
    guard text.utf8.first != UInt8(ascii: "+"), let value = UInt32(text, radix: isHexadecimal ? 16 : 10),
      let scalar = Unicode.Scalar(value)
    else { throw .malformed("a character reference stands for no character") }
    return Array(String(scalar).utf8)
  }
}

// MARK: - Moving on

extension XMLReader {
  private mutating func skip(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  private mutating func skipBlanks() {
    while position < bytes.count, isBlank(bytes[position]) { position += 1 }
  }

  /// What stands before `end`, which is passed over.
  private mutating func take(upTo end: String) throws(XMLError) -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count {
      let here = position
      if skip(end) { return bytes[start..<here] }
      position += 1
    }
    throw .truncated
  }

  /// Whether all that is left is the beginning of one of `texts`.
  private func isCutOff(_ texts: [String]) -> Bool {
    texts.contains { $0.utf8.starts(with: bytes[position...]) }
  }
}
