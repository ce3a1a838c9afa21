import ConfigTree

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The bytes of a configuration file, and whether others than its owner may read them.
struct ConfigurationFile {
  var bytes: [UInt8]
  var isReadableByOthers: Bool

  /// Far beyond any configuration; stops `-c /dev/zero`.
  private static let largest = 16 << 20

  /// - Throws: one issue, about the file as a whole, where it cannot be read.
  static func read(_ path: String) throws(ConfigurationError) -> ConfigurationFile {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw problem(path, text(of: errno)) }
    defer { close(descriptor) }
    var attributes = stat()
    guard fstat(descriptor, &attributes) == 0 else { throw problem(path, text(of: errno)) }
    let isFile = attributes.st_mode & S_IFMT == S_IFREG
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = buffer.withUnsafeMutableBytes { unsafe in Self.read(descriptor, into: unsafe) }
      guard count >= 0 else { throw problem(path, text(of: errno)) }
      guard count > 0 else { break }
      bytes += buffer[..<count]
      guard bytes.count <= largest else {
        throw problem(path, "it is larger than \(sizeText(Int64(largest)))")
      }
    }
    return ConfigurationFile(
      bytes: bytes, isReadableByOthers: isFile && attributes.st_mode & (S_IRGRP | S_IROTH) != 0)
  }

  private static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 || errno != EINTR { return count }
    }
  }

  private static func text(of code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }

  private static func problem(_ path: String, _ reason: String) -> ConfigurationError {
    ConfigurationError([
      ConfigIssue(at: ConfigLocation(file: path), "cannot read the configuration: \(reason)")
    ])
  }
}
