import SyncHTTP

/// Says when a transfer has been silent for too long.
///
/// libcurl's own low-speed limit averages over seconds and counts pauses as slowness, so it is not used. The
/// clock stands still while the machine sleeps.
struct StallClock {
  typealias Instant = SuspendingClock.Instant

  enum Phase: Equatable {
    /// Timed by curl, which knows when it began to connect.
    case connecting
    case moving
    /// All is sent and no answer has begun.
    case awaitingAnswer
  }

  private let patience: HTTPPatience
  private(set) var phase = Phase.connecting
  private var moved: Int64 = 0
  private var since: Instant

  init(_ patience: HTTPPatience, now: Instant) {
    self.patience = patience
    since = now
  }

  /// `moved` is any number that differs once a byte has moved, in either direction.
  mutating func observe(_ phase: Phase, moved: Int64, at now: Instant) {
    guard phase != self.phase || moved != self.moved else { return }
    self.phase = phase
    self.moved = moved
    since = now
  }

  /// When patience ends if nothing moves.
  var deadline: Instant? { limit.map { since.advanced(by: $0) } }

  /// The failure, once the deadline has passed.
  func failure(at now: Instant) -> HTTPError? {
    guard let limit, since.advanced(by: limit) <= now else { return nil }
    return HTTPError(
      .stalled,
      phase == .awaitingAnswer
        ? "all was sent, and no answer began within \(limit)" : "no byte moved for \(limit)")
  }

  private var limit: Duration? {
    switch phase {
    case .connecting: nil
    case .moving: patience.stall
    case .awaitingAnswer: patience.answer
    }
  }
}
