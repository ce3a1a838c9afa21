import GRDB

extension Manifest {
  /// Finds or records the mapping of `source`, an absolute path, to `keyPrefix`: what begins all of its keys, the
  /// remote's prefix included.
  public func mapping(source: [UInt8], keyPrefix: [UInt8]) async throws -> MappingID {
    if let known = try existingMapping(source: source, keyPrefix: keyPrefix) { return known }
    let id = try await commit { db in
      // Another process may have recorded it meanwhile.
      try db.run(
        "INSERT OR IGNORE INTO mapping (source, key_prefix) VALUES (?, ?)", .bytes(source), .bytes(keyPrefix))
      return try Self.mappingID(source: source, keyPrefix: keyPrefix, in: db) ?? 0
    }
    return MappingID(rawValue: id)
  }

  /// The mapping, nil where no run has recorded it.
  public func existingMapping(source: [UInt8], keyPrefix: [UInt8]) throws -> MappingID? {
    try read { db in
      try Self.mappingID(source: source, keyPrefix: keyPrefix, in: db).map { MappingID(rawValue: $0) }
    }
  }

  private static func mappingID(source: [UInt8], keyPrefix: [UInt8], in db: Database) throws -> Int64? {
    try db.first(
      "SELECT id FROM mapping WHERE source = ? AND key_prefix = ?", .bytes(source), .bytes(keyPrefix)
    ) { $0.integer(0) }
  }

  /// The prefix of the mapping's keys, which bounds a scan to its part of the table.
  static func keyPrefix(of mapping: MappingID, in db: Database) throws -> [UInt8] {
    let prefix = try db.first("SELECT key_prefix FROM mapping WHERE id = ?", .integer(mapping.rawValue)) {
      $0.bytes(0)
    }
    guard let prefix else { throw ManifestError.unknownMapping(mapping) }
    return prefix
  }
}

/// The keys that begin with a prefix, as a range of bytes.
struct KeyRange {
  let lower: [UInt8]
  /// The first key after the range; nil when nothing is greater.
  let upper: [UInt8]?

  init(prefix: [UInt8]) {
    lower = prefix
    guard let last = prefix.lastIndex(where: { $0 < 0xff }) else {
      upper = nil
      return
    }
    upper = prefix[..<last] + [prefix[last] + 1]
  }

  /// The condition, for the places `?1` and `?2`; without an upper bound `?2` goes unused.
  var condition: String { upper == nil ? "key >= ?1" : "key >= ?1 AND key < ?2" }

  /// The statement, `?3` being the mapping, with its places filled.
  func bound(_ sql: String, mapping: MappingID, in db: Database) throws -> Statement {
    try db.bound(sql, [.bytes(lower), upper.map { .bytes($0) } ?? .null, .integer(mapping.rawValue)])
  }
}
