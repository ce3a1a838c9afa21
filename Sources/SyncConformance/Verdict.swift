import SyncBackend

/// How one promise fared.
public struct Verdict: Sendable, Equatable {
  public enum Outcome: Sendable, Equatable {
    case kept
    case broken(PromiseBroken)
    case notApplicable(reason: String)
  }

  public var id: String
  public var title: String
  public var outcome: Outcome
  /// Objects and uploads that the trial made and could not remove; empty in all but bad cases.
  public var leftBehind: [String]

  /// Kept, or not promised; and nothing was left behind.
  public var isGood: Bool {
    guard leftBehind.isEmpty else { return false }
    if case .broken = outcome { return false }
    return true
  }
}

extension Verdict: CustomStringConvertible {
  public var description: String {
    ([line(idWidth: id.utf8.count)] + leftBehind.map { "    left behind: \($0)" }).joined(separator: "\n")
  }

  fileprivate func line(idWidth: Int) -> String {
    let name = id + String(repeating: " ", count: max(0, idWidth - id.utf8.count))
    return switch outcome {
    case .kept: "kept    \(name)  \(title)"
    case .broken(let broken): "BROKEN  \(name)  \(title)\n    \(broken)"
    case .notApplicable(let reason): "-       \(name)  \(title) (not applicable: \(reason))"
    }
  }
}

extension [Verdict] {
  /// A table for a person: a line a promise, what went wrong below it, the count at the end.
  public var table: String {
    let width = map(\.id.utf8.count).max() ?? 0
    let lines = flatMap { [$0.line(idWidth: width)] + $0.leftBehind.map { "    left behind: \($0)" } }
    let broken = count { if case .broken = $0.outcome { true } else { false } }
    let skipped = count { if case .notApplicable = $0.outcome { true } else { false } }
    let sum = "\(count - broken - skipped) kept, \(broken) broken, \(skipped) not applicable"
    return (lines + [sum]).joined(separator: "\n")
  }
}
