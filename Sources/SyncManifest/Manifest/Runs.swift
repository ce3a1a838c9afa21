import GRDB

extension Manifest {
  /// How many runs of a profile are remembered: 40 days of a run every hour.
  static let runsKept: Int64 = 1000

  /// Records that a run of `profile` begins, and forgets the profile's oldest ones.
  /// - Parameter time: nanoseconds since 1970.
  /// - Returns: the run's number, the `id` to finish it with.
  public func beginRun(profile: String, at time: Int64) async throws -> Int64 {
    try await commit { db in
      try db.run(
        """
        INSERT INTO run (profile, started_at, uploaded, deleted, failed, bytes) VALUES (?, ?, 0, 0, 0, 0)
        """, .text(profile), .integer(time))
      let id = db.lastInsertedRowID
      try db.run(
        """
        DELETE FROM run WHERE profile = ?1 AND id <=
          (SELECT id FROM run WHERE profile = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
        """, .text(profile), .integer(Self.runsKept))
      return id
    }
  }

  /// Records how the run of `run.id` ended.
  public func finishRun(_ run: RunRecord) async throws {
    try await commit { db in
      try db.run(
        """
        UPDATE run SET finished_at = ?, status = ?, uploaded = ?, deleted = ?, failed = ?, bytes = ?
        WHERE id = ?
        """,
        .integer(run.finishedAt), .integer(run.status.map { Int64($0) }), .integer(run.uploaded),
        .integer(run.deleted), .integer(run.failed), .integer(run.bytes), .integer(run.id))
      return 0
    }
  }

  /// The latest runs, newest first.
  /// - Parameters:
  ///   - profile: only its runs; nil for those of all profiles.
  ///   - status: only runs that ended so; nil for all, those that never ended too.
  public func lastRuns(profile: String?, status: Int? = nil, limit: Int) throws -> [RunRecord] {
    try read { db in
      try db.all(
        """
        SELECT id, profile, started_at, finished_at, status, uploaded, deleted, failed, bytes
        FROM run WHERE (?1 IS NULL OR profile = ?1) AND (?2 IS NULL OR status = ?2) ORDER BY id DESC LIMIT ?3
        """, .text(profile), .integer(status.map { Int64($0) }), .integer(Int64(limit))
      ) { row in
        RunRecord(
          id: row.integer(0), profile: row.text(1), startedAt: row.integer(2),
          finishedAt: row.optionalInteger(3), status: row.optionalInteger(4).map { Int($0) },
          uploaded: row.integer(5), deleted: row.integer(6), failed: row.integer(7), bytes: row.integer(8))
      }
    }
  }
}
