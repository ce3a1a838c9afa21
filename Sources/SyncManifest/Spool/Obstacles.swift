import GRDB

extension ChangeSpool {
  /// For a remote where a name is either a file or a directory: finds what stands in the way of uploads, that is
  /// an object whose key is the path of a directory above an upload's key, or lies below the upload's key.
  ///
  /// A deletion in the way is marked to come early. Where the object is to stay (a `skip` of a recorded key), the
  /// upload becomes a `conflict` whose reason names it. Call it when no `check` is left.
  /// - Returns: how many deletions were newly marked, and how many uploads became conflicts.
  @discardableResult
  public func markObstacles() throws -> (early: Int, conflicts: Int) {
    var walk = ObstacleWalk()
    var last: SpooledChange?
    var marked = (early: 0, conflicts: 0)
    while true {
      let page = try page([.upload, .delete, .skip], order: .key, after: last, limit: 1000)
      guard let final = page.last else { return marked }
      last = final
      for change in page where change.action != .skip || change.isRecorded { walk.visit(change) }
      try flushed { db in
        for id in walk.early {
          marked.early += try db.run(
            "UPDATE change SET is_early = 1 WHERE id = ? AND is_early = 0", .integer(id))
        }
        for (id, reason) in walk.conflicts {
          marked.conflicts += try db.run(
            "UPDATE change SET action = ?, reason = ? WHERE id = ? AND action = ?",
            .integer(Int64(SpooledChange.Action.conflict.rawValue)), .text(reason), .integer(id),
            .integer(Int64(SpooledChange.Action.upload.rawValue)))
        }
      }
      walk.early = []
      walk.conflicts = [:]
    }
  }
}

/// One pass over changes in key order.
private struct ObstacleWalk {
  /// Changes whose key begins the current one, byte for byte: between `a` and `a/b` the order of bytes puts
  /// `a-b`, but nothing that doesn't begin with `a`. At most as many as a key has bytes.
  private var open: [SpooledChange] = []
  var early: Set<Int64> = []
  var conflicts: [Int64: String] = [:]

  mutating func visit(_ change: SpooledChange) {
    while let top = open.last, !change.key.starts(with: top.key) { open.removeLast() }
    for above in open where change.key.count > above.key.count && change.key[above.key.count] == 0x2f {
      switch (above.action, change.action) {
      case (.upload, .upload), (.delete, .delete), (.delete, .skip), (.skip, .delete), (.skip, .skip): break
      case (.upload, _): settle(upload: above, obstacle: change)
      default: settle(upload: change, obstacle: above)
      }
    }
    open.append(change)
  }

  private mutating func settle(upload: SpooledChange, obstacle: SpooledChange) {
    if obstacle.action == .delete {
      early.insert(obstacle.id)
    } else if conflicts[upload.id] == nil {
      let name = String(decoding: obstacle.path, as: UTF8.self).debugDescription
      conflicts[upload.id] = "\(name) is in the way on the remote (\(obstacle.reason))"
    }
  }
}
