import Synchronization

/// Carries the outcomes of runs made inside a fault.
final class ResultBox: Sendable {
  private let outcomes = Mutex<(MirrorFixture.Outcome?, MirrorFixture.Outcome?)>((nil, nil))

  func set(_ first: MirrorFixture.Outcome?, _ second: MirrorFixture.Outcome?) {
    outcomes.withLock { $0 = (first, second) }
  }

  var both: (MirrorFixture.Outcome?, MirrorFixture.Outcome?) { outcomes.withLock { $0 } }
}
