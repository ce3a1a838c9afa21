import CCurl
import Glibc
import SyncHTTP

/// What curl calls while it performs, always on the loop's thread.
extension Transfer {
  func setCallbacks() {
    // The loop keeps the transfer until the handle has left curl, so no callback can outlive it.
    let me = Unmanaged.passUnretained(self).toOpaque()
    easy.note(
      ccurl_set_prerequest(
        easy.pointer, { context, _, _, _, _ in Transfer.from(context)?.begin() ?? CURL_PREREQFUNC_ABORT }, me)
    )
    easy.note(
      ccurl_set_read(
        easy.pointer,
        { Transfer.from($3)?.readBody(into: $0, count: $1 * $2) ?? Int(CURL_READFUNC_ABORT) }, me))
    easy.note(
      ccurl_set_seek(
        easy.pointer,
        { context, offset, origin in
          origin == SEEK_SET && Transfer.from(context)?.body.seek(to: Int64(offset)) == true
            ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
        }, me))
    easy.note(
      ccurl_set_header(
        easy.pointer,
        { line, size, count, context in
          Transfer.from(context)?.noteHead(UnsafeRawBufferPointer(start: line, count: size * count))
          return size * count
        }, me))
    easy.note(
      ccurl_set_write(
        easy.pointer, { Transfer.from($3)?.take(UnsafeRawBufferPointer(start: $0, count: $1 * $2)) ?? 0 }, me)
    )
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// A connection is ready and the request goes out next.
  private func begin() -> CInt {
    let request = call.request
    if requestsBegun > 0, body.wasReadWhole, request.method != .get, request.method != .head {
      failure = HTTPError(.broken, "the connection closed before an answer began")
      return CURL_PREREQFUNC_ABORT
    }
    requestsBegun += 1
    answerHasBegun = false
    headIsWhole = false
    return CURL_PREREQFUNC_OK
  }

  private func readBody(into buffer: UnsafeMutablePointer<CChar>?, count: Int) -> Int {
    do throws(HTTPError) {
      let read = try body.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
      if read.new > 0 { call.request.onSent?(read.new) }
      return read.count
    } catch {
      failure = error
      return Int(CURL_READFUNC_ABORT)
    }
  }

  /// A line of an answer's head or of a trailer. Interim answers (1xx) do not begin the answer.
  private func noteHead(_ line: UnsafeRawBufferPointer) {
    guard easy.status >= 200 else { return }
    answerHasBegun = true
    if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") { headIsWhole = true }
  }

  /// Anything but `bytes.count` stops curl.
  private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    if let sink = call.sink, (200..<300).contains(easy.status) {
      guard sink.write(bytes) else {
        failure = HTTPError(.sinkFailed, "the sink refused bytes")
        return 0
      }
      return bytes.count
    }
    guard answer.count + bytes.count <= answerBound else {
      failure = HTTPError(.malformed, "the answer is longer than \(answerBound) bytes")
      return 0
    }
    answer.append(contentsOf: bytes)
    return bytes.count
  }
}
