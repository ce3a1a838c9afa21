import Digests
import SyncBackend
import SyncManifest

/// What every transfer of a run works with.
struct TransferContext: Sendable {
  let job: MirrorJob
  let sources: [SourceDirectory]
  let mappings: [MappingID]
  let manifest: Manifest
  let calls: RemoteCalls
  let slots: Slots
  let digests: DigestService
  let events: EventQueue
  let meter: ProgressMeter
  let timing: Timing
  let tally: Tally
  let blocking: BlockingWork
  let fingerprint: OptionsFingerprint

  var capabilities: Capabilities { calls.backend.capabilities }

  /// Hashes a range of a file; what goes wrong with the file is a problem of it alone.
  func digests(of range: FileRange, _ wanted: Set<DigestAlgorithm>) async throws -> DigestSet {
    do {
      return try await digests.digests(of: range, wanted)
    } catch .endedEarly {
      throw TransferProblem.changedWhileRead
    } catch .unreadable(let code) {
      throw TransferProblem.unreadable("reading it failed: \(systemMessage(code))")
    } catch .cancelled {
      throw CancellationError()
    }
  }

  /// Calls the backend in a slot of the run; its error comes as a problem of one file.
  func attempt<Result: Sendable>(
    _ verb: RemoteVerb, _ key: ObjectKey,
    _ body: @escaping @Sendable (any Backend) async throws(BackendError) -> Result
  ) async throws -> Result {
    try await slots.hold {
      do {
        return try await calls.call(verb, key.bytes, body)
      } catch let error as BackendError {
        if error.kind == .cancelled { throw CancellationError() }
        throw TransferProblem.backend(error)
      }
    }
  }
}
