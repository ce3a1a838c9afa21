import Foundation
import GRDB
import SyncManifest
import TestSupport
import Testing

@Suite("Opening a manifest")
struct OpeningTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func open(_ identity: ManifestIdentity = target) throws -> Manifest {
    try Manifest.open(stateDirectory: directory.path, identity: identity)
  }

  @Test("The state directory is made for its owner alone, and so is the file")
  func modes() throws {
    let state = directory.path + "/a/b"
    let manifest = try Manifest.open(stateDirectory: state, identity: target)
    #expect(try mode(directory.path + "/a") == 0o700)
    #expect(try mode(state) == 0o700)
    #expect(try mode(manifest.path) == 0o600)
    #expect(try mode(manifest.path + "-wal") == 0o600)
    try manifest.close()
  }

  @Test("After closing, one file is left")
  func oneFile() async throws {
    let manifest = try open()
    _ = try await manifest.mapping(source: [1], keyPrefix: [])
    try manifest.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 1)
  }

  @Test("Its name is readable, and tells apart what the words don't")
  func names() throws {
    var names: Set<String> = []
    let others = [
      target,
      ManifestIdentity(kind: "s3", endpoint: "http://127.0.0.1:9000", bucket: "mirror", prefix: "laptop/"),
      ManifestIdentity(kind: "s3", endpoint: "http://127.0.0.1:9000", bucket: "Mirror", prefix: "laptop"),
      ManifestIdentity(kind: "s3", endpoint: "http://127.0.0.1:9000laptop/", bucket: "Mirror", prefix: ""),
      ManifestIdentity(kind: "s3", endpoint: "", bucket: "Mirror", prefix: "\u{e9}/"),
      ManifestIdentity(kind: "s3", endpoint: "", bucket: "Mirror", prefix: "e\u{301}/"),
    ]
    for identity in others {
      let manifest = try open(identity)
      names.insert(URL(fileURLWithPath: manifest.path).lastPathComponent)
      try manifest.close()
    }
    #expect(names.count == others.count)
    #expect(names.allSatisfy { $0.hasPrefix("s3-mirror") && $0.hasSuffix(".sqlite") })
  }

  @Test("Composed and decomposed accents are two targets")
  func canonicalEquivalence() {
    let composed = ManifestIdentity(kind: "s3", endpoint: "", bucket: "b", prefix: "\u{e9}")
    let decomposed = ManifestIdentity(kind: "s3", endpoint: "", bucket: "b", prefix: "e\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test("A file of another target is refused, by the name of both")
  func identityMismatch() throws {
    let mine = try open()
    try mine.close()
    let other = ManifestIdentity(kind: "local", endpoint: "", bucket: "/mnt/nas", prefix: "")
    let others = try open(other)
    try others.close()
    try FileManager.default.removeItem(atPath: mine.path)
    try FileManager.default.copyItem(atPath: others.path, toPath: mine.path)
    let refusal = ManifestError.otherTarget(path: mine.path, wanted: target, found: other)
    #expect(throws: refusal) { try open() }
    #expect(throws: refusal) { try Manifest.openExisting(stateDirectory: directory.path, identity: target) }
    #expect(refusal.description.contains("/mnt/nas") && refusal.description.contains("Mirror"))
  }

  @Test("A schema of a later version is refused")
  func newerSchema() throws {
    let manifest = try open()
    try manifest.close()
    let database = try DatabaseQueue(path: manifest.path)
    try database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('from the future')") }
    try database.close()
    #expect(throws: ManifestError.newerSchema(path: manifest.path)) { try open() }
    #expect(throws: ManifestError.newerSchema(path: manifest.path)) {
      try Manifest.openExisting(stateDirectory: directory.path, identity: target)
    }
  }

  @Test("What is no database, or another program's, is refused and left alone", arguments: [true, false])
  func foreign(isDatabase: Bool) throws {
    let manifest = try open()
    try manifest.close()
    try FileManager.default.removeItem(atPath: manifest.path)
    if isDatabase {
      let database = try DatabaseQueue(path: manifest.path)
      try database.write { try $0.execute(sql: "CREATE TABLE bookmark (url TEXT)") }
      try database.close()
    } else {
      try Data(repeating: 0x58, count: 5000).write(to: URL(fileURLWithPath: manifest.path))
    }
    let before = try Listing(directory.path)
    #expect {
      try open()
    } throws: { error in
      guard case .damaged = error as? ManifestError else { return false }
      return true
    }
    #expect(try Listing(directory.path) == before)
  }

  @Test("A state directory that can't be made is an error that names it")
  func notADirectory() throws {
    let file = try directory.write("x", to: "file")
    #expect {
      try Manifest.open(stateDirectory: file + "/state", identity: target)
    } throws: { error in
      guard case .io(file + "/state", _) = error as? ManifestError else { return false }
      return true
    }
  }

  @Test("Many that open a new target at once all get it")
  func race() async throws {
    try await withThrowingTaskGroup(of: MappingID.self) { group in
      for _ in 0..<8 {
        group.addTask { [path = directory.path] in
          let manifest = try Manifest.open(stateDirectory: path, identity: target)
          let id = try await manifest.mapping(source: bytes("/src"), keyPrefix: [])
          try manifest.close()
          return id
        }
      }
      var ids: Set<MappingID> = []
      for try await id in group { ids.insert(id) }
      #expect(ids.count == 1)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 1)
  }

  @Test("A manifest of schema version 1 is read by this version")
  func version1() async throws {
    let probe = try open()
    try probe.close()
    try FileManager.default.removeItem(atPath: probe.path)
    let database = try DatabaseQueue(path: probe.path)
    try await database.writeWithoutTransaction { try $0.execute(sql: Version1.sql) }
    try database.close()

    let manifest = try open()
    let mapping = try #require(try manifest.existingMapping(source: bytes("/src"), keyPrefix: bytes("p/")))
    #expect(try manifest.row(for: bytes("p/a")) == Version1.row)
    #expect(try manifest.allRows(of: mapping).map(\.key) == [bytes("p/a"), bytes("p/b")])
    let upload = try #require(try manifest.upload(for: bytes("p/big")))
    #expect(upload.uploadID == "U1")
    #expect(try manifest.parts(of: upload.id) == [PartRecord(number: 1, size: 5, md5: [7, 8], etag: "e1")])
    #expect(try manifest.lastRuns(profile: "photos", limit: 9).map(\.status) == [0])
    try manifest.close()
  }
}

