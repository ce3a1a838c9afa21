import Digests
import SyncBackend
import Synchronization

/// The keys that Signature V4 signs with. One is good for a day, a region and a secret, and deriving it takes four
/// times the work of a signature: the last one is kept.
package final class SigningKeys: Sendable {
  private struct Scope: Equatable {
    var secret: Secret
    var date: String
    var region: String
  }

  private let last = Mutex<(scope: Scope, key: [UInt8])?>(nil)

  package init() {}

  /// - Parameter date: `YYYYMMDD`, UTC.
  func key(of secret: Secret, date: String, region: String) -> [UInt8] {
    let scope = Scope(secret: secret, date: date, region: region)
    if let last = last.withLock({ $0 }), last.scope == scope { return last.key }
    let start = Array("AWS4\(secret.exposed)".utf8)
    let key = [date, region, "s3", "aws4_request"].reduce(start) { hmacSHA256(key: $0, Array($1.utf8)) }
    last.withLock { $0 = (scope, key) }
    return key
  }
}
