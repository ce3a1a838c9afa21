import SyncBackend

/// One verb as it was called: what the request log keeps, and what a fault decides by.
public struct MemoryCall: Sendable, Hashable {
  public enum Verb: String, Sendable, CaseIterable {
    case put
    case beginUpload
    case uploadPart
    case listParts
    case completeUpload
    case abortUpload
    case listUploads
    case stat
    case read
    case list
    case delete
  }

  public var verb: Verb
  /// The object's key, a listing's prefix, or all keys of a delete.
  public var keys: [ObjectKey]
  public var uploadID: String?
  public var partNumber: Int?

  public init(_ verb: Verb, _ keys: [ObjectKey], uploadID: String? = nil, partNumber: Int? = nil) {
    self.verb = verb
    self.keys = keys
    self.uploadID = uploadID
    self.partNumber = partNumber
  }
}

extension MemoryCall: CustomStringConvertible {
  public var description: String {
    let part = partNumber.map { " part \($0)" } ?? ""
    return "\(verb.rawValue)\(part) \(keys.map(\.description).joined(separator: ", "))"
  }
}

/// When a fault is asked: before anything happened, or when the call has taken effect and only its answer is
/// missing. Throwing after is how an answer is lost.
public enum MemoryMoment: Sendable {
  case before
  case after
}

/// Asked twice for every call; may throw in its place, or suspend to hold it up.
public typealias MemoryFaults =
  @Sendable (_ call: MemoryCall, _ moment: MemoryMoment) async throws(BackendError) -> Void
