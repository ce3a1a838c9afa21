import SyncBackend

/// What a bucket in memory pretends to be. Sizes in bytes.
public struct MemoryLimits: Sendable {
  public var capabilities: Capabilities
  /// Entries on a page of any listing.
  public var pageSize: Int

  /// Like S3, with parts as small as a test likes.
  public init(
    minimumPartSize: Int64 = 1, maximumPartCount: Int = 10_000, partOrder: Capabilities.Parts.Order = .any,
    maximumObjectSize: Int64 = 1 << 40, maximumPutSize: Int64 = 5 << 30, maximumKeyBytes: Int = 1024,
    deleteBatch: Capabilities.DeleteBatch = .init(maximumCount: 1000), pageSize: Int = 1000,
    listOrder: Capabilities.ListOrder = .bytes, isHierarchical: Bool = false, storesMetadata: Bool = true,
    copies: Bool = true, operations: Set<Capabilities.Operation> = Set(Capabilities.Operation.allCases)
  ) {
    self.pageSize = pageSize
    let parts = Capabilities.Parts(
      minimumSize: minimumPartSize, maximumSize: 5 << 30, maximumCount: maximumPartCount, order: partOrder)
    capabilities = Capabilities(
      operations: operations, maximumPutSize: maximumPutSize, maximumObjectSize: maximumObjectSize,
      parts: operations.contains(.multipart) ? parts : nil, keys: .init(maximumBytes: maximumKeyBytes),
      deleteBatch: deleteBatch, putDigests: [.md5], partDigests: [.md5], listOrder: listOrder,
      isHierarchical: isHierarchical, storesMetadata: storesMetadata, copies: copies)
  }
}
