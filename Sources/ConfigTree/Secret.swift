/// A text that must not be seen: it prints, interpolates, mirrors and encodes as `****`.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The text itself; for signing only.
  public let exposed: String

  public init(_ text: String) {
    exposed = text
  }

  public var description: String { "****" }
  public var debugDescription: String { "****" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
