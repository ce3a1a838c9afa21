import Digests
import SyncBackend

extension DigestService {
  /// Hashes a range of a file, on the service's own threads.
  func digests(of range: FileRange, _ wanted: Set<DigestAlgorithm>) async throws(DigestError) -> DigestSet {
    // The kernel reads ahead for one reader at a time; with many ranges being hashed at once it must be asked.
    range.willBeRead()
    let request = DigestRequest(
      length: range.length, wantsMD5: wanted.contains(.md5), wantsSHA256: wanted.contains(.sha256)
    ) { position, buffer in range.read(at: position, into: buffer) }
    let result = try await digests(of: request)
    var set = DigestSet()
    set[.md5] = result.md5
    set[.sha256] = result.sha256
    return set
  }

  /// The MD5 of a range of a file.
  func md5(of range: FileRange) async throws(DigestError) -> [UInt8] {
    try await digests(of: range, [.md5])[.md5] ?? []
  }
}

extension DigestSet {
  /// The digests of bytes that are in memory.
  init(of bytes: [UInt8], _ wanted: Set<DigestAlgorithm>) {
    self.init()
    if wanted.contains(.md5) { self[.md5] = MD5.hash(bytes) }
    if wanted.contains(.sha256) { self[.sha256] = SHA256.hash(bytes) }
  }
}
