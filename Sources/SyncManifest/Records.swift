/// What the file system says of a file: enough to know, as git does, that it has not changed.
/// Times are nanoseconds since 1970.
public struct FileStamp: Sendable, Hashable {
  public var size: Int64
  public var modified: Int64
  public var changed: Int64
  public var inode: UInt64

  public init(size: Int64, modified: Int64, changed: Int64, inode: UInt64) {
    self.size = size
    self.modified = modified
    self.changed = changed
    self.inode = inode
  }
}

/// The digest of a mirrored content.
public enum StoredDigest: Sendable, Hashable {
  /// MD5 of all bytes.
  case md5([UInt8])
  /// MD5 of the MD5s of parts of `partSize` bytes.
  case md5OfParts([UInt8], partSize: Int64)
}

/// What is known to be on the remote under one key.
public struct ManifestRow: Sendable, Hashable {
  /// The whole key, the remote's prefix included.
  public var key: [UInt8]
  /// The file as it was when its content was read.
  public var stamp: FileStamp
  /// When its content was read, in nanoseconds since 1970.
  public var readAt: Int64
  public var digest: StoredDigest
  /// Of the object options that it was sent with.
  public var optionsFingerprint: [UInt8]
  public var etag: String?
  public var version: String?
  public var remoteID: String?
  /// A put, complete or delete may have touched the object since this was recorded: the row counts as equal to
  /// nothing until the object is proven or sent again.
  public var isInDoubt: Bool

  public init(
    key: [UInt8], stamp: FileStamp, readAt: Int64, digest: StoredDigest, optionsFingerprint: [UInt8],
    etag: String? = nil, version: String? = nil, remoteID: String? = nil, isInDoubt: Bool = false
  ) {
    self.key = key
    self.stamp = stamp
    self.readAt = readAt
    self.digest = digest
    self.optionsFingerprint = optionsFingerprint
    self.etag = etag
    self.version = version
    self.remoteID = remoteID
    self.isInDoubt = isInDoubt
  }
}

/// A multipart upload in progress. First only an intent (`uploadID` nil), durable before the remote is asked.
public struct UploadRecord: Sendable, Hashable {
  public var id: Int64
  public var key: [UInt8]
  /// The source as it was when the upload began.
  public var stamp: FileStamp
  public var partSize: Int64
  public var optionsFingerprint: [UInt8]
  /// When the intent was recorded, in nanoseconds since 1970.
  public var intendedAt: Int64
  public var uploadID: String?

  public init(
    id: Int64 = 0, key: [UInt8], stamp: FileStamp, partSize: Int64, optionsFingerprint: [UInt8],
    intendedAt: Int64, uploadID: String? = nil
  ) {
    self.id = id
    self.key = key
    self.stamp = stamp
    self.partSize = partSize
    self.optionsFingerprint = optionsFingerprint
    self.intendedAt = intendedAt
    self.uploadID = uploadID
  }
}

/// A part that the remote has confirmed.
public struct PartRecord: Sendable, Hashable {
  public var number: Int
  public var size: Int64
  public var md5: [UInt8]
  public var etag: String

  public init(number: Int, size: Int64, md5: [UInt8], etag: String) {
    self.number = number
    self.size = size
    self.md5 = md5
    self.etag = etag
  }
}

/// One run of a profile, as `status` shows it.
public struct RunRecord: Sendable, Hashable {
  public var id: Int64
  public var profile: String
  public var startedAt: Int64
  /// nil while it runs, and for one that was killed.
  public var finishedAt: Int64?
  /// The exit status that it ended with.
  public var status: Int?
  public var uploaded: Int64
  public var deleted: Int64
  public var failed: Int64
  public var bytes: Int64

  public init(
    id: Int64 = 0, profile: String, startedAt: Int64, finishedAt: Int64? = nil, status: Int? = nil,
    uploaded: Int64 = 0, deleted: Int64 = 0, failed: Int64 = 0, bytes: Int64 = 0
  ) {
    self.id = id
    self.profile = profile
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.status = status
    self.uploaded = uploaded
    self.deleted = deleted
    self.failed = failed
    self.bytes = bytes
  }
}
