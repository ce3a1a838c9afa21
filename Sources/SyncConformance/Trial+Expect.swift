import SyncBackend
import Synchronization

extension Trial {
  // MARK: - Calls that must succeed

  /// The answer of a call that has no reason to fail.
  func succeed<Answer: Sendable>(
    _ call: String, _ body: () async throws(BackendError) -> Answer
  ) async throws(PromiseBroken) -> Answer {
    do {
      return try await body()
    } catch {
      throw PromiseBroken(call, expected: "success", came: describe(error))
    }
  }

  @discardableResult
  func put(
    _ bytes: [UInt8], to key: ObjectKey, options: ObjectOptions = ObjectOptions()
  ) async throws(PromiseBroken) -> ObjectInfo {
    try await put(payload(bytes), to: key, options: options)
  }

  @discardableResult
  func put(
    _ payload: Payload, to key: ObjectKey, options: ObjectOptions = ObjectOptions()
  ) async throws(PromiseBroken) -> ObjectInfo {
    remember(key)
    return try await succeed("put \(key)") { () throws(BackendError) in
      try await backend.put(payload, to: key, options: options)
    }
  }

  func stat(_ key: ObjectKey) async throws(PromiseBroken) -> ObjectInfo? {
    try await succeed("stat \(key)") { () throws(BackendError) in
      try await backend.stat(ObjectReference(key))
    }
  }

  func read(_ key: ObjectKey, _ range: ReadRange? = nil) async throws(PromiseBroken) -> [UInt8] {
    let sink = GatheringSink()
    try await succeed("read \(key)") { () throws(BackendError) in
      try await backend.read(ObjectReference(key), range: range, into: sink)
    }
    return sink.bytes
  }

  func list(_ prefix: ObjectKey) async throws(PromiseBroken) -> [ObjectInfo] {
    try await succeed("list \(prefix)") { () throws(BackendError) in try await allObjects(prefix) }
  }

  func delete(_ keys: [ObjectKey]) async throws(PromiseBroken) {
    let call = "delete of \(keys.count) objects (\(keys.first?.description ?? "none") …)"
    let failures = try await succeed(call) { () throws(BackendError) in
      try await backend.delete(keys.map { ObjectReference($0) })
    }
    if let failure = failures.first {
      throw PromiseBroken(
        call, expected: "no failures", came: "\(failure.key.key): \(describe(failure.value))")
    }
  }

  // MARK: - Calls that must fail

  func refuse<Answer: Sendable>(
    _ call: String, as kinds: Set<BackendError.Kind>, _ body: () async throws(BackendError) -> Answer
  ) async throws(PromiseBroken) {
    let expected = kinds.isEmpty ? "a refusal" : kinds.map(\.rawValue).sorted().joined(separator: " or ")
    do {
      _ = try await body()
    } catch {
      guard kinds.isEmpty || kinds.contains(error.kind) else {
        throw PromiseBroken(call, expected: expected, came: describe(error))
      }
      return
    }
    throw PromiseBroken(call, expected: expected, came: "success")
  }

  // MARK: - Calls at the same time

  /// All answers, in no order; the first that broke the promise where one did.
  func atOnce<Item: Sendable, Answer: Sendable>(
    _ items: some Sequence<Item>,
    _ body: @escaping @Sendable (Item) async throws(PromiseBroken) -> Answer
  ) async throws(PromiseBroken) -> [Answer] {
    let results = await withTaskGroup(of: Result<Answer, PromiseBroken>.self) { group in
      for item in items {
        group.addTask {
          do throws(PromiseBroken) {
            return .success(try await body(item))
          } catch {
            return .failure(error)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var answers: [Answer] = []
    for result in results { answers.append(try result.get()) }
    return answers
  }

  // MARK: - Comparisons

  func expect<Value: Equatable>(
    _ call: String, _ value: Value, _ expected: Value, _ show: (Value) -> String = { "\($0)" }
  ) throws(PromiseBroken) {
    guard value == expected else {
      throw PromiseBroken(call, expected: show(expected), came: show(value))
    }
  }

  func expect(_ call: String, bytes: [UInt8], _ expected: [UInt8]) throws(PromiseBroken) {
    guard bytes != expected else { return }
    let differs = zip(bytes, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let at = differs.map { ", the first difference at byte \($0)" } ?? ""
    throw PromiseBroken(call, expected: "the \(expected.count) bytes sent", came: "\(bytes.count) bytes\(at)")
  }

  /// The object is there, whole, under exactly this key, in every way that the backend can tell.
  func expectObject(_ key: ObjectKey, holds bytes: [UInt8]) async throws(PromiseBroken) {
    if can(.stat) {
      guard let info = try await stat(key) else {
        throw PromiseBroken("stat \(key)", expected: "the object", came: "no object")
      }
      try expect("stat \(key), its key", info.reference.key, key)
      try expect("stat \(key), its size", info.size ?? Int64(bytes.count), Int64(bytes.count))
    }
    if can(.read) { try expect("read \(key)", bytes: try await read(key), bytes) }
  }

  func expectNothing(at key: ObjectKey) async throws(PromiseBroken) {
    if can(.stat), let info = try await stat(key) {
      throw PromiseBroken("stat \(key)", expected: "no object", came: "one of \(info.size ?? -1) bytes")
    }
    if can(.list), try await list(key).contains(where: { $0.reference.key == key }) {
      throw PromiseBroken("list \(key)", expected: "no object", came: "the object")
    }
  }

  func describe(_ error: BackendError) -> String { "\(error.kind.rawValue): \(error)" }
}

/// Keeps what it is given.
final class GatheringSink: ByteSink {
  private let gathered = Mutex<[UInt8]>([])

  var bytes: [UInt8] { gathered.withLock { $0 } }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    gathered.withLock { $0.append(contentsOf: bytes) }
    return true
  }
}
