import GRDB

/// A mapping of a source directory to a key prefix, as one manifest numbers it.
public struct MappingID: Sendable, Hashable {
  public let rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// What is known to be on one target: objects, uploads in progress, and the runs that made them.
///
/// One SQLite file per target, in WAL mode with `synchronous=FULL`: when a write returns it survives a power cut.
/// Several processes may have the file open; writes take turns, reads wait for nobody.
/// Every method throws `ManifestError`, except that errors of closures handed in pass through.
public final class Manifest: Sendable {
  /// Where the file is.
  public let path: String

  let access: ManifestAccess
  let commits: GroupCommit

  init(path: String, access: ManifestAccess) {
    self.path = path
    self.access = access
    commits = GroupCommit(access.writer)
  }

  /// Opens the target's manifest for a run, making the state directory (0700) and the file (0600) where missing.
  /// - Throws: `ManifestError.otherTarget`, `.newerSchema`, `.damaged`, `.busy`, `.diskFull` or `.io`.
  public static func open(stateDirectory: String, identity: ManifestIdentity) throws -> Manifest {
    let file = ManifestFile(stateDirectory: stateDirectory, identity: identity)
    return try translatingErrors(at: file.path) {
      try file.createIfMissing(for: identity)
      return Manifest(path: file.path, access: try ManifestAccess.readWrite(file, identity: identity))
    }
  }

  /// Opens the target's manifest only to read it, for `plan` and `status`: after `close()` no file has been
  /// changed or added. Writes fail. When the last run was killed, its log still lies beside the file and reading
  /// would fold it in; so then, and when the schema is an older one, a private copy is read.
  /// - Returns: nil where there is no manifest yet.
  public static func openExisting(stateDirectory: String, identity: ManifestIdentity) throws -> Manifest? {
    let file = ManifestFile(stateDirectory: stateDirectory, identity: identity)
    guard file.exists else { return nil }
    return try translatingErrors(at: file.path) {
      Manifest(path: file.path, access: try ManifestAccess.readOnly(file, identity: identity))
    }
  }

  /// Closes the file, folding the log into it. Using the manifest afterwards is an error.
  public func close() throws {
    try translatingErrors(at: path) { try access.close() }
  }
}

extension Manifest {
  /// Without a transaction: a single SELECT is its own snapshot, and a BEGIN would cost more than it.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try translatingErrors(at: path) { try access.reader.unsafeRead(body) }
  }

  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try translatingErrors(at: path) {
      try access.writer.writeWithoutTransaction { db in
        var value: Value?
        try db.inTransaction(.immediate) {
          value = try body(db)
          return .commit
        }
        guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return value
      }
    }
  }

  /// As `GroupCommit.perform`.
  @discardableResult
  func commit(_ body: @escaping @Sendable (Database) throws -> Int64) async throws -> Int64 {
    do {
      return try await commits.perform(body)
    } catch let error as DatabaseError {
      throw ManifestError(error, path: path)
    }
  }
}
