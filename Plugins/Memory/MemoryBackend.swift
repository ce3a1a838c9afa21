import Digests
import Synchronization
import SyncBackend

/// A complete remote in memory, for tests: S3's behaviour with limits, faults and a log of requests.
/// ETags are S3's: the MD5 of a put, the MD5 of the parts' MD5s with their count.
public final class MemoryBackend: Backend {
  public let capabilities: Capabilities
  private let pageSize: Int
  private let now: @Sendable () -> Int64
  private let state: Mutex<MemoryState>
  private let log = Mutex<[MemoryCall]>([])
  private let faults: Mutex<MemoryFaults?>

  /// - Parameter now: nanoseconds since 1970; a clock that stands at zero where left out.
  public init(
    _ limits: MemoryLimits = MemoryLimits(), now: @escaping @Sendable () -> Int64 = { 0 },
    faults: MemoryFaults? = nil
  ) {
    capabilities = limits.capabilities
    pageSize = limits.pageSize
    self.now = now
    state = Mutex(MemoryState(limits: limits))
    self.faults = Mutex(faults)
  }

  // MARK: - For tests

  /// Every call so far, in the order in which they came, those that failed among them.
  public var calls: [MemoryCall] { log.withLock { $0 } }

  public func forgetCalls() {
    log.withLock { $0 = [] }
  }

  /// From the next call on.
  public func setFaults(_ faults: MemoryFaults?) {
    self.faults.withLock { $0 = faults }
  }

  /// All objects by key, without a call in the log.
  public var contents: [ObjectKey: [UInt8]] { state.withLock { $0.objects.mapValues(\.bytes) } }

  /// Uploads under way, without a call in the log.
  public var openUploads: [Upload] {
    state.withLock { state in
      state.uploads.map { Upload(key: $1.plan.key, id: $0, initiated: $1.initiated, plan: $1.plan) }
    }
  }

  // MARK: - Objects

  public func put(
    _ payload: Payload, to key: ObjectKey, options: ObjectOptions
  ) async throws(BackendError) -> ObjectInfo {
    try await perform(MemoryCall(.put, [key]), needs: .put) { state throws(BackendError) in
      try state.put(try Self.bytes(of: payload, in: state), to: key, options: options, at: self.now())
    }
  }

  public func stat(_ object: ObjectReference) async throws(BackendError) -> ObjectInfo? {
    try await perform(MemoryCall(.stat, [object.key]), needs: .stat) { state throws(BackendError) in
      state.stat(object.key)
    }
  }

  public func read(
    _ object: ObjectReference, range: ReadRange?, into sink: any ByteSink
  ) async throws(BackendError) {
    let bytes = try await perform(MemoryCall(.read, [object.key]), needs: .read) {
      state throws(BackendError) in
      try state.bytes(of: object, range)
    }
    guard bytes.isEmpty || bytes.withUnsafeBytes({ sink.write($0) }) else {
      throw BackendError(.cancelled, "read of \(object.key): the reader takes no more bytes")
    }
  }

  public func list(prefix: ObjectKey, after: PageToken?) async throws(BackendError) -> Page<ObjectInfo> {
    try await perform(MemoryCall(.list, [prefix]), needs: .list) { state throws(BackendError) in
      // Where no order is promised none is kept: sorting by the reversed name is as far from it as can be.
      let unordered = self.capabilities.listOrder == .none
      let entries = state.objects.filter { $0.key.hasPrefix(prefix.bytes) }
        .map { (position: unordered ? $0.key.bytes.reversed() : $0.key.bytes, key: $0.key, stored: $0.value) }
        .sorted { $0.position.lexicographicallyPrecedes($1.position) }
      return self.page(entries, after: after, position: \.position).map {
        state.info(of: $0.stored, under: $0.key)
      }
    }
  }

  public func delete(
    _ objects: [ObjectReference]
  ) async throws(BackendError) -> [ObjectReference: BackendError] {
    try await perform(MemoryCall(.delete, objects.map(\.key)), needs: .delete) { state throws(BackendError) in
      guard objects.count <= self.capabilities.deleteBatch.maximumCount else {
        throw BackendError(.invalidRequest, "delete of \(objects.count) objects at once")
      }
      for object in objects { state.objects[object.key] = nil }
      return [:]
    }
  }

  // MARK: - Uploads

  public func beginUpload(_ plan: UploadPlan) async throws(BackendError) -> Upload {
    try await perform(MemoryCall(.beginUpload, [plan.key]), needs: .multipart) { state throws(BackendError) in
      try state.begin(plan, at: self.now())
    }
  }

