import Synchronization

/// Our clock, corrected by what the remote's answers say of theirs. Both services refuse a signature that is more
/// than 15 minutes off.
public final class RemoteClock: Sendable {
  /// A moment by the corrected clock, with the correction that is in it: an answer to a request that was signed
  /// before the clock was learned must not be mistaken for a refusal of the learned one.
  public struct Reading: Sendable, Equatable {
    /// Nanoseconds since 1970.
    public var moment: Int64
    public var offset: Int64
  }

  private let local: @Sendable () -> Int64
  private let offset = Mutex<Int64>(0)

  public init(_ local: @escaping @Sendable () -> Int64) {
    self.local = local
  }

  public func read() -> Reading {
    let offset = offset.withLock { $0 }
    return Reading(moment: local() &+ offset, offset: offset)
  }

  /// Takes the remote's time from an answer that refused ours.
  ///
  /// - Parameters:
  ///   - body: the error document's ServerTime, which is believed before the Date header: a middlebox may have
  ///     written the latter.
  ///   - tolerance: a difference up to this is none. A minute is what an answer may take; services tolerate 15.
  /// - Returns: whether something was learned, so that the request can succeed when it is signed again.
  public func learn(
    body: String?, dateHeader: String?, afterSigningAt used: Reading,
    ifBeyond tolerance: Duration = .seconds(60)
  ) -> Bool {
    let times = [
      body.flatMap { Timestamps.iso8601($0.utf8) }, dateHeader.flatMap { Timestamps.rfc1123($0.utf8) },
    ]
    guard let remote = times.compactMap({ $0 }).first(where: Self.isPlausible) else { return false }
    let learned = remote &- local()
    // The same again: the clock was right already, and something else delays the request or its judge.
    guard .nanoseconds((learned &- used.offset).magnitude) > tolerance else { return false }
    offset.withLock { $0 = learned }
    return true
  }

  /// 2020 … 2200: a box that has lost its clock says 1970.
  private static func isPlausible(_ moment: Int64) -> Bool {
    (1_577_836_800_000_000_000..<7_258_118_400_000_000_000).contains(moment)
  }
}
