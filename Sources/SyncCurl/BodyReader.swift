import Glibc
import SyncHTTP

/// Hands a request's body to curl piece by piece, from the start again when curl asks.
struct BodyReader {
  private let body: HTTPBody
  private var position: Int64 = 0
  /// How far the body was ever read.
  private(set) var furthest: Int64 = 0

  init(_ body: HTTPBody) {
    self.body = body
  }

  /// Whether all of it was handed over at least once.
  var wasReadWhole: Bool { furthest == body.length }

  /// Fills `buffer` with what comes next.
  ///
  /// - Returns: the bytes read, 0 at the end, and how many of them had never been handed over before.
  /// - Throws: `unreadableBody` when the file fails or ends before the body does.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPError) -> (count: Int, new: Int) {
    let count = try copy(into: buffer)
    position += Int64(count)
    let new = max(0, position - furthest)
    furthest += new
    return (count, Int(new))
  }

  /// False where the offset lies outside of the body.
  mutating func seek(to offset: Int64) -> Bool {
    guard (0...body.length).contains(offset) else { return false }
    position = offset
    return true
  }

  private func copy(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPError) -> Int {
    guard position < body.length else { return 0 }
    switch body {
    case .none:
      return 0
    case .bytes(let bytes):
      let rest = bytes[Int(position)...].prefix(buffer.count)
      buffer.copyBytes(from: rest)
      return rest.count
    case .file(let range):
      let count = range.read(at: position, into: buffer)
      guard count >= 0 else {
        throw HTTPError(.unreadableBody, "reading the file: \(String(cString: strerror(errno)))")
      }
      guard count > 0 else {
        throw HTTPError(.unreadableBody, "the file ended after \(position) of \(body.length) bytes")
      }
      return count
    }
  }
}
