/// An element of a service's answer: its name without namespace, the text that stands directly in it, its children.
/// Attributes are left out, for no answer says anything in them.
public struct XMLElement: Sendable, Equatable {
  public var name: [UInt8]
  /// Entities resolved; blanks and line ends exactly as they came, since they may belong to a key.
  public var text: [UInt8]
  public var children: [XMLElement]

  public init(name: [UInt8], text: [UInt8] = [], children: [XMLElement] = []) {
    self.name = name
    self.text = text
    self.children = children
  }

  public func isNamed(_ name: String) -> Bool {
    self.name.elementsEqual(name.utf8)
  }

  /// The first child of that name.
  public subscript(name: String) -> XMLElement? {
    children.first { $0.isNamed(name) }
  }

  public func all(_ name: String) -> [XMLElement] {
    children.filter { $0.isNamed(name) }
  }

  /// The text without the blanks around it: for everything but keys.
  public var trimmed: String {
    String(decoding: text.trimmingBlanks, as: UTF8.self)
  }

  /// The text as a decimal number; nil where it is none.
  public var number: Int64? { Int64(trimmed) }

  /// Only `true` is true; S3-compatible services differ in the letter case.
  public var isTrue: Bool { trimmed.utf8.map { $0 | 0x20 }.elementsEqual("true".utf8) }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  /// Without the ASCII blanks and line ends at either end.
  public var trimmingBlanks: SubSequence {
    guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) })
    else {
      return self[startIndex..<startIndex]
    }
    return self[first...last]
  }
}

func isBlank(_ byte: UInt8) -> Bool {
  byte == 0x20 || (0x09...0x0D).contains(byte)
}
