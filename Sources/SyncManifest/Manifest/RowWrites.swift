import GRDB

extension Manifest {
  /// Marks the rows of these keys as in doubt, all in one durable transaction. Keys without a row are passed over.
  /// - Parameter nextKeys: the next page of keys; nil ends them.
  /// - Returns: how many rows were found.
  @discardableResult
  public func markInDoubt(nextKeys: () throws -> [[UInt8]]?) throws -> Int {
    try write { db in
      let mark = try db.makeStatement(sql: "UPDATE object SET in_doubt = 1 WHERE key = ?")
      var marked = 0
      while let keys = try nextKeys() {
        for key in keys { marked += try mark.run([.bytes(key)]) }
      }
      return marked
    }
  }

  /// Records what the remote has confirmed, over whatever row the key had, and forgets the upload (with its
  /// parts) that brought it there.
  /// - Throws: `ManifestError.keyOutsideMapping` if the key doesn't begin with the mapping's prefix.
  public func recordMirrored(
    _ row: ManifestRow, of mapping: MappingID, finishing upload: Int64? = nil
  ) async throws {
    try await commit { db in
      guard row.key.starts(with: try Self.keyPrefix(of: mapping, in: db)) else {
        throw ManifestError.keyOutsideMapping(key: row.key)
      }
      try Self.write(row, of: mapping, in: db)
      if let upload { try db.run("DELETE FROM upload WHERE id = ?", .integer(upload)) }
      return 0
    }
  }

  private static let insertRow = """
    INSERT OR REPLACE INTO object (mapping, \(RowCoding.columns))
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  private static func write(_ row: ManifestRow, of mapping: MappingID, in db: Database) throws {
    let (digest, partSize): ([UInt8], Int64?) =
      switch row.digest {
      case .md5(let bytes): (bytes, nil)
      case .md5OfParts(let bytes, let partSize): (bytes, partSize)
      }
    try db.run(
      insertRow, .integer(mapping.rawValue), .bytes(row.key), .integer(row.stamp.size),
      .integer(row.stamp.modified), .integer(row.stamp.changed), .integer(Int64(bitPattern: row.stamp.inode)),
      .integer(row.readAt), .integer(try optionsID(of: row.optionsFingerprint, in: db)), .bool(row.isInDoubt),
      .integer(partSize), .bytes(digest), RowCoding.etag(row), .text(row.version), .text(row.remoteID))
  }

  /// The number that stands for a fingerprint in rows and uploads.
  static func optionsID(of fingerprint: [UInt8], in db: Database) throws -> Int64 {
    let known = try db.first("SELECT id FROM options WHERE fingerprint = ?", .bytes(fingerprint)) {
      $0.integer(0)
    }
    if let known { return known }
    try db.run("INSERT INTO options (fingerprint) VALUES (?)", .bytes(fingerprint))
    return db.lastInsertedRowID
  }

  /// Records that the content read at `readAt` from a file of this stamp is the one that the row describes.
  /// A row in doubt is left as it is.
  public func touch(key: [UInt8], stamp: FileStamp, readAt: Int64) async throws {
    try await commit { db in
      try db.run(
        """
        UPDATE object SET size = ?, modified = ?, changed = ?, inode = ?, read_at = ?
        WHERE key = ? AND in_doubt = 0
        """,
        .integer(stamp.size), .integer(stamp.modified), .integer(stamp.changed),
        .integer(Int64(bitPattern: stamp.inode)), .integer(readAt), .bytes(key))
      return 0
    }
  }

  /// Records that the remote was seen to hold what the row describes: it is no longer in doubt.
  public func proveRow(_ key: [UInt8]) async throws {
    try await commit { db in
      try db.run("UPDATE object SET in_doubt = 0 WHERE key = ? AND in_doubt = 1", .bytes(key))
      return 0
    }
  }

  /// Forgets rows: their objects are gone from the remote.
  public func removeRows(_ keys: [[UInt8]]) async throws {
    try await commit { db in
      for key in keys { try db.run("DELETE FROM object WHERE key = ?", .bytes(key)) }
      return 0
    }
  }
}
