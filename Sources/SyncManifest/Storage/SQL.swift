import GRDB
import GRDBSQLite

/// SQLite at the level of its C interface, under GRDB's connections and transactions: keys are [UInt8] everywhere
/// here, and a detour over Foundation's Data would cost an allocation for each of a million rows.
enum SQLValue {
  case integer(Int64)
  case bytes([UInt8])
  case text(String)
  case null

  static func bool(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
  static func integer(_ value: Int64?) -> SQLValue { value.map { .integer($0) } ?? .null }
  static func text(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }
}

/// The columns of the row that a statement stands on; valid until it steps.
struct Columns {
  let statement: SQLiteStatement

  func isNull(_ index: Int32) -> Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

  func integer(_ index: Int32) -> Int64 { sqlite3_column_int64(statement, index) }

  func isInteger(_ index: Int32) -> Bool { sqlite3_column_type(statement, index) == SQLITE_INTEGER }

  func bool(_ index: Int32) -> Bool { integer(index) != 0 }

  func optionalInteger(_ index: Int32) -> Int64? { isNull(index) ? nil : integer(index) }

  /// The bytes where SQLite keeps them.
  func buffer(_ index: Int32) -> UnsafeRawBufferPointer {
    // The blob is asked for before its length: the length could change by the conversion.
    let start = sqlite3_column_blob(statement, index)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index)))
  }

  func bytes(_ index: Int32) -> [UInt8] { [UInt8](buffer(index)) }

  func text(_ index: Int32) -> String { String(decoding: buffer(index), as: UTF8.self) }

  func optionalText(_ index: Int32) -> String? { isNull(index) ? nil : text(index) }
}

extension Database {
  /// Runs a statement that returns no rows.
  /// - Returns: how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ values: SQLValue...) throws -> Int {
    try cachedStatement(sql: sql).run(values)
  }

  /// Every row that a query returns.
  func all<Value>(_ sql: String, _ values: SQLValue..., read: (Columns) throws -> Value) throws -> [Value] {
    let statement = try bound(sql, values)
    defer { statement.rewind() }
    var rows: [Value] = []
    while try statement.step() { rows.append(try read(Columns(statement: statement.sqliteStatement))) }
    return rows
  }

  /// The first row that a query returns, nil without any.
  func first<Value>(_ sql: String, _ values: SQLValue..., read: (Columns) throws -> Value) throws -> Value? {
    let statement = try bound(sql, values)
    defer { statement.rewind() }
    return try statement.step() ? try read(Columns(statement: statement.sqliteStatement)) : nil
  }

  /// The prepared statement for `sql`, kept for the next time, with `values` in its places.
  func bound(_ sql: String, _ values: [SQLValue]) throws -> Statement {
    let statement = try cachedStatement(sql: sql)
    try statement.bind(values)
    return statement
  }
}

extension Statement {
  /// Runs a statement that returns no rows; for loops, which needn't look it up each time.
  /// - Returns: how many rows it changed.
  @discardableResult
  func run(_ values: [SQLValue]) throws -> Int {
    try bind(values)
    defer { rewind() }
    while try step() {}
    return Int(sqlite3_changes(sqlite3_db_handle(sqliteStatement)))
  }

  fileprivate func bind(_ values: [SQLValue]) throws {
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
  }

  /// - Returns: whether the statement stands on a row now.
  func step() throws -> Bool {
    switch sqlite3_step(sqliteStatement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  /// Ends the statement, which also lets go of what it holds of the snapshot.
  func rewind() { sqlite3_reset(sqliteStatement) }

  private func bind(_ value: SQLValue, at index: Int32) throws {
    let code =
      switch value {
      case .integer(let number): sqlite3_bind_int64(sqliteStatement, index, number)
      case .null: sqlite3_bind_null(sqliteStatement, index)
      case .text(let text):
        sqlite3_bind_text(sqliteStatement, index, text, Int32(text.utf8.count), Self.copied)
      case .bytes(let bytes): bind(bytes, at: index)
      }
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private func bind(_ bytes: [UInt8], at index: Int32) -> Int32 {
    // An empty array may have no address, and SQLite takes nil for NULL.
    if bytes.isEmpty { return sqlite3_bind_zeroblob(sqliteStatement, index, 0) }
    return sqlite3_bind_blob64(sqliteStatement, index, bytes, UInt64(bytes.count), Self.copied)
  }

  /// SQLITE_TRANSIENT, a macro that Swift can't import: SQLite copies the value before the call returns.
  private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  private func failure(_ code: Int32) -> DatabaseError {
    let message = sqlite3_errmsg(sqlite3_db_handle(sqliteStatement)).map { String(cString: $0) }
    return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
  }
}
