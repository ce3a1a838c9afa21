import Synchronization

/// A request on its way through the service. It is answered exactly once, by whoever takes it out of its phase.
final class DigestJob: Sendable {
  typealias Answer = Result<DigestResult, DigestError>
  typealias Caller = CheckedContinuation<Answer, Never>

  private enum Phase {
    case new
    case waiting(DigestRequest, Caller)
    case running(Caller)
    /// Running, and to be dropped.
    case unwanted(Caller)
    case over
  }

  private let phase = Mutex(Phase.new)

  /// False where it was cancelled before it could wait; the caller has its answer then.
  func wait(_ request: DigestRequest, for caller: Caller) -> Bool {
    let waits = phase.withLock { phase in
      guard case .new = phase else { return false }
      phase = .waiting(request, caller)
      return true
    }
    if !waits { caller.resume(returning: .failure(.cancelled)) }
    return waits
  }

  /// Takes the request out to work on it; nil where it was cancelled.
  func start() -> DigestRequest? {
    phase.withLock { phase in
      guard case .waiting(let request, let caller) = phase else { return nil }
      phase = .running(caller)
      return request
    }
  }

  var isUnwanted: Bool {
    phase.withLock { phase in
      if case .unwanted = phase { true } else { false }
    }
  }

  /// A waiting request is let go and answered at once; a running one is answered by the thread that works on it, for
  /// until then it uses the request's source.
  func cancel() {
    let caller: Caller? = phase.withLock { phase in
      switch phase {
      case .new:
        phase = .over
        return nil
      case .waiting(_, let caller):
        phase = .over
        return caller
      case .running(let caller):
        phase = .unwanted(caller)
        return nil
      case .unwanted, .over: return nil
      }
    }
    caller?.resume(returning: .failure(.cancelled))
  }

  /// Answers a running request. The worker has let go of the source by then.
  func finish(_ answer: Answer) {
    let caller: Caller? = phase.withLock { phase in
      defer { phase = .over }
      switch phase {
      case .running(let caller), .unwanted(let caller): return caller
      case .new, .waiting, .over: return nil
      }
    }
    caller?.resume(returning: answer)
  }
}
