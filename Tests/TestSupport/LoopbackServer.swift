import Foundation
import SyncHTTP
import Synchronization

/// What a `LoopbackServer` was sent, byte for byte.
public struct RecordedRequest: Sendable {
  /// The connection that it came on, counted from 1.
  public let connection: Int
  /// The request line and the fields, up to and with the empty line.
  public let head: [UInt8]
  /// What followed, as far as the server has read it; stays empty where bodies are not kept.
  public internal(set) var body: [UInt8] = []
  /// The bytes of the body that were read, kept or not.
  public internal(set) var bodyLength = 0

  /// The head's lines without their ends.
  public var lines: [String] {
    head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true).compactMap { line in
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }
  }

  /// `PUT /bucket/key HTTP/1.1`
  public var line: String { lines.first ?? "" }
  public var method: String { line.split(separator: " ").first.map(String.init) ?? "" }
  /// The path and query, or a whole URL where the server plays a proxy.
  public var target: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }

  public var headers: HTTPFields {
    var fields = HTTPFields()
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      fields.append(String(line[..<colon]), String(value))
    }
    return fields
  }

  var contentLength: Int { headers["Content-Length"].flatMap { Int($0) } ?? 0 }
}

/// An HTTP/1.1 server on loopback that does to each request what a test tells it: answer, answer in pieces,
/// fall silent, cut the connection.
///
/// Every connection has a thread; the handler runs on it, once per request, as soon as the request's head has
/// come. What the handler leaves undone is done for it: the rest of the body is read, and a request without an
/// answer gets an empty 200. Bodies are told by Content-Length alone. The server stops with its last reference.
///
///     let server = try LoopbackServer { exchange in
///       exchange.answer(503, headers: ["Retry-After": "1"])
///     }
///     let request = HTTPRequest(.get, server.target("/key"))
public final class LoopbackServer: Sendable {
  public typealias Handler = @Sendable (LoopbackExchange) -> Void

  public let port: UInt16
  private let core: Core

  /// - Parameters:
  ///   - keepsBodies: false counts the bytes of bodies instead of keeping them.
  public convenience init(keepsBodies: Bool = true, _ handler: @escaping Handler = { _ in }) throws {
    try self.init(greeting: nil, keepsBodies: keepsBodies, handler)
  }

  /// A server that answers nothing: every connection gets these bytes and then its end, orderly or by a reset.
  public convenience init(hangingUpAfter greeting: [UInt8], resetting: Bool = false) throws {
    try self.init(greeting: (greeting, resetting), keepsBodies: false) { _ in }
  }

  private init(greeting: Core.Greeting?, keepsBodies: Bool, _ handler: @escaping Handler) throws {
    let (listener, port) = try LoopbackServer.listen()
    self.port = port
    let core = Core(listener: listener, greeting: greeting, keepsBodies: keepsBodies, handler: handler)
    self.core = core
    Thread.detachNewThread { core.acceptAll() }
  }

  deinit { stop() }

  /// Cuts every connection and refuses new ones.
  public func stop() { core.stop() }

  public var authority: String { "127.0.0.1:\(port)" }

  public func target(_ path: String, query: String = "") -> HTTPTarget {
    HTTPTarget(scheme: "http", authority: authority, path: path, query: query)
  }

  /// Every request so far, in the order in which their heads came.
  public var requests: [RecordedRequest] { core.state.withLock { $0.requests } }

  /// Connections accepted so far.
  public var connections: Int { core.state.withLock { $0.accepted } }

  /// A port on which nothing listens.
  public static func unusedPort() throws -> UInt16 {
    let (listener, port) = try listen()
    close(listener)
    return port
  }

  private static func listen() throws -> (descriptor: CInt, port: UInt16) {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw POSIXError(.EMFILE) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(listener, generic, length) == 0 && Glibc.listen(listener, 512) == 0
          && getsockname(listener, generic, &length) == 0
      }
    }
    guard code else {
      close(listener)
      throw POSIXError(.EADDRNOTAVAIL)
    }
    return (listener, UInt16(bigEndian: address.sin_port))
  }
}

extension LoopbackServer {
  /// What the server's threads share.
  final class Core: Sendable {
    struct State {
      var accepted = 0
      var open: Set<CInt> = []
      var requests: [RecordedRequest] = []
      var isStopped = false
    }

    typealias Greeting = (bytes: [UInt8], resetting: Bool)

    let state = Mutex(State())
    let keepsBodies: Bool
    private let listener: CInt
    private let greeting: Greeting?
    private let handler: Handler

    init(listener: CInt, greeting: Greeting?, keepsBodies: Bool, handler: @escaping Handler) {
      self.listener = listener
      self.greeting = greeting
      self.keepsBodies = keepsBodies
      self.handler = handler
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    func stop() {
      state.withLock { state in
        guard !state.isStopped else { return }
        state.isStopped = true
        // Threads that wait on a socket wake up; each closes its own.
        shutdown(listener, CInt(SHUT_RDWR))
        for descriptor in state.open { shutdown(descriptor, CInt(SHUT_RDWR)) }
      }
    }

    func acceptAll() {
      while true {
        let descriptor = accept(listener, nil, nil)
        if descriptor < 0 && errno == EINTR { continue }
        guard descriptor >= 0, let number = admit(descriptor) else { break }
        Thread.detachNewThread { self.serve(descriptor, number) }
      }
      close(listener)
    }

    private func admit(_ descriptor: CInt) -> Int? {
      state.withLock { state in
        guard !state.isStopped else {
          close(descriptor)
          return nil
        }
        state.open.insert(descriptor)
        state.accepted += 1
        return state.accepted
      }
    }

    private func serve(_ descriptor: CInt, _ number: Int) {
      let connection = LoopbackConnection(descriptor, number, self)
      if let greeting { return connection.hangUp(after: greeting.bytes, resetting: greeting.resetting) }
      while let exchange = connection.nextExchange() {
        handler(exchange)
        exchange.finish()
      }
      connection.close()
    }

    func begin(_ request: RecordedRequest) -> Int {
      state.withLock { state in
        state.requests.append(request)
        return state.requests.count - 1
      }
    }

    func append(_ bytes: ArraySlice<UInt8>, to index: Int) {
      state.withLock { state in
        state.requests[index].bodyLength += bytes.count
        if keepsBodies { state.requests[index].body.append(contentsOf: bytes) }
      }
    }
  }
}
