/// The query of a request, in the order it was built. Encoded in the one form that a signature is made of, so that
/// what is signed and what is sent cannot differ.
public struct Query: Sendable, Equatable {
  private var pieces: [String] = []

  public init() {}

  /// `name=value`.
  public mutating func add(_ name: String, _ value: some Collection<UInt8>) {
    pieces.append("\(percentEncoded(name))=\(percentEncoded(value))")
  }

  public mutating func add(_ name: String, _ value: String) {
    add(name, value.utf8)
  }

  /// A bare `name`, such as `uploads`.
  public mutating func add(_ name: String) {
    pieces.append(percentEncoded(name))
  }

  /// Without the `?`; empty for none.
  public var text: String { pieces.joined(separator: "&") }
}
