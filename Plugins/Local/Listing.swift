import Digests
import SyncBackend
import Synchronization

/// Pages of a bucket's objects. The walk of the page before is kept, since beginning anew in the middle would
/// read every folder on the way again; a page that does not follow the one before begins anew.
final class Listing: Sendable {
  private struct Paused: Sendable {
    var prefix: ObjectKey
    var last: PageToken
    var walk: Walk
  }

  private let paused = Mutex<Paused?>(nil)
  private let pageSize: Int

  init(pageSize: Int) {
    self.pageSize = pageSize
  }

  func page(
    of bucket: Directory, _ prefix: ObjectKey, after token: PageToken?, _ interrupt: CancellationFlag
  ) throws(BackendError) -> Page<ObjectInfo> {
    var walk: Walk
    if let resumed = resumed(prefix, token) {
      walk = resumed
    } else {
      walk = try Walk(of: bucket, prefix: prefix.bytes, after: try passed(token))
    }
    var items: [ObjectInfo] = []
    while items.count < pageSize {
      try interrupt.check()
      guard let item = try walk.next() else { return Page(items) }
      items.append(item)
    }
    guard let last = items.last else { return Page([]) }
    let next = PageToken(hexText(last.reference.key.bytes))
    let pausing = Paused(prefix: prefix, last: next, walk: walk)
    paused.withLock { $0 = pausing }
    return Page(items, next: next)
  }

  private func passed(_ token: PageToken?) throws(BackendError) -> [UInt8]? {
    guard let token else { return nil }
    guard let key = hexBytes(token.text) else {
      throw BackendError(.invalidRequest, "the page token is not one of this backend's")
    }
    return key
  }

  private func resumed(_ prefix: ObjectKey, _ token: PageToken?) -> Walk? {
    paused.withLock { paused in
      guard let found = paused, found.last == token, found.prefix == prefix else { return nil }
      paused = nil
      return found.walk
    }
  }
}
