/// What a plan will take, before anything is sent.
public struct PlanTotals: Sendable, Equatable {
  public var uploads: Int64 = 0
  public var uploadBytes: Int64 = 0
  /// Parts of files that are sent in parts.
  public var parts: Int64 = 0
  public var deletions: Int64 = 0
  /// Same content, other times: only the manifest is written.
  public var touches: Int64 = 0
  public var unchanged: Int64 = 0
  /// Gone here, but deleting is off.
  public var kept: Int64 = 0
  /// Can't be mirrored: unreadable, or a name that can't be a key.
  public var failures: Int64 = 0
  /// Rows of the manifest in the directories of the run.
  public var mirrored: Int64 = 0
  public var hidden = HiddenCounts()
  /// What sending takes where nothing has to be repeated.
  public var requests: Int64 = 0

  public init() {}

  /// Something will change on the remote.
  public var changesRemote: Bool { uploads > 0 || deletions > 0 }
}
