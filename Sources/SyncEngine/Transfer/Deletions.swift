import SyncBackend
import SyncManifest

/// Deletes what the plan says, in batches as large as the remote takes.
struct Deletions: Sendable {
  let context: TransferContext
  let spool: ChangeSpool

  /// - Parameter early: those that must come before uploads, because they stand in the way; else all others.
  func run(early: Bool) async throws {
    let reader = SpoolReader(spool, [.delete], order: .key, isEarly: early, context.blocking)
    var carried: [SpooledChange] = []
    let limit = context.capabilities.deleteBatch.maximumCount
    try await concurrently(atMost: context.slots.count) {
      while let change = try await reader.next() {
        if isSingle(change.key) { return [change] }
        carried.append(change)
        if carried.count == limit { break }
      }
      defer { carried = [] }
      return carried.isEmpty ? nil : carried
    } _: { batch in
      try await delete(batch)
    } collect: { _ in
    }
  }

  /// Keys that a batch request can't carry.
  private func isSingle(_ key: [UInt8]) -> Bool {
    switch context.capabilities.deleteBatch.alphabet {
    case .any: false
    case .xml: String(decoding: key, as: UTF8.self).unicodeScalars.contains { !$0.isXMLCharacter }
    }
  }

  private func delete(_ batch: [SpooledChange]) async throws {
    let references = try batch.map { change in
      let row = try context.manifest.row(for: change.key)
      return ObjectReference(
        ObjectKey(String(decoding: change.key, as: UTF8.self)), remoteID: row?.remoteID)
    }
    var failures: [ObjectReference: BackendError] = [:]
    do {
      failures = try await context.attempt(.delete, references[0].key) { backend throws(BackendError) in
        try await backend.delete(references)
      }
    } catch TransferProblem.backend(let error) {
      failures = Dictionary(references.map { ($0, error) }) { first, _ in first }
    }
    let deleted = zip(batch, references).filter { failures[$0.1] == nil }.map(\.0)
    try await context.manifest.removeRows(deleted.map(\.key))
    context.tally.add { $0.deleted += Int64(deleted.count) }
    for change in deleted {
      await context.events.send(.deleted(Deleted(path: change.path, key: change.key)))
    }
    for (change, reference) in zip(batch, references) {
      guard let error = failures[reference] else { continue }
      try await context.report(.backend(error), path: change.path, key: change.key)
    }
  }
}

extension Unicode.Scalar {
  /// The characters of XML 1.0 (section 2.2), less those that its parsers fold (carriage return).
  fileprivate var isXMLCharacter: Bool {
    switch value {
    case 0x9, 0xA, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
