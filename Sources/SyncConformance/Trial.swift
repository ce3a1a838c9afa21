import SyncBackend
import Synchronization

/// A backend on trial for one promise: makes keys and bytes, calls the verbs, and remembers what must be
/// removed. An error where none is expected breaks the promise.
final class Trial: Sendable {
  let backend: any Backend
  /// All keys of this trial begin with it.
  let root: ObjectKey
  private let random: @Sendable () -> Double
  private let digest: ConformanceSuite.Digest
  private let made = Mutex<(keys: Set<ObjectKey>, uploads: Set<Upload>)>(([], []))

  init(
    on backend: any Backend, root: ObjectKey, random: @escaping @Sendable () -> Double,
    digest: @escaping ConformanceSuite.Digest
  ) {
    self.backend = backend
    self.root = root
    self.random = random
    self.digest = digest
  }

  var capabilities: Capabilities { backend.capabilities }

  /// Bytes of a part that is not the last: the fewest allowed.
  var partSize: Int { Int(max(1000, capabilities.parts?.minimumSize ?? 1)) }

  func can(_ operation: Capabilities.Operation) -> Bool {
    capabilities.operations.contains(operation)
  }

  // MARK: - Keys and bytes

  func key(_ name: String) -> ObjectKey {
    ObjectKey(root.text + name)
  }

  /// Bytes that no other call gives, from a cheap generator with a random beginning.
  func bytes(_ count: Int) -> [UInt8] {
    var state = UInt64(random() * 9_007_199_254_740_992)
    let words = (count + 7) / 8
    return [UInt8](unsafeUninitializedCapacity: words * 8) { buffer, filled in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      for word in 0..<words {
        // SplitMix64: eight bytes a step, all of them good.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        raw.storeBytes(of: mixed ^ (mixed >> 31), toByteOffset: word * 8, as: UInt64.self)
      }
      filled = count
    }
  }

  func md5(_ bytes: [UInt8]) -> [UInt8] { digest(.md5, bytes) }

  /// With the digests that the capabilities ask for of a put.
  func payload(_ bytes: [UInt8]) -> Payload {
    Payload(.bytes(bytes), digests: digests(of: bytes, capabilities.putDigests))
  }

  /// With the digests that the capabilities ask for of a part.
  func partPayload(_ bytes: [UInt8]) -> Payload {
    Payload(.bytes(bytes), digests: digests(of: bytes, capabilities.partDigests))
  }

  func digests(of bytes: [UInt8], _ algorithms: Set<DigestAlgorithm>) -> DigestSet {
    var digests = DigestSet()
    for algorithm in algorithms { digests[algorithm] = digest(algorithm, bytes) }
    return digests
  }

  // MARK: - What must be removed

  func remember(_ key: ObjectKey) {
    made.withLock { _ = $0.keys.insert(key) }
  }

  func remember(_ upload: Upload) {
    made.withLock {
      $0.uploads.insert(upload)
      $0.keys.insert(upload.key)
    }
  }

  /// Removes everything that the trial made, found by memory and by listing.
  ///
  /// - Returns: what is still there, or why that is not known.
  func cleanUp() async -> [String] {
    var left: [String] = []
    do throws(BackendError) {
      var uploads = made.withLock { $0.uploads }
      if can(.listUploads) { uploads.formUnion(try await allUploads(root)) }
      for upload in uploads { try await backend.abortUpload(upload) }
    } catch {
      left.append("uploads below \(root): \(error)")
    }
    do throws(BackendError) {
      var keys = made.withLock { $0.keys }
      if can(.list) { keys.formUnion(try await allObjects(root).map(\.reference.key)) }
      guard can(.delete) else { return left + keys.map(\.description) }
      // Singly, which every backend must carry, whatever the key.
      for key in keys.sorted() {
        let failures = try await backend.delete([ObjectReference(key)])
        left += failures.values.map { "\(key): \($0)" }
      }
      if can(.list) { left += try await allObjects(root).map(\.reference.key.description) }
    } catch {
      left.append("objects below \(root): \(error)")
    }
    return left
  }

  // MARK: - Whole listings

  func allObjects(_ prefix: ObjectKey) async throws(BackendError) -> [ObjectInfo] {
    try await pages("list") { token throws(BackendError) in
      try await self.backend.list(prefix: prefix, after: token)
    }
  }

  func allUploads(_ prefix: ObjectKey) async throws(BackendError) -> [Upload] {
    try await pages("listUploads") { token throws(BackendError) in
      try await self.backend.listUploads(prefix: prefix, after: token)
    }
  }

  func allParts(of upload: Upload) async throws(BackendError) -> [Part] {
    try await pages("listParts") { token throws(BackendError) in
      try await self.backend.listParts(of: upload, after: token)
    }
  }

  private func pages<Item>(
    _ verb: String, _ page: (PageToken?) async throws(BackendError) -> Page<Item>
  ) async throws(BackendError) -> [Item] {
    var items: [Item] = []
    var token: PageToken?
    // Far more pages than any trial fills: a listing that goes round in circles must end here.
    for _ in 0..<1000 {
      let found = try await page(token)
      items += found.items
      guard let next = found.next else { return items }
      token = next
    }
    throw BackendError(.invalidRequest, "\(verb) does not come to an end within 1,000 pages")
  }
}
