/// An object as the remote knows it: its key, and whatever more the remote gave us to name this very content.
public struct ObjectReference: Sendable, Hashable {
  public var key: ObjectKey
  /// An identifier of the remote's own (a file id); nil where the key is the name.
  public var remoteID: String?
  public var version: String?
  /// Opaque; only compared.
  public var etag: String?

  public init(_ key: ObjectKey, remoteID: String? = nil, version: String? = nil, etag: String? = nil) {
    self.key = key
    self.remoteID = remoteID
    self.version = version
    self.etag = etag
  }
}

/// What a remote says of an object.
public struct ObjectInfo: Sendable, Equatable {
  public var reference: ObjectReference
  /// Bytes; nil where the answer does not say (a put's answer, say).
  public var size: Int64?
  /// The content, where the backend knows that its remote's answer states it. Never guessed: an ETag that only
  /// looks like an MD5 (encrypted objects, unknown stores) stays opaque.
  public var content: ContentDigest?
  /// Nanoseconds since 1970, by the remote's clock.
  public var modified: Int64?
  public var url: String?
  public var metadata: [String: String]

  public init(
    _ reference: ObjectReference, size: Int64? = nil, content: ContentDigest? = nil, modified: Int64? = nil,
    url: String? = nil, metadata: [String: String] = [:]
  ) {
    self.reference = reference
    self.size = size
    self.content = content
    self.modified = modified
    self.url = url
    self.metadata = metadata
  }
}

/// What an object is stored with besides its bytes. The manifest keeps a fingerprint of it: other options mean
/// that the object is sent again.
public struct ObjectOptions: Sendable, Hashable {
  /// User metadata; names in lower case.
  public var metadata: [String: String]

  public init(metadata: [String: String] = [:]) {
    self.metadata = metadata
  }
}

/// A place in a listing to go on from; opaque outside the backend that made it.
public struct PageToken: Sendable, Hashable {
  public let text: String

  public init(_ text: String) {
    self.text = text
  }
}

/// One page of a listing; `next` is nil on the last.
public struct Page<Item: Sendable>: Sendable {
  public var items: [Item]
  public var next: PageToken?

  public init(_ items: [Item], next: PageToken? = nil) {
    self.items = items
    self.next = next
  }
}
