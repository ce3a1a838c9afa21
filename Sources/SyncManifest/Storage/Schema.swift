import GRDB

/// The tables of a manifest. A published migration is never edited: what changes is a further one.
enum Schema {
  /// In the file's header (`PRAGMA application_id`): "sync", so that no other program's database is taken for ours.
  static let applicationID: Int64 = 0x7379_6e63

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in
      try db.execute(sql: version1)
    }
    return migrator
  }

  static func migrate(_ queue: DatabaseQueue) throws {
    while true {
      let applied = try queue.read { try migrator.appliedMigrations($0) }
      do {
        return try migrator.migrate(queue)
      } catch {
        // GRDB looks before it locks: another process may have applied meanwhile what failed here.
        guard try queue.read({ try migrator.appliedMigrations($0) }).count > applied.count else {
          throw error
        }
      }
    }
  }

  /// Times are nanoseconds since 1970. A WITHOUT ROWID table is its own index in key order, which saves the
  /// second B-tree; an options fingerprint, the same in nearly all rows, is kept once and referred to.
  private static let version1 = """
    PRAGMA application_id = \(applicationID);

    CREATE TABLE identity (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      kind TEXT NOT NULL, endpoint TEXT NOT NULL, bucket TEXT NOT NULL, prefix TEXT NOT NULL
    ) STRICT;

    CREATE TABLE mapping (
      id INTEGER PRIMARY KEY,
      source BLOB NOT NULL,
      key_prefix BLOB NOT NULL,
      UNIQUE (source, key_prefix)
    ) STRICT;

    CREATE TABLE options (id INTEGER PRIMARY KEY, fingerprint BLOB NOT NULL UNIQUE) STRICT;

    CREATE TABLE object (
      key BLOB NOT NULL PRIMARY KEY,
      mapping INTEGER NOT NULL,
      size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL, inode INTEGER NOT NULL,
      read_at INTEGER NOT NULL,
      options INTEGER NOT NULL,
      in_doubt INTEGER NOT NULL,
      part_size INTEGER,
      digest BLOB NOT NULL,
      etag ANY, version TEXT, remote_id TEXT
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE upload (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      mapping INTEGER NOT NULL,
      key BLOB NOT NULL,
      size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL, inode INTEGER NOT NULL,
      part_size INTEGER NOT NULL,
      options INTEGER NOT NULL,
      intended_at INTEGER NOT NULL,
      upload_id TEXT
    ) STRICT;
    CREATE INDEX upload_key ON upload (key);

    CREATE TABLE part (
      upload INTEGER NOT NULL REFERENCES upload ON DELETE CASCADE,
      number INTEGER NOT NULL,
      size INTEGER NOT NULL, md5 BLOB NOT NULL, etag TEXT NOT NULL,
      PRIMARY KEY (upload, number)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE run (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      profile TEXT NOT NULL,
      started_at INTEGER NOT NULL, finished_at INTEGER, status INTEGER,
      uploaded INTEGER NOT NULL, deleted INTEGER NOT NULL, failed INTEGER NOT NULL, bytes INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX run_profile ON run (profile, id);
    """
}
