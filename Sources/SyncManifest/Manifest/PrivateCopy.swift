import Foundation
import GRDB

/// A copy of a manifest in the directory for temporary files, removed with its last reference.
final class PrivateCopy: Sendable {
  let path: String
  private let directory: String

  /// Copies a manifest that can't be read in place without being written to: one whose log was left behind by a
  /// process that died (the next connection folds it in), or one of an older schema.
  /// - Returns: nil when it can be read where it is.
  static func ifNeeded(of path: String) throws -> PrivateCopy? {
    let log = path + "-wal"
    if let status = FileStatus(log), status.size > 0, FileStatus(path + "-shm") != nil {
      return try copyOfUnfolded(path, log: log)
    }
    let source = try DatabaseQueue(path: path, configuration: queryOnly)
    defer { try? source.close() }
    let isOlder = try source.read { db in
      try Int64.fetchOne(db, sql: "PRAGMA application_id") == Schema.applicationID
        && !Schema.migrator.hasCompletedMigrations(db)
        && !Schema.migrator.hasBeenSuperseded(db)
    }
    return isOlder ? try PrivateCopy(of: source) : nil
  }

  /// With `readonly_shm`, SQLite reads a log that no living process has open without touching any file. It doesn't
  /// hold off a process that begins to write meanwhile, so a copy counts only if nothing has moved; a log that
  /// moves has a living writer, beside whom reading in place changes nothing.
  private static func copyOfUnfolded(_ path: String, log: String) throws -> PrivateCopy? {
    for _ in 0..<3 {
      let before = [FileStatus(path), FileStatus(log)]
      let source = try DatabaseQueue(path: uri(path), configuration: readOnly)
      defer { try? source.close() }
      let copy = try PrivateCopy(of: source)
      if before == [FileStatus(path), FileStatus(log)] { return copy }
      copy.remove()
    }
    return nil
  }

  private init(of source: DatabaseQueue) throws {
    let base = TemporaryFiles.directory
    var template = Array("\(base)/sync-manifest-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ManifestError.io(path: base, detail: "no temporary directory can be made: \(SystemError.last)")
    }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = directory + "/manifest.sqlite"
    do {
      let target = try DatabaseQueue(path: path)
      try source.backup(to: target)
      // A newer schema or another program's database is left for the caller to refuse.
      if try target.read({
        try Schema.migrator.appliedIdentifiers($0).isSubset(of: Schema.migrator.migrations)
      }) {
        try Schema.migrator.migrate(target)
      }
      try target.close()
    } catch {
      remove()
      throw error
    }
  }

  deinit { remove() }

  func remove() { try? FileManager.default.removeItem(atPath: directory) }

  private static var queryOnly: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA query_only = ON") }
    return configuration
  }

  private static var readOnly: Configuration {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(10)
    return configuration
  }

  private static func uri(_ path: String) -> String {
    let reserved: [UInt8: String] = [0x25: "%25", 0x3f: "%3f", 0x23: "%23"]
    let escaped = path.utf8.flatMap { byte in reserved[byte].map { Array($0.utf8) } ?? [byte] }
    return "file:\(String(decoding: escaped, as: UTF8.self))?mode=ro&readonly_shm=1"
  }
}
