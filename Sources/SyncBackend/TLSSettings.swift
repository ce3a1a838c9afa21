/// `tls:` of a remote that speaks HTTPS.
public struct TLSSettings: Sendable, Hashable {
  /// A PEM file of certificates to trust instead of the system's.
  public var caFile: String?
  /// false accepts any certificate; the user is warned on every run.
  public var isVerified: Bool

  public init(caFile: String? = nil, isVerified: Bool = true) {
    self.caFile = caFile
    self.isVerified = isVerified
  }

  /// Reads the block where there is one.
  public init(in section: ConfigSection) {
    self.init()
    guard let block = section.section("tls", "how the server's certificate is checked") else { return }
    caFile = block.value("ca_file", .path, "a PEM file of certificates to trust instead of the system's")
    isVerified =
      block.value("verify", .boolean, "false accepts any certificate: only for tests on your own machine")
      ?? true
    block.finish()
  }
}