/// A manifest as version 1 of the schema wrote it. Frozen: a later version must be able to read it.
enum Version1 {
  static let row = ManifestRow(
    key: bytes("p/a"), stamp: FileStamp(size: 10, modified: 20, changed: 30, inode: .max), readAt: 50,
    digest: .md5OfParts([0xab, 0xcd], partSize: 4), optionsFingerprint: [1, 2], etag: "\"abcd-3\"",
    version: "v",
    remoteID: "r")

  static let sql = """
    PRAGMA application_id = 1937337955;
    PRAGMA journal_mode = WAL;
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('1');
    CREATE TABLE identity (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      kind TEXT NOT NULL, endpoint TEXT NOT NULL, bucket TEXT NOT NULL, prefix TEXT NOT NULL
    ) STRICT;
    INSERT INTO identity VALUES (1, 's3', 'http://127.0.0.1:9000', 'Mirror', 'laptop/');
    CREATE TABLE mapping (
      id INTEGER PRIMARY KEY, source BLOB NOT NULL, key_prefix BLOB NOT NULL, UNIQUE (source, key_prefix)
    ) STRICT;
    INSERT INTO mapping VALUES (1, CAST('/src' AS BLOB), CAST('p/' AS BLOB));
    CREATE TABLE options (id INTEGER PRIMARY KEY, fingerprint BLOB NOT NULL UNIQUE) STRICT;
    INSERT INTO options VALUES (1, X'0102');
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
    INSERT INTO object VALUES
      (CAST('p/a' AS BLOB), 1, 10, 20, 30, -1, 50, 1, 0, 4, X'ABCD', 2, 'v', 'r'),
      (CAST('p/b' AS BLOB), 1, 10, 20, 30, 40, 50, 1, 1, NULL, X'ABCD', 'other', NULL, NULL);
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
    INSERT INTO upload VALUES (3, 1, CAST('p/big' AS BLOB), 10, 20, 30, 40, 5, 1, 60, 'U1');
    CREATE TABLE part (
      upload INTEGER NOT NULL REFERENCES upload ON DELETE CASCADE,
      number INTEGER NOT NULL,
      size INTEGER NOT NULL, md5 BLOB NOT NULL, etag TEXT NOT NULL,
      PRIMARY KEY (upload, number)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO part VALUES (3, 1, 5, X'0708', 'e1');
    CREATE TABLE run (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      profile TEXT NOT NULL,
      started_at INTEGER NOT NULL, finished_at INTEGER, status INTEGER,
      uploaded INTEGER NOT NULL, deleted INTEGER NOT NULL, failed INTEGER NOT NULL, bytes INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX run_profile ON run (profile, id);
    INSERT INTO run VALUES (1, 'photos', 1, 2, 0, 3, 4, 5, 6);
    """
}
