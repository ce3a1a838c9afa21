/// How a `CurlClient` connects. The defaults are what a curl user would expect.
public struct CurlOptions: Sendable {
  /// Threads that move bytes, each with connections of its own. One fills a fast network; a second gains a
  /// tenth, and keeps a sink that blocks from holding up all other transfers.
  public var eventLoops: Int
  /// Connections that each loop keeps open for reuse, busy ones included: no smaller than the number of
  /// requests in flight, or every request pays for a new connection.
  public var keptConnections: Int
  /// A PEM file of certificates to trust; nil asks `CURL_CA_BUNDLE`, then `SSL_CERT_FILE`, then curl's default.
  public var caFile: String?
  /// A directory of hashed certificates; nil asks `SSL_CERT_DIR`, then curl's default.
  public var caDirectory: String?
  /// A proxy's URL; empty for none; nil asks `http_proxy`, `https_proxy`, `all_proxy`. `no_proxy` always counts.
  public var proxy: String?
  /// False accepts any certificate from anyone: whoever sets it tells the user so.
  public var verifiesTLS: Bool
  public var userAgent: String
  /// Bytes of curl's buffer for a body on its way out, 16 KiB to 2 MiB. Smaller bodies get smaller buffers.
  public var uploadBuffer: Int
  /// The most bytes of an answer that are kept in memory; a longer answer is an error.
  public var answerBound: Int

  public init(
    eventLoops: Int = 1, keptConnections: Int = 64, caFile: String? = nil, caDirectory: String? = nil,
    proxy: String? = nil, verifiesTLS: Bool = true, userAgent: String = "sync",
    uploadBuffer: Int = 256 * 1024,
    answerBound: Int = 32 * 1024 * 1024
  ) {
    self.eventLoops = eventLoops
    self.keptConnections = keptConnections
    self.caFile = caFile
    self.caDirectory = caDirectory
    self.proxy = proxy
    self.verifiesTLS = verifiesTLS
    self.userAgent = userAgent
    self.uploadBuffer = uploadBuffer
    self.answerBound = answerBound
  }

  /// The options with what the environment says about certificates, in the order of the curl tool: its own
  /// `CURL_CA_BUNDLE` wins over OpenSSL's two variables, and anything that is set here wins over all of them
  /// (https://curl.se/docs/manpage.html, "--cacert").
  func completed(from environment: (String) -> String?) -> CurlOptions {
    guard caFile == nil, caDirectory == nil else { return self }
    var options = self
    if let bundle = environment("CURL_CA_BUNDLE") {
      options.caFile = bundle
    } else {
      options.caFile = environment("SSL_CERT_FILE")
      options.caDirectory = environment("SSL_CERT_DIR")
    }
    return options
  }
}
