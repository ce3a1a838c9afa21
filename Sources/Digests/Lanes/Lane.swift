import Glibc

/// One request at work, in one lane's buffer.
struct Lane {
  /// Bytes read at a time.
  static let capacity = 64 << 10
  /// A buffer with the room that padding takes. Two cache lines more than a power of two, also so that the lanes'
  /// buffers, which are read in step, do not all fall into the same sets of the cache.
  static let stride = capacity + 128

  let job: DigestJob
  private let request: DigestRequest
  private var sha256: SHA256?
  /// How much of the source has been read.
  private var position: Int64 = 0
  /// The buffer holds the end of the source.
  private(set) var isComplete = false

  init(_ job: DigestJob, _ request: DigestRequest) {
    self.job = job
    self.request = request
    sha256 = request.wantsSHA256 ? SHA256() : nil
  }

  /// Reads the next bytes and, at the end of the source, adds MD5's padding (RFC 1321, section 3.1 and 3.2).
  ///
  /// - Returns: how many blocks there are for MD5; none where it isn't wanted.
  mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(DigestError) -> Int {
    if job.isUnwanted { throw .cancelled }
    let wanted = Int(min(Int64(Lane.capacity), max(0, request.length - position)))
    let chunk = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
    try read(chunk)
    sha256?.update(UnsafeRawBufferPointer(chunk))
    position += Int64(wanted)
    isComplete = position >= request.length
    guard request.wantsMD5 else { return 0 }
    return (isComplete ? pad(buffer, after: wanted) : wanted) / 64
  }

  /// - Parameter md5: the lane's state, once every block has been taken.
  mutating func result(md5: (UInt32, UInt32, UInt32, UInt32)) -> DigestResult {
    var result = DigestResult(sha256: sha256?.finish())
    if request.wantsMD5 {
      result.md5 = [md5.0, md5.1, md5.2, md5.3].flatMap { word in
        withUnsafeBytes(of: word.littleEndian) { Array($0) }
      }
    }
    return result
  }

  private func read(_ chunk: UnsafeMutableRawBufferPointer) throws(DigestError) {
    var count = 0
    while count < chunk.count {
      let more = request.read(
        position + Int64(count), UnsafeMutableRawBufferPointer(rebasing: chunk[count...]))
      if more < 0 { throw .unreadable(errno) }
      if more == 0 { throw .endedEarly(at: position + Int64(count)) }
      count += more
    }
  }

  /// A one bit, zeroes up to the last 8 bytes of a block, the length in bits. Returns where that ends.
  private func pad(_ buffer: UnsafeMutableRawBufferPointer, after count: Int) -> Int {
    let end = (count + 1 + 8 + 63) / 64 * 64
    buffer[count] = 0x80
    for index in (count + 1)..<(end - 8) { buffer[index] = 0 }
    let bits = UInt64(truncatingIfNeeded: request.length) &* 8
    buffer.storeBytes(of: bits.littleEndian, toByteOffset: end - 8, as: UInt64.self)
    return end
  }
}
