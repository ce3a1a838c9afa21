import CCurl
import Glibc
import SyncHTTP
import Synchronization

/// Why a client could not be made.
public struct CurlSetupError: Error, CustomStringConvertible {
  public let description: String
}

/// An `HTTPClient` on libcurl: HTTP/1.1 with reused connections, moved by event-loop threads of its own.
///
/// A request is sent once. curl itself may repeat it on a fresh connection only when the kept one turned out to
/// be dead and the server cannot have acted on what it got (see `Transfer`).
public final class CurlClient: HTTPClient {
  private let loops: [EventLoop]
  private let turn = Atomic<UInt>(0)

  /// Starts the loops; contacts nothing.
  ///
  /// - Throws: `CurlSetupError` when libcurl or a thread cannot be started, or an option is out of bounds.
  public init(_ options: CurlOptions = CurlOptions()) throws {
    guard options.eventLoops > 0, options.keptConnections > 0, options.answerBound >= 0 else {
      throw CurlSetupError(description: "the HTTP client needs at least one event loop and one connection")
    }
    let started = CurlLibrary.started
    guard started == CURLE_OK else {
      throw CurlSetupError(description: "libcurl does not start: \(CurlLibrary.text(of: started))")
    }
    let complete = options.completed { name in
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    loops = try (0..<options.eventLoops).map { _ in try EventLoop(complete) }
  }

  /// Ends what is in flight as cancelled, closes every connection and waits for the loops' threads; later
  /// requests end as cancelled too. May be called more than once, and happens by itself with the last reference.
  public func shutdown() {
    for loop in loops { loop.stop() }
  }

  public func send(
    _ request: HTTPRequest, into sink: (any ByteSink)?
  ) async throws(HTTPError) -> HTTPResponse {
    let head = try RequestHead(request)
    let loop = loops[Int(turn.wrappingAdd(1, ordering: .relaxed).oldValue % UInt(loops.count))]
    let call = Call(request, head: head, sink: sink)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { loop.submit(call, $0) }
    } onCancel: {
      loop.cancel(call)
    }
    return try outcome.get()
  }
}

/// libcurl as a whole.
enum CurlLibrary {
  /// Starting libcurl is not safe to repeat beside its other uses; a static is made once.
  static let started = ccurl_global_init()

  static func text(of code: CURLcode) -> String {
    String(cString: curl_easy_strerror(code))
  }
}
