/// Writes the XML of requests: elements and escaped text, nothing else.
public struct XMLWriter {
  public private(set) var bytes = Array(#"<?xml version="1.0" encoding="UTF-8"?>"#.utf8)

  public init() {}

  /// `<name>…</name>`; attributes are text that is written as it is.
  public mutating func element(_ name: String, attributes: String = "", content: (inout XMLWriter) -> Void) {
    bytes += "<\(name)\(attributes.isEmpty ? "" : " \(attributes)")>".utf8
    content(&self)
    bytes += "</\(name)>".utf8
  }

  public mutating func element(_ name: String, _ text: some Sequence<UInt8>) {
    element(name) { $0.escape(text) }
  }

  public mutating func element(_ name: String, _ text: String) {
    element(name, text.utf8)
  }

  /// A carriage return is written as a reference: a parser makes a bare one a line feed (XML 1.0, section 2.11).
  private mutating func escape(_ text: some Sequence<UInt8>) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "\""): bytes += "&quot;".utf8
      case UInt8(ascii: "\r"): bytes += "&#13;".utf8
      default: bytes.append(byte)
      }
    }
  }
}

/// Whether XML 1.0 can carry the text (section 2.2): not most control characters, U+FFFE, U+FFFF.
public func isXMLText(_ bytes: some Collection<UInt8>) -> Bool {
  String(decoding: bytes, as: UTF8.self).unicodeScalars.allSatisfy { scalar in
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...: true
    default: false
    }
  }
}
