import Foundation
import SyncHTTP
import TestSupport
import Testing

/// `openssl s_server` with a certificate of its own making, for localhost and 127.0.0.1. Answers every GET with
/// a page of its own.
final class TLSServer: Sendable {
  let port: UInt16
  let certificate: String
  private let directory: TemporaryDirectory
  private let process: pid_t

  init() async throws {
    directory = try TemporaryDirectory()
    certificate = directory.path + "/certificate.pem"
    let key = directory.path + "/key.pem"
    let making = try TLSServer.start([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
      "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
      "-keyout", key, "-out", certificate,
    ])
    waitpid(making, nil, 0)
    port = try LoopbackServer.unusedPort()
    process = try TLSServer.start([
      "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate, "-key", key, "-www", "-quiet",
    ])
    try await waitUntilReady()
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  private func waitUntilReady() async throws {
    let client = try makeClient { $0.verifiesTLS = false }
    let request = HTTPRequest(.get, HTTPTarget(scheme: "https", authority: "127.0.0.1:\(port)", path: "/"))
    for _ in 0..<500 {
      if (try? await client.send(request)) != nil { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("openssl s_server does not start")
  }

  /// Foundation's Process would wait for its siblings too: they inherit the pipe by which it learns of an end.
  private static func start(_ arguments: [String]) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: CInt in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    var words = (["openssl"] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process = pid_t()
    guard posix_spawnp(&process, "openssl", &actions, nil, &words, environ) == 0 else {
      throw POSIXError(.ENOENT)
    }
    return process
  }
}
