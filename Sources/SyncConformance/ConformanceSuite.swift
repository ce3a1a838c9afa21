import SyncBackend

/// Tries the promises on a live backend, below a prefix of its own, and removes what it made.
///
/// It sends at most about 40 MiB where parts have S3's minimum of 5 MiB.
public struct ConformanceSuite: Sendable {
  public typealias Digest = @Sendable (DigestAlgorithm, [UInt8]) -> [UInt8]

  private let backend: any Backend
  private let prefix: ObjectKey
  private let random: @Sendable () -> Double
  private let digest: Digest

  /// - Parameters:
  ///   - prefix: put before every key; with a `/` at its end where the remote is hierarchical.
  ///   - random: uniform in 0 ..< 1; names the keys, so that two suites may run at once.
  ///   - digest: the digest of some bytes, raw. Handed in because this module stands on the contract alone.
  public init(
    on backend: any Backend, prefix: ObjectKey, random: @escaping @Sendable () -> Double,
    digest: @escaping Digest
  ) {
    self.backend = backend
    self.prefix = prefix
    self.random = random
    self.digest = digest
  }

  /// Every promise, in the order of the verdicts.
  public static let promises: [ConformancePromise] =
    objectPromises + contentPromises + namePromises + listingPromises + deletePromises + uploadPromises
    + partPromises + callPromises

  /// One promise after the other; a cancelled task stops between two.
  public func run(_ promises: [ConformancePromise] = promises) async -> [Verdict] {
    var verdicts: [Verdict] = []
    for promise in promises where !Task.isCancelled {
      verdicts.append(await run(promise))
    }
    return verdicts
  }

  public func run(_ promise: ConformancePromise) async -> Verdict {
    if let reason = promise.reasonNotToApply(to: backend.capabilities) {
      return verdict(promise, .notApplicable(reason: reason), leftBehind: [])
    }
    let tag = String(UInt32(random() * 4_294_967_296), radix: 36)
    let root = ObjectKey(prefix.text + "\(promise.id)-\(tag)/")
    let trial = Trial(on: backend, root: root, random: random, digest: digest)
    let outcome: Verdict.Outcome
    do throws(PromiseBroken) {
      try await promise.hold(trial)
      outcome = .kept
    } catch {
      outcome = .broken(error)
    }
    // In a task of its own: what was made is removed even when the caller is cancelled.
    let leftBehind = await Task { await trial.cleanUp() }.value
    return verdict(promise, outcome, leftBehind: leftBehind)
  }

  private func verdict(
    _ promise: ConformancePromise, _ outcome: Verdict.Outcome, leftBehind: [String]
  ) -> Verdict {
    Verdict(id: promise.id, title: promise.title, outcome: outcome, leftBehind: leftBehind)
  }
}
