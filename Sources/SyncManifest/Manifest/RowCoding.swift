import GRDB

/// How a row of `object` is written and read.
enum RowCoding {
  /// First those that the diff compares.
  static let comparedColumns = "key, size, modified, changed, inode, read_at, options, in_doubt, part_size"
  static let columns = comparedColumns + ", digest, etag, version, remote_id"

  /// Positions in `columns`.
  enum Column {
    static let key: Int32 = 0
    static let size: Int32 = 1
    static let readAt: Int32 = 5
    static let options: Int32 = 6
    static let isInDoubt: Int32 = 7
    static let partSize: Int32 = 8
    static let digest: Int32 = 9
    static let etag: Int32 = 10
    static let version: Int32 = 11
    static let remoteID: Int32 = 12
  }

  static func row(_ columns: Columns, optionsFingerprint: [UInt8]) -> ManifestRow {
    let size = columns.integer(Column.size)
    let bytes = columns.bytes(Column.digest)
    let digest =
      columns.optionalInteger(Column.partSize).map { StoredDigest.md5OfParts(bytes, partSize: $0) }
      ?? .md5(bytes)
    return ManifestRow(
      key: columns.bytes(Column.key), stamp: stamp(columns, at: Column.size),
      readAt: columns.integer(Column.readAt), digest: digest, optionsFingerprint: optionsFingerprint,
      etag: etag(columns, size: size, digest: digest), version: columns.optionalText(Column.version),
      remoteID: columns.optionalText(Column.remoteID), isInDoubt: columns.bool(Column.isInDoubt))
  }

  /// The four columns of a stamp, from `first` on.
  static func stamp(_ columns: Columns, at first: Int32) -> FileStamp {
    FileStamp(
      size: columns.integer(first), modified: columns.integer(first + 1), changed: columns.integer(first + 2),
      inode: UInt64(bitPattern: columns.integer(first + 3)))
  }
}

/// An S3 object's ETag mostly is the digest once more, in print. One digit then stands for its 34 characters, a
/// third of a row: 1 for the bare form, 2 for the quoted.
extension RowCoding {
  static func etag(_ row: ManifestRow) -> SQLValue {
    guard let etag = row.etag else { return .null }
    let printed = printed(row.digest, size: row.stamp.size)
    if etag.utf8.elementsEqual(printed.utf8) { return .integer(1) }
    if etag.utf8.elementsEqual("\"\(printed)\"".utf8) { return .integer(2) }
    return .text(etag)
  }

  private static func etag(_ columns: Columns, size: Int64, digest: StoredDigest) -> String? {
    let column = Column.etag
    guard !columns.isNull(column) else { return nil }
    guard columns.isInteger(column) else { return columns.text(column) }
    let printed = printed(digest, size: size)
    return columns.integer(column) == 2 ? "\"\(printed)\"" : printed
  }

  /// As S3 prints a digest: in hexadecimal, that of parts with their count behind a dash.
  private static func printed(_ digest: StoredDigest, size: Int64) -> String {
    switch digest {
    case .md5(let bytes): hex(bytes)
    case .md5OfParts(let bytes, let partSize):
      "\(hex(bytes))-\(partSize > 0 ? max(1, (size - 1) / partSize + 1) : 0)"
    }
  }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble + (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      for (index, byte) in bytes.enumerated() {
        text[2 * index] = digit(byte >> 4)
        text[2 * index + 1] = digit(byte & 15)
      }
      return 2 * bytes.count
    }
  }
}
