import GRDB

/// Stands on one row of a mapping after the other, in the order of the keys' bytes, over one snapshot. Nothing is
/// allocated for a row unless `row()` is asked for.
public struct RowCursor: ~Copyable {
  private let statement: Statement
  private let database: Database
  private let path: String
  /// By the numbers that stand for them in rows, which are few and small.
  private let fingerprints: [[UInt8]]

  init(_ statement: Statement, of database: Database, path: String, fingerprints: [[UInt8]]) {
    self.statement = statement
    self.database = database
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
  public func hasOptions(_ fingerprint: [UInt8]) -> Bool {
    fingerprints[Int(columns.integer(RowCoding.Column.options))] == fingerprint
  }

  /// The whole row. What no comparison needs is looked up only now, in the same snapshot.
  public func row() throws -> ManifestRow {
    let key = columns.bytes(RowCoding.Column.key)
    return try translatingErrors(at: path) {
      guard let row = try Manifest.row(for: key, in: database) else {
        throw ManifestError.damaged(path: path, detail: "a row is there in one order and missing in another")
      }
      return row
    }
  }
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
    let statement = try range.bound(
      "SELECT \(RowCoding.comparedColumns) FROM object WHERE \(range.condition) AND mapping = ?3 ORDER BY key",
      mapping: mapping, in: db)
    var cursor = RowCursor(statement, of: db, path: path, fingerprints: try Self.fingerprints(in: db))
    defer { statement.rewind() }
    return try body(&cursor)
  }

  /// The fingerprints, each at the index that is its number; numbers are given from 1 on without a gap.
  private static func fingerprints(in db: Database) throws -> [[UInt8]] {
    [[]] + (try db.all("SELECT fingerprint FROM options ORDER BY id") { $0.bytes(0) })
  }

  /// The row of one key, whatever its mapping.
  public func row(for key: [UInt8]) throws -> ManifestRow? {
    try read { db in try Self.row(for: key, in: db) }
  }

  fileprivate static func row(for key: [UInt8], in db: Database) throws -> ManifestRow? {
    try db.first(selectRow, .bytes(key)) { RowCoding.row($0, optionsFingerprint: $0.bytes(13)) }
  }

  private static let selectRow = """
    SELECT \(RowCoding.columns), (SELECT fingerprint FROM options WHERE id = object.options)
    FROM object WHERE key = ?
    """

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
