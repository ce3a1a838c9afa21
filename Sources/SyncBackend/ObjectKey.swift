/// The name of an object: UTF-8 bytes, compared and sorted as bytes (never as Swift text, whose `==` folds
/// composed and decomposed accents into one).
public struct ObjectKey: Sendable, Hashable, Comparable {
  public let bytes: [UInt8]

  /// - Returns: nil where the bytes are not UTF-8.
  public init?(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard ObjectKey.isUTF8(bytes) else { return nil }
    self.bytes = bytes
  }

  public init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The key as text; no byte is lost, for the key is UTF-8.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  public func hasPrefix(_ prefix: some Collection<UInt8>) -> Bool {
    bytes.starts(with: prefix)
  }

  public static func < (left: ObjectKey, right: ObjectKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { unsafe in
      String(validating: unsafe, as: UTF8.self) != nil
    }
  }
}

extension ObjectKey: CustomStringConvertible {
  public var description: String { printable(bytes) }
}

/// Names as they appear in messages: control characters, bytes that are not UTF-8 (`\\xFF`) and the backslash itself
/// are escaped, so that a file name can neither forge a line of a log nor steer a terminal.
public func printable(_ bytes: some Sequence<UInt8>) -> String {
  var text = ""
  var decoder = UTF8()
  var rest = Array(bytes)[...]
  while !rest.isEmpty {
    var iterator = rest.makeIterator()
    decoder = UTF8()
    if case .scalarValue(let scalar) = decoder.decode(&iterator) {
      text += escaped(scalar)
      rest = rest.dropFirst(UTF8.width(scalar))
    } else {
      text += "\\x" + String(rest[rest.startIndex], radix: 16, uppercase: true)
      rest = rest.dropFirst()
    }
  }
  return text
}

private func escaped(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\\": "\\\\"
  case "\n": "\\n"
  case "\r": "\\r"
  case "\t": "\\t"
  default: isPlain(scalar) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
  }
}

/// Neither a control character nor one that turns the direction of the text or hides in it.
private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
  default: true
  }
}
