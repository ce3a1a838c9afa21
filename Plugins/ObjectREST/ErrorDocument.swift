/// The `<Error>` with which S3 and OSS say why they refused.
public struct ErrorDocument: Sendable, Equatable {
  private let element: XMLElement

  /// - Returns: nil where the body is something else: a proxy's page, nothing at all.
  public init?(_ body: [UInt8]) {
    guard let root = try? XMLReader.read(body) else { return nil }
    self.init(root)
  }

  public init?(_ element: XMLElement) {
    guard element.isNamed("Error") else { return nil }
    self.element = element
  }

  public var code: String? { self["Code"] }
  public var message: String? { self["Message"] }
  public var requestID: String? { self["RequestId"] }

  /// Any of its fields; nil where it is absent or blank (RGW's messages always are).
  public subscript(name: String) -> String? {
    guard let text = element[name]?.trimmed, !text.isEmpty else { return nil }
    return text
  }
}
