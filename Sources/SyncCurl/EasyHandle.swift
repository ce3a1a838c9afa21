import CCurl
import SyncHTTP

/// One of curl's easy handles and the memory that it points to. Belongs to one loop's thread.
final class EasyHandle {
  typealias Pointer = UnsafeMutableRawPointer

  let pointer: Pointer
  private let text: UnsafeMutableBufferPointer<CChar>
  private var lines: UnsafeMutablePointer<curl_slist>?
  /// The first option that curl refused.
  private(set) var refusal = CURLE_OK

  /// Nil when there is no memory.
  init?() {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
    text = .allocate(capacity: Int(CURL_ERROR_SIZE))
    text.initialize(repeating: 0)
  }

  deinit {
    curl_easy_cleanup(pointer)
    curl_slist_free_all(lines)
    text.deallocate()
  }

  /// Forgets all options, so that the handle can serve another transfer; connections stay with the loop.
  func reset() {
    curl_easy_reset(pointer)
    curl_slist_free_all(lines)
    lines = nil
    text.update(repeating: 0)
    refusal = CURLE_OK
  }

  func set(_ option: CURLoption, _ value: Int) {
    note(ccurl_set_long(pointer, option, value))
  }

  func set(_ option: CURLoption, _ value: Bool) {
    set(option, value ? 1 : 0)
  }

  func set(_ option: CURLoption, bytes value: Int64) {
    note(ccurl_set_size(pointer, option, value))
  }

  /// curl keeps a copy.
  func set(_ option: CURLoption, _ value: String) {
    note(ccurl_set_string(pointer, option, value))
  }

  func setHeaderLines(_ values: [String]) {
    for value in values {
      guard let longer = curl_slist_append(lines, value) else { return note(CURLE_OUT_OF_MEMORY) }
      lines = longer
    }
    note(ccurl_set_pointer(pointer, CURLOPT_HTTPHEADER, lines))
  }

  /// Has curl describe failures; see `detail`.
  func setErrorText() {
    note(ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, text.baseAddress))
  }

  func note(_ code: CURLcode) {
    if refusal == CURLE_OK { refusal = code }
  }

  /// What curl said about the failure; may be empty.
  var detail: String {
    String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// 0 until a status line has come.
  var status: Int { ccurl_get_long(pointer, CURLINFO_RESPONSE_CODE) }

  /// Body bytes that have gone into the connection.
  var bytesSent: Int64 { ccurl_get_size(pointer, CURLINFO_SIZE_UPLOAD_T) }

  /// Everything that has moved on the connection, heads and bodies. A redirect may set it back.
  var bytesMoved: Int64 {
    bytesSent + ccurl_get_size(pointer, CURLINFO_SIZE_DOWNLOAD_T)
      + Int64(ccurl_get_long(pointer, CURLINFO_REQUEST_SIZE))
      + Int64(ccurl_get_long(pointer, CURLINFO_HEADER_SIZE))
  }

  /// The fields of the last answer: none of an interim answer, a proxy's CONNECT, a redirect or a trailer.
  var answerFields: HTTPFields {
    var fields = HTTPFields()
    var header = curl_easy_nextheader(pointer, UInt32(CURLH_HEADER), -1, nil)
    while let current = header {
      fields.append(String(cString: current.pointee.name), String(cString: current.pointee.value))
      header = curl_easy_nextheader(pointer, UInt32(CURLH_HEADER), -1, current)
    }
    return fields
  }
}
