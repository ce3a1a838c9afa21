import CCurl

/// curl's multi handle: the connections of one loop.
///
/// Unchecked, since the pointer crosses threads: curl_multi_wakeup is the one call that curl allows from any
/// thread, and the only one made off the loop's own; the mailbox's lock keeps it from a handle that is closing.
/// The loop's thread holds the last reference, so its connections are closed there, where SIGPIPE is blocked.
final class MultiHandle: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer

  init(keptConnections: Int) throws(CurlSetupError) {
    guard let pointer = curl_multi_init() else {
      throw CurlSetupError(description: "libcurl is out of memory")
    }
    self.pointer = pointer
    ccurl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, keptConnections)
  }

  deinit { curl_multi_cleanup(pointer) }

  func wakeUp() {
    curl_multi_wakeup(pointer)
  }
}
