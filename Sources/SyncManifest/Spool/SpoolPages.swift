import GRDB

extension ChangeSpool {
  /// The changes of these actions that follow `after` in the order, at most `limit`. A page goes on from the
  /// place of `after`, whatever has become of the changes before it; fewer than `limit` are the last.
  /// - Parameter isEarly: only deletions that must come before the uploads, or only the others; nil for both.
  public func page(
    _ actions: Set<SpooledChange.Action>, order: Order, after: SpooledChange?, limit: Int,
    isEarly: Bool? = nil
  ) throws -> [SpooledChange] {
    let early = isEarly.map { " AND is_early = \($0 ? 1 : 0)" } ?? ""
    let condition = "action IN (\(Self.list(actions)))\(early)"
    return try ordered(order) { db in
      switch order {
      case .key:
        try db.all(
          Self.select + " WHERE (key, id) > (?1, ?2) AND \(condition) ORDER BY key, id LIMIT ?3",
          .bytes(after?.key ?? []), .integer(after?.id ?? 0), .integer(Int64(limit)), read: Self.change)
      case .largestFirst:
        try db.all(
          Self.select + " WHERE (rank, id) > (?1, ?2) AND \(condition) ORDER BY rank, id LIMIT ?3",
          .integer(after.map { -$0.size } ?? .min), .integer(after?.id ?? 0), .integer(Int64(limit)),
          read: Self.change)
      }
    }
  }

  /// What the changes add up to, by action; an action without changes is missing.
  /// - Parameter directory: only the changes of this mapping.
  public func totals(directory: Int? = nil) throws -> [SpooledChange.Action: SpoolTotals] {
    try flushed { db in
      let totals = try db.all(
        """
        SELECT action, count(*), -sum(rank), sum(is_recorded), sum(part_size > 0),
          sum(iif(part_size > 0, max(1, (-rank + part_size - 1) / part_size), 0))
        FROM change WHERE ?1 IS NULL OR directory = ?1 GROUP BY action
        """, .integer(directory.map { Int64($0) })
      ) { row in
        var totals = SpoolTotals()
        totals.count = row.integer(1)
        totals.bytes = row.integer(2)
        totals.recorded = row.integer(3)
        totals.multipart = row.integer(4)
        totals.parts = row.integer(5)
        return (Self.action(row.integer(0)), totals)
      }
      return Dictionary(totals, uniquingKeysWith: { first, _ in first })
    }
  }

  /// The keys of these actions' changes in key order, page by page, as `Manifest.markInDoubt` takes them.
  /// - Parameter isRecordedOnly: without those that the manifest has no row for.
  public func keyPages(
    of actions: Set<SpooledChange.Action>, isRecordedOnly: Bool = true, limit: Int = 1000
  ) -> KeyPages {
    KeyPages(spool: self, actions: actions, isRecordedOnly: isRecordedOnly, limit: limit)
  }

  public struct KeyPages: Sendable {
    let spool: ChangeSpool
    let actions: Set<SpooledChange.Action>
    let isRecordedOnly: Bool
    let limit: Int
    private var last: SpooledChange?

    init(spool: ChangeSpool, actions: Set<SpooledChange.Action>, isRecordedOnly: Bool, limit: Int) {
      self.spool = spool
      self.actions = actions
      self.isRecordedOnly = isRecordedOnly
      self.limit = limit
    }

    /// The next page, which may be empty; nil behind the last.
    public mutating func next() throws -> [[UInt8]]? {
      let page = try spool.page(actions, order: .key, after: last, limit: limit)
      guard let final = page.last else { return nil }
      last = final
      return page.filter { $0.isRecorded || !isRecordedOnly }.map(\.key)
    }
  }
}

extension ChangeSpool {
  static let select = """
    SELECT id, directory, path, key, action, reason, -rank, stamp_size, modified, changed, inode,
      is_recorded, part_size, is_early
    FROM change
    """

  static func change(_ columns: Columns) -> SpooledChange {
    SpooledChange(
      id: columns.integer(0), directory: Int(columns.integer(1)), path: columns.bytes(2),
      key: columns.bytes(3), action: action(columns.integer(4)), reason: columns.text(5),
      size: columns.integer(6), stamp: columns.isNull(7) ? nil : RowCoding.stamp(columns, at: 7),
      isRecorded: columns.bool(11), partSize: columns.integer(12), isEarly: columns.bool(13))
  }

  /// Only our own raw values are ever stored.
  private static func action(_ rawValue: Int64) -> SpooledChange.Action {
    SpooledChange.Action(rawValue: Int(rawValue)) ?? .skip
  }

  static func list(_ actions: Set<SpooledChange.Action>) -> String {
    actions.map(\.rawValue).sorted().map(String.init).joined(separator: ", ")
  }
}
