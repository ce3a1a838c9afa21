/// Where a service listens, as a URL without a path.
public struct Endpoint: Sendable, Hashable {
  /// `http` or `https`.
  public let scheme: String
  /// Lower case; an IPv6 address in its brackets.
  public let host: String
  /// nil for the scheme's own.
  public let port: Int?

  public init(scheme: String, host: String, port: Int? = nil) {
    self.scheme = scheme
    self.host = host
    self.port = port == (scheme == "http" ? 80 : 443) ? nil : port
  }

  /// Reads `https://host[:port][/]`.
  ///
  /// - Returns: nil for another scheme, and for user information, a path, a query or a fragment.
  public init?(_ url: String) {
    let scheme = url.lowercased().hasPrefix("http://") ? "http" : "https"
    guard url.lowercased().hasPrefix("\(scheme)://") else { return nil }
    var authority = Array(url.lowercased().utf8.dropFirst(scheme.utf8.count + 3))[...]
    if authority.last == UInt8(ascii: "/") { authority = authority.dropLast() }
    let afterBracket = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
    let colon = authority[afterBracket...].firstIndex(of: UInt8(ascii: ":"))
    let host = authority[..<(colon ?? authority.endIndex)]
    guard Self.isHost(host) else { return nil }
    var port: Int?
    if let colon {
      port = Int(String(decoding: authority[(colon + 1)...], as: UTF8.self))
      guard let port, (1...65_535).contains(port), authority[colon + 1] != UInt8(ascii: "+") else {
        return nil
      }
    }
    self.init(scheme: scheme, host: String(decoding: host, as: UTF8.self), port: port)
  }

  /// What goes into the Host header: no port where it is the scheme's own.
  public var authority: String { port.map { "\(host):\($0)" } ?? host }

  public var url: String { "\(scheme)://\(authority)" }

  public var isSecure: Bool { scheme == "https" }

  /// An IPv4 or IPv6 address: no label can be put before it.
  public var isAddress: Bool {
    if host.hasPrefix("[") { return true }
    let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count == 4 && labels.allSatisfy { UInt8(String(decoding: $0, as: UTF8.self)) != nil }
  }

  private static func isHost(_ bytes: ArraySlice<UInt8>) -> Bool {
    if bytes.first == UInt8(ascii: "[") {
      return bytes.count > 4 && bytes.last == UInt8(ascii: "]")
        && bytes.dropFirst().dropLast().allSatisfy {
          isHexDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
        }
    }
    return !bytes.isEmpty
      && bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
        !label.isEmpty && label.count <= 63 && label.allSatisfy(isLabelByte)
      }
  }

  private static func isLabelByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
