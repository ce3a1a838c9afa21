import SyncBackend

extension Payload {
  /// The bytes as they arrive at a bucket that holds `state`.
  func received(from state: MemoryState) throws(BackendError) -> [UInt8] {
    switch source {
    case .bytes(let bytes): return bytes
    case .file(let range): return try read(range)
    case .object(let reference, let offset, let length):
      guard state.limits.capabilities.copies else { throw unsupported("copy of \(reference.key)") }
      let bytes = try state.bytes(of: reference, ReadRange(offset: offset, length: length))
      guard bytes.count == length else {
        throw BackendError(.invalidRequest, "copy of \(reference.key): it ends before \(offset + length)")
      }
      return Array(bytes)
    }
  }

  private func read(_ range: FileRange) throws(BackendError) -> [UInt8] {
    var position: Int64 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(range.length)) { buffer, count in
      while position < range.length {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[Int(position)...])
        let got = range.read(at: position, into: rest)
        guard got > 0 else { break }
        position += Int64(got)
      }
      count = Int(position)
    }
    guard position == range.length else {
      throw BackendError(.unreadableSource, "the file ended after \(position) of \(range.length) bytes")
    }
    return bytes
  }
}