  public func uploadPart(
    _ number: Int, payload: Payload, of upload: Upload
  ) async throws(BackendError) -> Part {
    let call = MemoryCall(.uploadPart, [upload.key], uploadID: upload.id, partNumber: number)
    return try await perform(call, needs: .multipart) { state throws(BackendError) in
      try state.add(try Self.bytes(of: payload, in: state), as: number, to: upload)
    }
  }

  public func listParts(of upload: Upload, after: PageToken?) async throws(BackendError) -> Page<Part> {
    let call = MemoryCall(.listParts, [upload.key], uploadID: upload.id)
    return try await perform(call, needs: .listParts) { state throws(BackendError) in
      self.page(try state.parts(of: upload), after: after) { $0.number.position }
    }
  }

  public func completeUpload(
    _ upload: Upload, parts: [Part], content: ContentSummary
  ) async throws(BackendError) -> ObjectInfo {
    let call = MemoryCall(.completeUpload, [upload.key], uploadID: upload.id)
    return try await perform(call, needs: .multipart) { state throws(BackendError) in
      try state.complete(upload, parts: parts, content: content, at: self.now())
    }
  }

  public func abortUpload(_ upload: Upload) async throws(BackendError) {
    let call = MemoryCall(.abortUpload, [upload.key], uploadID: upload.id)
    try await perform(call, needs: .multipart) { state throws(BackendError) in
      state.uploads[upload.id] = nil
    }
  }

  public func listUploads(prefix: ObjectKey, after: PageToken?) async throws(BackendError) -> Page<Upload> {
    try await perform(MemoryCall(.listUploads, [prefix]), needs: .listUploads) { state throws(BackendError) in
      let found = state.uploads.filter { $0.value.plan.key.hasPrefix(prefix.bytes) }
        .map { Upload(key: $0.value.plan.key, id: $0.key, initiated: $0.value.initiated) }
        .sorted { $0.position.lexicographicallyPrecedes($1.position) }
      return self.page(found, after: after, position: \.position)
    }
  }

  // MARK: - Every call

  private func perform<Answer: Sendable>(
    _ call: MemoryCall, needs operation: Capabilities.Operation,
    _ action: (inout MemoryState) throws(BackendError) -> Answer
  ) async throws(BackendError) -> Answer {
    guard !Task.isCancelled else { throw BackendError(.cancelled, "\(call): cancelled") }
    log.withLock { $0.append(call) }
    guard capabilities.operations.contains(operation) else { throw unsupported(call.description) }
    let faults = faults.withLock { $0 }
    try await faults?(call, .before)
    guard !Task.isCancelled else { throw BackendError(.cancelled, "\(call): cancelled") }
    let answer = try state.withLock { state throws(BackendError) in try action(&state) }
    try await faults?(call, .after)
    return answer
  }

  /// Items whose position lies behind the token's, at most a page of them; the items are sorted by position.
  private func page<Item: Sendable>(
    _ items: [Item], after token: PageToken?, position: (Item) -> [UInt8]
  ) -> Page<Item> {
    let passed = token.flatMap { hexBytes($0.text) } ?? []
    let rest = token == nil ? items[...] : items.drop { !passed.lexicographicallyPrecedes(position($0)) }
    let page = Array(rest.prefix(pageSize))
    let next = rest.count > page.count ? page.last.map { PageToken(hexText(position($0))) } : nil
    return Page(page, next: next)
  }

  private static func bytes(of payload: Payload, in state: MemoryState) throws(BackendError) -> [UInt8] {
    let bytes = try payload.received(from: state)
    payload.onSent?(bytes.count)
    if let expected = payload.digests[.md5], expected != MD5.hash(bytes) {
      throw BackendError(.corrupted, "the bytes do not have the MD5 they were sent with", code: "BadDigest")
    }
    return bytes
  }
}

func unsupported(_ what: String) -> BackendError {
  BackendError(.unsupported, "\(what): this bucket does not do that")
}

extension Page {
  func map<Other: Sendable>(_ transform: (Item) -> Other) -> Page<Other> {
    Page<Other>(items.map(transform), next: next)
  }
}

extension Int {
  /// Sorts as bytes in the order of the numbers.
  fileprivate var position: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

extension Upload {
  fileprivate var position: [UInt8] { key.bytes + [0] + Array(id.utf8) }
}
