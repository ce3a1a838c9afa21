import Foundation
import GRDB

/// The connections to a manifest's file: one that writes, one for single reads, and one for each scan, whose
/// snapshot would otherwise keep the other reads waiting.
struct ManifestAccess: Sendable {
  let writer: DatabaseQueue
  let reader: DatabaseQueue
  private let path: String
  private let configuration: Configuration
  /// Set when a private copy is read.
  private let copy: PrivateCopy?

  static func readWrite(_ file: ManifestFile, identity: ManifestIdentity) throws -> ManifestAccess {
    let writer = try DatabaseQueue(path: file.path, configuration: configuration(isReadOnly: false))
    try writer.writeWithoutTransaction { db in
      try prove(db, at: file.path)
      _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
    try Schema.migrate(writer)
    try writer.write { db in try claim(db, for: identity, at: file.path) }
    return try ManifestAccess(
      writer: writer, path: file.path, configuration: configuration(isReadOnly: true), copy: nil)
  }

  static func readOnly(_ file: ManifestFile, identity: ManifestIdentity) throws -> ManifestAccess {
    let copy = try PrivateCopy.ifNeeded(of: file.path)
    let path = copy?.path ?? file.path
    let configuration = configuration(isReadOnly: true)
    let writer = try DatabaseQueue(path: path, configuration: configuration)
    // Not `read`, which would leave query_only off behind it.
    try writer.unsafeRead { db in
      try prove(db, at: file.path)
      guard let found = try storedIdentity(db) else {
        throw ManifestError.damaged(path: file.path, detail: "it names no target")
      }
      try compare(found, with: identity, at: file.path)
    }
    return try ManifestAccess(writer: writer, path: path, configuration: configuration, copy: copy)
  }

  private init(
    writer: DatabaseQueue, path: String, configuration: Configuration, copy: PrivateCopy?
  ) throws {
    self.writer = writer
    self.path = path
    self.configuration = configuration
    self.copy = copy
    reader = try DatabaseQueue(path: path, configuration: configuration)
  }

  /// A connection of its own, for one scan.
  func openScanner() throws -> DatabaseQueue {
    try DatabaseQueue(path: path, configuration: configuration)
  }

  func close() throws {
    try reader.close()
    // The last connection of all processes folds the log in and removes it. Where another process goes on, the
    // log is cut as far as that process allows, without waiting for it.
    try writer.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA busy_timeout = 0")
      _ = try? db.checkpoint(.truncate)
    }
    try writer.close()
    copy?.remove()
  }

  /// Another process may hold the lock while it marks a plan of a million rows.
  private static let busyTimeout: TimeInterval = 60

  private static func configuration(isReadOnly: Bool) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(busyTimeout)
    configuration.label = "manifest"
    // Not SQLite's read-only mode: a connection that may not write leaves the log's index file behind.
    if isReadOnly {
      configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA query_only = ON") }
    }
    return configuration
  }
}

extension ManifestAccess {
  /// - Throws: `ManifestError` unless the file is empty or a manifest of a schema that we know.
  private static func prove(_ db: Database, at path: String) throws {
    let application = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
    if application == Schema.applicationID {
      if try Schema.migrator.hasBeenSuperseded(db) { throw ManifestError.newerSchema(path: path) }
    } else if tables > 0 {
      throw ManifestError.damaged(path: path, detail: "it is a database of another program")
    }
  }

  /// Writes the target's identity into a new file, or compares it with the one that stands there.
  private static func claim(_ db: Database, for identity: ManifestIdentity, at path: String) throws {
    if let found = try storedIdentity(db) { return try compare(found, with: identity, at: path) }
    try db.run(
      "INSERT INTO identity (id, kind, endpoint, bucket, prefix) VALUES (1, ?, ?, ?, ?)",
      .text(identity.kind), .text(identity.endpoint), .text(identity.bucket), .text(identity.prefix))
  }

  private static func storedIdentity(_ db: Database) throws -> ManifestIdentity? {
    try db.first("SELECT kind, endpoint, bucket, prefix FROM identity") { row in
      ManifestIdentity(kind: row.text(0), endpoint: row.text(1), bucket: row.text(2), prefix: row.text(3))
    }
  }

  private static func compare(
    _ found: ManifestIdentity, with wanted: ManifestIdentity, at path: String
  ) throws(ManifestError) {
    guard found == wanted else { throw .otherTarget(path: path, wanted: wanted, found: found) }
  }
}
