import GRDB

/// Stands on one row of a mapping after the other, in the order of the keys' bytes, over one snapshot. Nothing is
/// allocated for a row unless `row()` is asked for.
public struct RowCursor: ~Copyable {
  private let statement: Statement
  private let path: String
  private let fingerprints: [Int64: [UInt8]]

  init(_ statement: Statement, path: String, fingerprints: [Int64: [UInt8]]) {
    self.statement = statement
    self.path = path
    self.fingerprints = fingerprints
  }

  private var columns: Columns { Columns(statement: statement.sqliteStatement) }

  /// Goes on to the next row. What the properties tell is defined only after this returned true.
  /// - Returns: false behind the last row.
  public mutating func next() throws -> Bool {
    try translatingErrors(at: path) { try statement.step() }
  }

  /// The key's bytes; valid until the next call of `next()`.
  public var key: UnsafeRawBufferPointer { columns.buffer(RowCoding.Column.key) }

  public var stamp: FileStamp { RowCoding.stamp(columns, at: RowCoding.Column.size) }

  public var size: Int64 { columns.integer(RowCoding.Column.size) }

  public var readAt: Int64 { columns.integer(RowCoding.Column.readAt) }

  /// The object was sent in parts.
  public var isMultipart: Bool { columns.optionalInteger(RowCoding.Column.partSize) != nil }

  public var isInDoubt: Bool { columns.bool(RowCoding.Column.isInDoubt) }

  /// Whether the object was sent with the options of this fingerprint.
  public func hasOptions(_ fingerprint: [UInt8]) -> Bool { optionsFingerprint == fingerprint }

  private var optionsFingerprint: [UInt8] {
    fingerprints[columns.integer(RowCoding.Column.options)] ?? []
  }

  /// The whole row, copied.
  public func row() -> ManifestRow { RowCoding.row(columns, optionsFingerprint: optionsFingerprint) }
}

extension Manifest {
  /// Hands `body` a cursor over the rows of a mapping, in key order and constant memory. The whole of `body` sees
  /// one snapshot; writes go on beside it. It blocks the calling thread: call it on one of your own.
  public func withRows<Result>(
    of mapping: MappingID, _ body: (inout RowCursor) throws -> Result
  ) throws -> Result {
    try translatingErrors(at: path) {
      let scanner = try access.openScanner()
      let result = try scanner.read { db in try scan(mapping, in: db, body) }
      try scanner.close()
      return result
    }
  }

  private func scan<Result>(
    _ mapping: MappingID, in db: Database, _ body: (inout RowCursor) throws -> Result
  ) throws -> Result {
    let range = KeyRange(prefix: try Self.keyPrefix(of: mapping, in: db))
    let fingerprints = try db.all("SELECT id, fingerprint FROM options") { ($0.integer(0), $0.bytes(1)) }
    let statement = try range.bound(
      "SELECT \(RowCoding.columns) FROM object WHERE \(range.condition) AND mapping = ?3 ORDER BY key",
      mapping: mapping, in: db)
    var cursor = RowCursor(
      statement, path: path, fingerprints: Dictionary(fingerprints, uniquingKeysWith: { first, _ in first }))
    defer { statement.rewind() }
    return try body(&cursor)
  }

  /// The row of one key, whatever its mapping.
  public func row(for key: [UInt8]) throws -> ManifestRow? {
    try read { db in
      try db.first(
        """
        SELECT \(RowCoding.columns), (SELECT fingerprint FROM options WHERE id = object.options)
        FROM object WHERE key = ?
        """, .bytes(key)
      ) { RowCoding.row($0, optionsFingerprint: $0.bytes(13)) }
    }
  }

  /// How many objects of a mapping are on the remote, their bytes, and how many of them are in doubt.
  public func totals(of mapping: MappingID) throws -> (objects: Int64, bytes: Int64, inDoubt: Int64) {
    try read { db in
      let range = KeyRange(prefix: try Self.keyPrefix(of: mapping, in: db))
      let statement = try range.bound(
        """
        SELECT count(*), coalesce(sum(size), 0), coalesce(sum(in_doubt), 0)
        FROM object WHERE \(range.condition) AND mapping = ?3
        """, mapping: mapping, in: db)
      defer { statement.rewind() }
      guard try statement.step() else { return (0, 0, 0) }
      let columns = Columns(statement: statement.sqliteStatement)
      return (columns.integer(0), columns.integer(1), columns.integer(2))
    }
  }
}
