import GRDB
import Synchronization

/// Writes of many tasks in few transactions. What arrives while one transaction is being written to the disk is
/// gathered into the next, so that an fsync is shared by all who wait for it and a lone write waits for nobody.
final class GroupCommit: Sendable {
  private struct Operation: Sendable {
    let body: @Sendable (Database) throws -> Int64
    let caller: CheckedContinuation<Int64, any Error>
  }

  private struct Pending {
    var operations: [Operation] = []
    var isScheduled = false
  }

  private let queue: DatabaseQueue
  private let pending = Mutex(Pending())

  init(_ queue: DatabaseQueue) { self.queue = queue }

  /// Runs `body` in a transaction shared with others, and returns what it returned once the transaction is
  /// durable. A body that throws is undone alone. Cancellation doesn't reach in here: what the remote has done
  /// must be recorded even when the run is being stopped.
  @discardableResult
  func perform(_ body: @escaping @Sendable (Database) throws -> Int64) async throws -> Int64 {
    try await withCheckedThrowingContinuation { caller in
      let mustSchedule = pending.withLock { pending in
        pending.operations.append(Operation(body: body, caller: caller))
        defer { pending.isScheduled = true }
        return !pending.isScheduled
      }
      if mustSchedule { schedule() }
    }
  }

  private func schedule() {
    queue.asyncWriteWithoutTransaction { db in
      let batch = self.pending.withLock { pending in
        defer { pending.operations = [] }
        return pending.operations
      }
      let outcomes = Self.commit(batch, to: db)
      for (operation, outcome) in zip(batch, outcomes) { operation.caller.resume(with: outcome) }
      // One batch a turn: a synchronous write that waits for the queue comes in between.
      let isMore = self.pending.withLock { pending in
        pending.isScheduled = !pending.operations.isEmpty
        return pending.isScheduled
      }
      if isMore { self.schedule() }
    }
  }

  private static func commit(_ batch: [Operation], to db: Database) -> [Result<Int64, any Error>] {
    var outcomes: [Result<Int64, any Error>] = []
    do {
      try db.inTransaction(.immediate) {
        for operation in batch { outcomes.append(try attempt(operation, on: db)) }
        return .commit
      }
      return outcomes
    } catch {
      // Nothing of the batch has reached the disk, whatever its operations said on the way.
      return batch.map { _ in .failure(error) }
    }
  }

  private static func attempt(_ operation: Operation, on db: Database) throws -> Result<Int64, any Error> {
    // As prepared statements, which GRDB's own savepoints are not: they would cost more than the row.
    try db.run("SAVEPOINT operation")
    do {
      let value = try operation.body(db)
      try db.run("RELEASE operation")
      return .success(value)
    } catch {
      // A full disk makes SQLite roll the whole transaction back; going on would write outside of any.
      guard db.isInsideTransaction else { throw error }
      try db.run("ROLLBACK TO operation")
      try db.run("RELEASE operation")
      return .failure(error)
    }
  }
}
