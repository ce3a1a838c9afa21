import GRDB
import Synchronization

/// The changes of one run, on disk: a run may have a million of them, and they are wanted in more than one order.
///
/// It is a temporary SQLite database (under `$TMPDIR`) whose file has no name from the start, so that nothing is
/// left behind by any death. Memory stays at about 3 MiB. Every method throws `ManifestError`.
public final class ChangeSpool: Sendable {
  public enum Order: Sendable, Hashable {
    /// By the bytes of the key.
    case key
    /// By size, the largest first; among equals the earliest appended first.
    case largestFirst
  }

  private struct Pending {
    var changes: [SpooledChange] = []
    var indexed: Set<Order> = []
  }

  private static let batch = 512

  private let queue: DatabaseQueue
  private let pending = Mutex(Pending())

  public init() throws {
    var configuration = Configuration()
    configuration.label = "spool"
    configuration.prepareDatabase { db in
      // No journal: a spool that breaks ends the run, and is never rolled back.
      try db.execute(
        sql: """
          PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2048;
          PRAGMA temp_store = FILE; PRAGMA secure_delete = OFF
          """)
    }
    queue = try Self.translating {
      // SQLite's name for a private database on disk.
      let queue = try DatabaseQueue(path: "", configuration: configuration)
      try queue.writeWithoutTransaction { try $0.execute(sql: Self.schema) }
      return queue
    }
  }

  /// `rank` is the negative size, so that both orders are ascending and a page can go on by one comparison.
  private static let schema = """
    CREATE TABLE change (
      id INTEGER PRIMARY KEY,
      directory INTEGER NOT NULL, path BLOB NOT NULL, key BLOB NOT NULL,
      action INTEGER NOT NULL, reason TEXT NOT NULL,
      rank INTEGER NOT NULL, modified INTEGER, changed INTEGER, inode INTEGER, stamp_size INTEGER,
      is_recorded INTEGER NOT NULL, part_size INTEGER NOT NULL, is_early INTEGER NOT NULL
    )
    """

  /// Adds a change. Its `id` is ignored: ids count from 1 in the order of appending.
  public func append(_ change: SpooledChange) throws {
    let full: [SpooledChange]? = pending.withLock { pending in
      pending.changes.append(change)
      guard pending.changes.count >= Self.batch else { return nil }
      defer { pending.changes.removeAll(keepingCapacity: true) }
      return pending.changes
    }
    if let full { try access { try Self.insert(full, into: $0) } }
  }

  /// Decides anew about a change.
  public func update(_ id: Int64, action: SpooledChange.Action, reason: String) throws {
    try flushed { db in
      try db.run(
        "UPDATE change SET action = ?, reason = ? WHERE id = ?",
        .integer(Int64(action.rawValue)), .text(reason), .integer(id))
    }
  }

  /// Takes a change out.
  public func remove(_ id: Int64) throws {
    try flushed { db in try db.run("DELETE FROM change WHERE id = ?", .integer(id)) }
  }

  private static func insert(_ changes: [SpooledChange], into db: Database) throws {
    let insert = try db.cachedStatement(
      sql: "INSERT INTO change VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    try db.inTransaction {
      for change in changes {
        try insert.run([
          .integer(Int64(change.directory)), .bytes(change.path), .bytes(change.key),
          .integer(Int64(change.action.rawValue)), .text(change.reason), .integer(-change.size),
          .integer(change.stamp?.modified), .integer(change.stamp?.changed),
          .integer((change.stamp?.inode).map { Int64(bitPattern: $0) }), .integer(change.stamp?.size),
          .bool(change.isRecorded), .integer(change.partSize), .bool(change.isEarly),
        ])
      }
      return .commit
    }
  }
}

extension ChangeSpool {
  /// Runs `body` once everything appended so far is in the database.
  @discardableResult
  func flushed<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let waiting = pending.withLock { pending in
      defer { pending.changes.removeAll(keepingCapacity: true) }
      return pending.changes
    }
    return try access { db in
      if !waiting.isEmpty { try Self.insert(waiting, into: db) }
      return try body(db)
    }
  }

  /// As `flushed`, with the index that `order` wants. Indexes are made only now: one sort over a finished table
  /// is far cheaper than a million insertions all over a B-tree that doesn't fit into the cache.
  func ordered<Value>(_ order: Order, _ body: (Database) throws -> Value) throws -> Value {
    try flushed { db in
      if pending.withLock({ $0.indexed.insert(order).inserted }) {
        switch order {
        case .key: try db.execute(sql: "CREATE INDEX change_key ON change (key)")
        case .largestFirst: try db.execute(sql: "CREATE INDEX change_rank ON change (rank)")
        }
      }
      return try body(db)
    }
  }

  private func access<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try Self.translating { try queue.writeWithoutTransaction(body) }
  }

  private static func translating<Value>(_ body: () throws -> Value) throws -> Value {
    try translatingErrors(at: "\(TemporaryFiles.directory) (a temporary file for the list of changes)", body)
  }
}
