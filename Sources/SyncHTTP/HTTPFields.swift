/// Header fields in the order they were given; names compare without regard to ASCII case.
///
/// Values are the text that goes on the wire. The client refuses names and values with control characters,
/// so nothing that came from a file name can smuggle in a second header.
public struct HTTPFields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  public struct Field: Sendable, Equatable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  public private(set) var fields: [Field] = []

  public init() {}

  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The first value under `name`; setting replaces every field of that name, `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { HTTPFields.same($0.name, name) }?.value }
    set {
      fields.removeAll { HTTPFields.same($0.name, name) }
      if let newValue { fields.append(Field(name: name, value: newValue)) }
    }
  }

  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  private static func same(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8) { lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
