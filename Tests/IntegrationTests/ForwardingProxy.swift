import Foundation
import Synchronization
import TestSupport

/// Stands between the program and a server on loopback and passes everything on byte for byte, the Host header that
/// the signature covers included; except where a test steps in.
///
/// Each request gets a connection of its own to the server, which is asked to close it, so that the end of an
/// answer is the end of the connection.
final class ForwardingProxy: Sendable {
  /// What becomes of a request once the server has answered it.
  enum Fate: Sendable { case relay, keep }

  typealias Watcher = @Sendable (RecordedRequest) -> Fate

  private let server: LoopbackServer
  private let watcher: Watching

  /// - Parameter endpoint: `http://127.0.0.1:PORT`.
  init(to endpoint: String) throws {
    let port = UInt16(endpoint.split(separator: ":").last ?? "") ?? 0
    let watcher = Watching()
    self.watcher = watcher
    server = try LoopbackServer { exchange in
      exchange.receive()
      let request = exchange.request
      if watcher.before(request) == .keep { return exchange.hold() }
      guard let answer = ForwardingProxy.forward(request, to: port) else { return exchange.cut() }
      if watcher.after(request) == .keep { return exchange.hold() }
      exchange.write(answer)
      exchange.close()
    }
  }

  var endpoint: String { "http://\(server.authority)" }

  /// Asked before a request is passed on (`keep`: it never reaches the server), and after the server has answered
  /// it (`keep`: the program never learns so). Nil passes everything.
  func watch(before: Watcher? = nil, after: Watcher? = nil) { watcher.set(before, after) }

  private static func forward(_ request: RecordedRequest, to port: UInt16) -> [UInt8]? {
    guard let upstream = Upstream(port: port) else { return nil }
    let lines =
      request.lines.filter { !$0.lowercased().hasPrefix("connection:") } + ["Connection: close", "", ""]
    guard upstream.write(Array(lines.joined(separator: "\r\n").utf8)), upstream.write(request.body) else {
      return nil
    }
    return upstream.readToEnd()
  }

  private final class Watching: Sendable {
    private let watchers = Mutex<(before: Watcher?, after: Watcher?)>((nil, nil))

    func set(_ before: Watcher?, _ after: Watcher?) { watchers.withLock { $0 = (before, after) } }
    func before(_ request: RecordedRequest) -> Fate { watchers.withLock { $0.before }?(request) ?? .relay }
    func after(_ request: RecordedRequest) -> Fate { watchers.withLock { $0.after }?(request) ?? .relay }
  }
}

/// A connection to a port of loopback.
private struct Upstream: ~Copyable {
  private let descriptor: CInt

  init?(port: UInt16) {
    descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let (socket, length) = (descriptor, socklen_t(MemoryLayout<sockaddr_in>.size))
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, length) }
    }
    guard code == 0 else { return nil }
  }

  deinit { close(descriptor) }

  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  /// nil where the connection broke.
  func readToEnd() -> [UInt8]? {
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count >= 0 else { return nil }
      if count == 0 { return answer }
      answer += buffer[..<count]
    }
  }
}
