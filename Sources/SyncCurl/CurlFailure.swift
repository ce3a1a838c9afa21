import CCurl
import SyncHTTP

/// What curl's result codes mean to the caller (https://curl.se/libcurl/c/libcurl-errors.html).
enum CurlFailure {
  /// - Parameters:
  ///   - begun: whether any request of this transfer was ever handed to a connection. Only without one can the
  ///     failure be `unreachable`: curl may have sent a request on a kept connection, lost it, and then failed
  ///     to connect anew.
  ///   - text: curl's own description.
  static func kind(of code: CURLcode, begun: Bool, text: String) -> HTTPError.Kind {
    switch code {
    case CURLE_URL_MALFORMAT:
      return .invalidRequest
    case CURLE_UNSUPPORTED_PROTOCOL:
      // Before a request it is the URL's scheme; after it, an answer that is not HTTP or a forbidden redirect.
      return begun ? .malformed : .invalidRequest
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED:
      return .untrusted
    case CURLE_SSL_CONNECT_ERROR:
      return brokeOff(text) ? (begun ? .broken : .unreachable) : .untrusted
    case CURLE_WEIRD_SERVER_REPLY, CURLE_TOO_MANY_REDIRECTS, CURLE_BAD_CONTENT_ENCODING,
      CURLE_FILESIZE_EXCEEDED:
      return .malformed
    case CURLE_OUT_OF_MEMORY where begun:
      // curl's code for headers beyond the size that it allows.
      return .malformed
    default:
      return begun ? .broken : .unreachable
    }
  }

  /// A connection that breaks during the handshake has the same code as a handshake that is refused; only the
  /// text tells them apart (lib/vtls/openssl.c and lib/cf-socket.c of curl; OpenSSL's own for an early end).
  private static func brokeOff(_ text: String) -> Bool {
    ["OpenSSL SSL_connect: ", "Recv failure: ", "Send failure: "].contains { text.hasPrefix($0) }
      || text.hasSuffix("unexpected eof while reading")
  }

  /// The error, with the host in front. curl's text may quote a proxy's URL with its password or a redirect's
  /// query; such a text gives way to the code's plain meaning.
  static func error(_ code: CURLcode, begun: Bool, detail: String, authority: String) -> HTTPError {
    let telling = detail.utf8.contains { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "?") }
    let text = detail.isEmpty || telling ? CurlLibrary.text(of: code) : detail
    return HTTPError(kind(of: code, begun: begun, text: detail), "\(authority): \(text)")
  }
}
