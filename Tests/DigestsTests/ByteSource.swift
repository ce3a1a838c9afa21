import Digests
import Synchronization

/// Bytes that `DigestRequest` reads, with a count of the readers that are at it.
final class ByteSource: Sendable {
  let length: Int64
  /// Repeated from the start on.
  private let period: [UInt8]
  private let reads = Mutex(0)

  init(_ period: [UInt8], length: Int64) {
    self.period = period
    self.length = length
  }

  convenience init(_ bytes: [UInt8]) {
    self.init(bytes, length: Int64(bytes.count))
  }

  var readCount: Int { reads.withLock { $0 } }

  func read(_ position: Int64, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    reads.withLock { $0 += 1 }
    var count = 0
    let wanted = Int(min(Int64(buffer.count), length - position))
    while count < wanted {
      let start = Int((position + Int64(count)) % Int64(period.count))
      let piece = period[start..<min(period.count, start + wanted - count)]
      UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: piece)
      count += piece.count
    }
    return max(0, count)
  }

  /// A request for the part of the bytes from `offset` on, all by default.
  func request(
    from offset: Int64 = 0, length: Int64? = nil, md5: Bool = true, sha256: Bool = false
  ) -> DigestRequest {
    DigestRequest(length: length ?? self.length - offset, wantsMD5: md5, wantsSHA256: sha256) {
      self.read(offset + $0, $1)
    }
  }
}
