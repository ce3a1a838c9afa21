import SyncManifest

/// The rows of a target that nothing was mirrored to yet.
struct NoRows: RowStream {
  mutating func next() throws -> Bool { false }

  let key = UnsafeRawBufferPointer(start: nil, count: 0)
  let stamp = FileStamp(size: 0, modified: 0, changed: 0, inode: 0)
  let readAt: Int64 = 0
  let isInDoubt = false
  let isMultipart = false

  func hasOptions(_ fingerprint: [UInt8]) -> Bool { false }
}
