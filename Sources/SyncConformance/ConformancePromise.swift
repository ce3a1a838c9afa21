import SyncBackend

/// One thing that every backend keeps, or says by its capabilities that it does not.
public struct ConformancePromise: Sendable, Identifiable {
  /// Stable, for naming the promises that a store is known to break: `parts.replaced`.
  public let id: String
  /// The promise as a sentence.
  public let title: String
  private let exemption: @Sendable (Capabilities) -> String?
  private let check: @Sendable (Trial) async throws(PromiseBroken) -> Void

  init(
    _ id: String, _ title: String, needs operations: Set<Capabilities.Operation>,
    unless exemption: @escaping @Sendable (Capabilities) -> String? = { _ in nil },
    check: @escaping @Sendable (Trial) async throws(PromiseBroken) -> Void
  ) {
    self.id = id
    self.title = title
    self.exemption = { capabilities in
      let missing = operations.subtracting(capabilities.operations).map(\.rawValue).sorted()
      return missing.isEmpty ? exemption(capabilities) : "cannot \(missing.joined(separator: ", "))"
    }
    self.check = check
  }

  /// Why a backend with these capabilities does not make this promise; nil where it does.
  public func reasonNotToApply(to capabilities: Capabilities) -> String? {
    exemption(capabilities)
  }

  func hold(_ trial: Trial) async throws(PromiseBroken) {
    try await check(trial)
  }
}

extension ConformancePromise: CustomStringConvertible {
  public var description: String { "\(id): \(title)" }
}

/// What was asked of a backend, what it should have done, and what it did.
public struct PromiseBroken: Error, Sendable, Equatable {
  public var call: String
  public var expected: String
  public var came: String

  public init(_ call: String, expected: String, came: String) {
    self.call = call
    self.expected = expected
    self.came = came
  }
}

extension PromiseBroken: CustomStringConvertible {
  public var description: String { "\(call): expected \(expected), came \(came)" }
}
