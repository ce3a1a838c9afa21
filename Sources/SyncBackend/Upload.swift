/// What a multipart upload is going to be. All parts but the last have `partSize` bytes.
public struct UploadPlan: Sendable, Hashable {
  public var key: ObjectKey
  public var size: Int64
  public var partSize: Int64
  public var options: ObjectOptions

  public init(key: ObjectKey, size: Int64, partSize: Int64, options: ObjectOptions) {
    self.key = key
    self.size = size
    self.partSize = partSize
    self.options = options
  }

  public var partCount: Int { Int((size + partSize - 1) / partSize) }

  /// Where part `number` (from 1) begins, and its length in bytes.
  public func range(ofPart number: Int) -> (offset: Int64, length: Int64) {
    let offset = Int64(number - 1) * partSize
    return (offset, min(partSize, size - offset))
  }
}

/// A multipart upload that the remote knows: a value that the manifest keeps, so that any later process can go on.
public struct Upload: Sendable, Hashable {
  public var key: ObjectKey
  /// The remote's name for it.
  public var id: String
  /// Nanoseconds since 1970 by the remote's clock; nil where it does not say.
  public var initiated: Int64?
  /// What it was begun with; nil for an upload that was only found in a listing.
  public var plan: UploadPlan?

  public init(key: ObjectKey, id: String, initiated: Int64? = nil, plan: UploadPlan? = nil) {
    self.key = key
    self.id = id
    self.initiated = initiated
    self.plan = plan
  }
}

/// A part that the remote has.
public struct Part: Sendable, Hashable {
  /// From 1.
  public var number: Int
  public var size: Int64
  public var etag: String
  /// The MD5 of its bytes, where the backend knows that the answer states it.
  public var md5: [UInt8]?

  public init(number: Int, size: Int64, etag: String, md5: [UInt8]? = nil) {
    self.number = number
    self.size = size
    self.etag = etag
    self.md5 = md5
  }
}

/// What the engine knows of a finished upload's content, for remotes that check it on completion.
public struct ContentSummary: Sendable, Hashable {
  public var size: Int64
  /// MD5 of the parts' MD5s, where every part has one.
  public var digest: ContentDigest?
  /// MD5 of all bytes, where it was computed.
  public var md5: [UInt8]?

  public init(size: Int64, digest: ContentDigest? = nil, md5: [UInt8]? = nil) {
    self.size = size
    self.digest = digest
    self.md5 = md5
  }
}
