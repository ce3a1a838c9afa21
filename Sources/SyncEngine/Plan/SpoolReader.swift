import SyncBackend
import SyncManifest

/// Gives the spooled changes of some actions one by one, reading a page at a time.
final class SpoolReader {
  private static let pageSize = 500

  private let spool: ChangeSpool
  private let actions: Set<SpooledChange.Action>
  private let order: ChangeSpool.Order
  private let isEarly: Bool?
  private let blocking: BlockingWork
  private var page: [SpooledChange] = []
  private var last: SpooledChange?
  private var isAtEnd = false

  init(
    _ spool: ChangeSpool, _ actions: Set<SpooledChange.Action>, order: ChangeSpool.Order,
    isEarly: Bool? = nil, _ blocking: BlockingWork
  ) {
    self.spool = spool
    self.actions = actions
    self.order = order
    self.isEarly = isEarly
    self.blocking = blocking
  }

  func next() async throws -> SpooledChange? {
    if page.isEmpty, !isAtEnd {
      let (spool, actions, order, last, isEarly) = (spool, actions, order, last, isEarly)
      page = try await blocking.run {
        try spool.page(actions, order: order, after: last, limit: SpoolReader.pageSize, isEarly: isEarly)
          .reversed()
      }
      isAtEnd = page.count < SpoolReader.pageSize
      self.last = page.first ?? last
    }
    return page.popLast()
  }
}
