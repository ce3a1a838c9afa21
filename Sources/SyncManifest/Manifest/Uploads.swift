import GRDB

extension Manifest {
  /// Records that an upload is about to begin, before the remote is asked.
  /// - Returns: the upload's number here; the record's own `id` is ignored.
  public func recordIntent(_ upload: UploadRecord, of mapping: MappingID) async throws -> Int64 {
    try await commit { db in
      try db.run(
        """
        INSERT INTO upload
          (mapping, key, size, modified, changed, inode, part_size, options, intended_at, upload_id)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        .integer(mapping.rawValue), .bytes(upload.key), .integer(upload.stamp.size),
        .integer(upload.stamp.modified), .integer(upload.stamp.changed),
        .integer(Int64(bitPattern: upload.stamp.inode)), .integer(upload.partSize),
        .integer(try Self.optionsID(of: upload.optionsFingerprint, in: db)), .integer(upload.intendedAt),
        .text(upload.uploadID))
      return db.lastInsertedRowID
    }
  }

  /// Records the ID that the remote gave.
  /// - Throws: `ManifestError.unknownUpload` if the upload was removed.
  public func recordBegun(_ id: Int64, uploadID: String) async throws {
    try await commit { db in
      let changed = try db.run("UPDATE upload SET upload_id = ? WHERE id = ?", .text(uploadID), .integer(id))
      guard changed == 1 else { throw ManifestError.unknownUpload(id) }
      return 0
    }
  }

  /// Records that the parts so far are true of the source as `stamp` shows it, too.
  /// - Throws: `ManifestError.unknownUpload` if the upload was removed.
  public func restampUpload(_ id: Int64, _ stamp: FileStamp) async throws {
    try await commit { db in
      let changed = try db.run(
        "UPDATE upload SET size = ?, modified = ?, changed = ?, inode = ? WHERE id = ?",
        .integer(stamp.size), .integer(stamp.modified), .integer(stamp.changed),
        .integer(Int64(bitPattern: stamp.inode)), .integer(id))
      guard changed == 1 else { throw ManifestError.unknownUpload(id) }
      return 0
    }
  }

  /// Records a part that the remote has confirmed, over the one of the same number.
  /// - Throws: `ManifestError.unknownUpload` if the upload was removed.
  public func recordPart(_ part: PartRecord, of upload: Int64) async throws {
    try await commit { db in
      let changed = try db.run(
        """
        INSERT OR REPLACE INTO part (upload, number, size, md5, etag)
        SELECT id, ?, ?, ?, ? FROM upload WHERE id = ?
        """,
        .integer(Int64(part.number)), .integer(part.size), .bytes(part.md5), .text(part.etag),
        .integer(upload))
      guard changed == 1 else { throw ManifestError.unknownUpload(upload) }
      return 0
    }
  }

  /// The confirmed parts of an upload, by ascending number.
  public func parts(of upload: Int64) throws -> [PartRecord] {
    try read { db in
      try db.all(
        "SELECT number, size, md5, etag FROM part WHERE upload = ? ORDER BY number", .integer(upload)
      ) {
        PartRecord(number: Int($0.integer(0)), size: $0.integer(1), md5: $0.bytes(2), etag: $0.text(3))
      }
    }
  }

  /// The upload in progress for a key, the latest if there are several.
  public func upload(for key: [UInt8]) throws -> UploadRecord? {
    try read { db in
      try db.first(Self.selectUploads + " WHERE key = ? ORDER BY upload.id DESC LIMIT 1", .bytes(key)) {
        Self.upload($0)
      }
    }
  }

  /// All uploads in progress of a mapping, by key, those of one key from the oldest.
  public func uploads(of mapping: MappingID) throws -> [UploadRecord] {
    try read { db in
      try db.all(
        Self.selectUploads + " WHERE mapping = ? ORDER BY key, upload.id", .integer(mapping.rawValue)
      ) {
        Self.upload($0)
      }
    }
  }

  /// Forgets an upload and its parts: it was aborted, or the remote doesn't know it.
  public func removeUpload(_ id: Int64) async throws {
    try await commit { db in Int64(try db.run("DELETE FROM upload WHERE id = ?", .integer(id))) }
  }

  private static let selectUploads = """
    SELECT upload.id, key, size, modified, changed, inode, part_size, fingerprint, intended_at, upload_id
    FROM upload JOIN options ON options.id = upload.options
    """

  private static func upload(_ columns: Columns) -> UploadRecord {
    UploadRecord(
      id: columns.integer(0), key: columns.bytes(1), stamp: RowCoding.stamp(columns, at: 2),
      partSize: columns.integer(6), optionsFingerprint: columns.bytes(7), intendedAt: columns.integer(8),
      uploadID: columns.optionalText(9))
  }
}
