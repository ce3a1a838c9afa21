import SyncBackend

/// A key as folders and a name below the bucket.
struct ObjectPath: Sendable, Hashable {
  /// Holds what is not an object yet; no key leads into it.
  static let reserved = Name(".sync-uploads".utf8)
  static let maximumKeyBytes = 4096
  static let maximumNameBytes = 255

  var folders: [Name]
  var name: Name

  /// Throws `.invalidKey` for keys that no file below the bucket can have.
  init(_ key: ObjectKey) throws(BackendError) {
    var segments = key.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(
      Array.init)
    func refused(_ reason: String) -> BackendError { BackendError(.invalidKey, reason) }
    guard key.bytes.count <= Self.maximumKeyBytes else {
      throw refused("a key here has at most \(Self.maximumKeyBytes) bytes, this one \(key.bytes.count)")
    }
    guard !key.bytes.contains(0) else { throw refused("a file name holds no NUL") }
    guard segments.allSatisfy({ Self.isName($0) }) else {
      throw refused("in a directory a key has no empty, . or .. segments")
    }
    guard segments.allSatisfy({ $0.count <= Self.maximumNameBytes }) else {
      throw refused("a file name has at most \(Self.maximumNameBytes) bytes")
    }
    guard segments.first != Self.reserved else {
      throw refused("\(printable(Self.reserved)) is reserved for uploads under way")
    }
    name = segments.removeLast()
    folders = segments
  }

  static func isName(_ segment: Name) -> Bool {
    !segment.isEmpty && segment != Name(".".utf8) && segment != Name("..".utf8)
  }
}
