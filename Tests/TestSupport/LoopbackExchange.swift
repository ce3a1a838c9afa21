import Foundation
import SyncHTTP

/// One request on a `LoopbackServer` and what becomes of it. For the handler's thread only.
public final class LoopbackExchange {
  private let connection: LoopbackConnection
  private let core: LoopbackServer.Core
  private let index: Int
  private var unread: Int
  private var hasWritten = false

  init(_ connection: LoopbackConnection, _ core: LoopbackServer.Core, index: Int, unread: Int) {
    self.connection = connection
    self.core = core
    self.index = index
    self.unread = unread
  }

  /// The request as far as it was read: at first the head alone.
  public var request: RecordedRequest { core.state.withLock { $0.requests[index] } }

  /// How many requests this server has begun to read, this one included.
  public var ordinal: Int { index + 1 }

  /// Reads more of the body, up to `count` bytes; false when the client has gone away.
  @discardableResult
  public func receive(upTo count: Int = .max) -> Bool {
    var wanted = min(count, unread)
    while wanted > 0 {
      guard let bytes = connection.read(upTo: wanted) else {
        unread = 0
        return false
      }
      core.append(bytes, to: index)
      wanted -= bytes.count
      unread -= bytes.count
    }
    return true
  }

  /// Writes a whole answer with its Content-Length, after reading the rest of the body (unless told not to).
  public func answer(
    _ status: Int, headers: HTTPFields = [:], body: [UInt8] = [], readingBody: Bool = true
  ) {
    if readingBody { receive() }
    var head = "HTTP/1.1 \(status) Status \(status)\r\n"
    for field in headers.fields { head += "\(field.name): \(field.value)\r\n" }
    if status >= 200 && status != 204 && headers["Content-Length"] == nil {
      head += "Content-Length: \(body.count)\r\n"
    }
    write(Array((head + "\r\n").utf8) + (request.method == "HEAD" ? [] : body))
  }

  public func answer(_ status: Int, headers: HTTPFields = [:], text: String) {
    answer(status, headers: headers, body: Array(text.utf8))
  }

  /// Writes bytes as they are: pieces of an answer, or something that is none. False when the client has gone.
  @discardableResult
  public func write(_ bytes: [UInt8]) -> Bool {
    hasWritten = true
    return connection.write(bytes)
  }

  @discardableResult
  public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Sleeps, unless the server stops or the client goes away.
  public func pause(_ duration: Duration) {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end, !core.isStopped, !connection.peerIsGone(within: 5) {}
  }

  /// Neither reads nor writes until the client goes away or the server stops, then ends the connection.
  public func hold() {
    while !core.isStopped, !connection.peerIsGone(within: 20) {}
    connection.close()
  }

  /// Ends the connection in the orderly way (FIN).
  public func close() { connection.close() }

  /// Ends the connection with a reset: what was written but not yet read may be lost.
  public func cut() { connection.close(resetting: true) }

  /// For a proxy's CONNECT: joins the client with a port on loopback until either side ends.
  public func tunnel(to port: UInt16) {
    hasWritten = true
    connection.tunnel(to: port)
  }

  /// Does what the handler left undone.
  func finish() {
    guard receive(), !hasWritten, connection.isOpen else { return }
    answer(200)
  }
}

/// A connection's socket and what was read ahead of it.
final class LoopbackConnection {
  private var descriptor: CInt
  private let number: Int
  private let core: LoopbackServer.Core
  private var ahead: ArraySlice<UInt8> = []

  init(_ descriptor: CInt, _ number: Int, _ core: LoopbackServer.Core) {
    self.descriptor = descriptor
    self.number = number
    self.core = core
  }

  var isOpen: Bool { descriptor >= 0 }

  /// Waits for the next request's head; nil when the connection has ended.
  func nextExchange() -> LoopbackExchange? {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard let byte = read(upTo: 1)?.first else { return nil }
      head.append(byte)
    }
    let request = RecordedRequest(connection: number, head: head)
    return LoopbackExchange(self, core, index: core.begin(request), unread: request.contentLength)
  }

  func read(upTo count: Int) -> ArraySlice<UInt8>? {
    if ahead.isEmpty {
      guard isOpen else { return nil }
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      var got = recv(descriptor, &buffer, buffer.count, 0)
      while got < 0 && errno == EINTR { got = recv(descriptor, &buffer, buffer.count, 0) }
      guard got > 0 else { return nil }
      ahead = buffer[..<got]
    }
    defer { ahead = ahead.dropFirst(count) }
    return ahead.prefix(count)
  }

  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard isOpen else { return false }
      let sent = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      if sent < 0 && errno == EINTR { continue }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  /// Whether the other side has closed its half; looks for up to so many milliseconds.
  func peerIsGone(within milliseconds: CInt) -> Bool {
    guard isOpen else { return true }
    let hangUp: CInt = 0x2000  // POLLRDHUP, which Glibc shows to GNU sources only
    var entry = pollfd(fd: descriptor, events: Int16(hangUp), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  func hangUp(after bytes: [UInt8], resetting: Bool) {
    _ = write(bytes)
    if !resetting {
      shutdown(descriptor, CInt(SHUT_WR))
      // Closing with bytes unread would be a reset.
      while read(upTo: .max) != nil {}
    }
    close(resetting: resetting)
  }

  func close(resetting: Bool = false) {
    guard isOpen else { return }
    if resetting {
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
    core.state.withLock { state in
      state.open.remove(descriptor)
      _ = Glibc.close(descriptor)
    }
    descriptor = -1
  }
}

extension LoopbackConnection {
  func tunnel(to port: UInt16) {
    let other = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    defer { _ = Glibc.close(other) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0, write(Array("HTTP/1.1 200 Connected\r\nX-Proxy: yes\r\n\r\n".utf8)) else {
      return close()
    }
    while !core.isStopped, relay(with: other) {}
    close()
  }

  /// Moves what is there, in either direction; false at the end of either side.
  private func relay(with other: CInt) -> Bool {
    var entries = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: other, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&entries, 2, 50) > 0 else { return true }
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    for (from, to) in [(0, 1), (1, 0)] where entries[from].revents != 0 {
      let got = recv(entries[from].fd, &buffer, buffer.count, 0)
      guard got > 0, send(entries[to].fd, buffer, got, CInt(MSG_NOSIGNAL)) == got else {
        return false
      }
    }
    return true
  }
}
