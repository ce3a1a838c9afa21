import SyncBackend
import Testing

@testable import SyncEngine

@Suite("When a failed attempt is worth another")
struct RetryPolicyTests {
  private let policy = RetryPolicy(attempts: 4)

  private func pause(
    _ retry: BackendError.Retry, attempt: Int = 1, mended: Int = 0, random: Double = 1
  ) -> Duration? {
    policy.pause(
      after: BackendError(.unavailable, "no", retry: retry), attempt: attempt, mended: mended, random: random)
  }

  @Test("what can't help is not repeated")
  func never() {
    #expect(pause(.never) == nil)
    #expect(pause(.restartUpload) == nil)
  }

  @Test("the pause's bound doubles up to its longest, and chance takes any part of it")
  func backoff() {
    #expect(pause(.backoff, attempt: 1) == .milliseconds(500))
    #expect(pause(.backoff, attempt: 2) == .seconds(1))
    #expect(pause(.backoff, attempt: 3, random: 0.25) == .milliseconds(500))
    #expect(
      RetryPolicy(attempts: 99).pause(
        after: BackendError(.unavailable, "no", retry: .backoff), attempt: 60, mended: 0, random: 1)
        == .seconds(30))
  }

  @Test("the last attempt has no pause behind it")
  func last() {
    #expect(pause(.backoff, attempt: 3) != nil)
    #expect(pause(.backoff, attempt: 4) == nil)
    #expect(pause(.after(.seconds(1)), attempt: 4) == nil)
  }

  @Test("Retry-After is obeyed, within reason")
  func retryAfter() {
    #expect(pause(.after(.seconds(7))) == .seconds(7))
    #expect(pause(.after(.zero), random: 0.5) == .milliseconds(250))
    #expect(pause(.after(.seconds(86_400))) == .seconds(300))
  }

  @Test("what the backend mended is repeated at once, but not for ever")
  func mended() {
    #expect(pause(.now, mended: 0) == .zero)
    #expect(pause(.now, mended: 3) == nil)
  }

  @Test("the budget that all calls share is spent by repeats and filled again by successes")
  func budget() {
    let budget = RetryBudget(capacity: 2)
    #expect(budget.take() && budget.take())
    #expect(!budget.take() && budget.isSpent)
    for _ in 0..<5 { budget.giveBack() }
    #expect(budget.take())
    for _ in 0..<100 { budget.giveBack() }
    #expect(budget.take() && budget.take() && !budget.take())
  }
}
