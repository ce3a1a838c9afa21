/// What a remote can do and how it wants to be treated, as data: the planner sizes by it, the conformance suite
/// chooses its promises by it, `sync backends` prints it.
public struct Capabilities: Sendable, Equatable {
  public enum Operation: String, Sendable, CaseIterable {
    case put
    case multipart
    case listParts = "list_parts"
    case listUploads = "list_uploads"
    case stat
    case read
    case list
    case delete
  }

  /// Limits of multipart uploads. Sizes in bytes; the last part may be smaller than `minimumSize`.
  public struct Parts: Sendable, Equatable {
    public enum Order: String, Sendable { case any, ascending }

    public var minimumSize: Int64
    public var maximumSize: Int64
    public var maximumCount: Int
    public var order: Order
    /// Parts of one upload that may be under way at once; nil for no limit of the remote's own.
    public var concurrency: Int?

    public init(
      minimumSize: Int64, maximumSize: Int64, maximumCount: Int, order: Order = .any, concurrency: Int? = nil
    ) {
      self.minimumSize = minimumSize
      self.maximumSize = maximumSize
      self.maximumCount = maximumCount
      self.order = order
      self.concurrency = concurrency
    }
  }

  /// Which names the remote takes.
  public struct Keys: Sendable, Equatable {
    /// Of the whole key, prefix included, in bytes.
    public var maximumBytes: Int
    /// Of what stands between two slashes; nil for no limit.
    public var maximumSegmentBytes: Int?

    public init(maximumBytes: Int, maximumSegmentBytes: Int? = nil) {
      self.maximumBytes = maximumBytes
      self.maximumSegmentBytes = maximumSegmentBytes
    }
  }

  /// How many keys one delete takes, and which it can carry.
  public struct DeleteBatch: Sendable, Equatable {
    public enum Alphabet: String, Sendable {
      case any
      /// Keys with characters that XML 1.0 cannot carry (U+0001, U+FFFE …) go singly.
      case xml
    }

    public var maximumCount: Int
    public var alphabet: Alphabet

    public init(maximumCount: Int, alphabet: Alphabet = .any) {
      self.maximumCount = maximumCount
      self.alphabet = alphabet
    }
  }

  public enum ListOrder: String, Sendable { case bytes, none }

  public var operations: Set<Operation>
  /// Bytes that one `put` takes.
  public var maximumPutSize: Int64
  public var maximumObjectSize: Int64
  /// nil where `operations` lacks `multipart`.
  public var parts: Parts?
  public var keys: Keys
  public var deleteBatch: DeleteBatch
  /// Digests to be handed in with every put.
  public var putDigests: Set<DigestAlgorithm>
  /// Digests to be handed in with every part.
  public var partDigests: Set<DigestAlgorithm>
  public var listOrder: ListOrder
  /// Keys are paths: `a` and `a/b` cannot both exist.
  public var isHierarchical: Bool
  /// User metadata is stored with an object.
  public var storesMetadata: Bool
  /// `Payload.Source.object` is taken.
  public var copies: Bool

  public init(
    operations: Set<Operation>, maximumPutSize: Int64, maximumObjectSize: Int64, parts: Parts?, keys: Keys,
    deleteBatch: DeleteBatch, putDigests: Set<DigestAlgorithm> = [], partDigests: Set<DigestAlgorithm> = [],
    listOrder: ListOrder, isHierarchical: Bool, storesMetadata: Bool, copies: Bool
  ) {
    self.operations = operations
    self.maximumPutSize = maximumPutSize
    self.maximumObjectSize = maximumObjectSize
    self.parts = parts
    self.keys = keys
    self.deleteBatch = deleteBatch
    self.putDigests = putDigests
    self.partDigests = partDigests
    self.listOrder = listOrder
    self.isHierarchical = isHierarchical
    self.storesMetadata = storesMetadata
    self.copies = copies
  }
}
