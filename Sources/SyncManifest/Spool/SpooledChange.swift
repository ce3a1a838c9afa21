/// One change of a run, as diff found it and plan decided it.
public struct SpooledChange: Sendable, Hashable {
  public enum Action: Int, Sendable, Hashable, CaseIterable {
    case upload = 1
    case delete
    /// The same content under another stamp: only the row changes.
    case touch
    /// Left as it is, and said why.
    case skip
    /// The contents have to be compared before it is known whether this is an upload or a touch.
    case check
    /// An upload that something on the remote stands in the way of.
    case conflict
  }

  /// Given by the spool when the change is appended.
  public var id: Int64
  /// Which of the run's mappings it belongs to, by index.
  public var directory: Int
  /// Relative to the mapping's source.
  public var path: [UInt8]
  /// The whole key, the remote's prefix included.
  public var key: [UInt8]
  public var action: Action
  /// In words, for the user.
  public var reason: String
  public var size: Int64
  /// The file as the scan saw it; nil where there is none.
  public var stamp: FileStamp?
  /// Whether the manifest has a row for the key.
  public var isRecorded: Bool
  /// 0 means one put.
  public var partSize: Int64
  /// Whether a deletion has to come before the uploads.
  public var isEarly: Bool

  public init(
    id: Int64 = 0, directory: Int, path: [UInt8], key: [UInt8], action: Action, reason: String,
    size: Int64 = 0,
    stamp: FileStamp? = nil, isRecorded: Bool = false, partSize: Int64 = 0, isEarly: Bool = false
  ) {
    self.id = id
    self.directory = directory
    self.path = path
    self.key = key
    self.action = action
    self.reason = reason
    self.size = size
    self.stamp = stamp
    self.isRecorded = isRecorded
    self.partSize = partSize
    self.isEarly = isEarly
  }
}

/// What the changes of one action add up to.
public struct SpoolTotals: Sendable, Hashable {
  public var count: Int64 = 0
  public var bytes: Int64 = 0
  /// Those whose key has a manifest row.
  public var recorded: Int64 = 0
  /// Those that go in parts, and how many parts that makes.
  public var multipart: Int64 = 0
  public var parts: Int64 = 0

  public init() {}
}
