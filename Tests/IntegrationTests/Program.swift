import Foundation
import Testing

/// The program that is tested, and the tools that judge it.
enum Program {
  /// Beside the test bundle, where the build puts every product; `SYNC_BINARY` names another.
  static func path() throws -> String {
    if let named = variable("SYNC_BINARY") { return named }
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    for folder in [URL(fileURLWithPath: bundle), Bundle.main.bundleURL].map({ $0.deletingLastPathComponent() }
    ) {
      let path = folder.appendingPathComponent("sync").path
      if access(path, X_OK) == 0 { return path }
    }
    throw ChildProcess.Failed(description: "there is no `sync` beside \(bundle), and SYNC_BINARY is not set")
  }

  static func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  static func number(_ name: String, default value: Int) -> Int {
    variable(name).flatMap { Int($0) } ?? value
  }

  /// Bytes of a file that counts as big here.
  static var bigSize: Int { number("SYNC_TEST_BIG_MIB", default: 192) << 20 }
}

/// What a program left behind.
struct Outcome: CustomTestStringConvertible {
  /// The exit status, or the negative number of the signal that ended it.
  var status: Int32
  var output: String
  var errors: String

  var events: [RunEvent] { get throws { try RunEvent.decode(output) } }

  /// The last event of the last run.
  var summary: RunEvent {
    get throws {
      let last = try #require(try events.last, "no event at all: \(testDescription)")
      return try #require(last.event == "run_finished" ? last : nil, "\(output.suffix(1000))")
    }
  }

  var testDescription: String { "status \(status)\n\(output.suffix(4000))\n\(errors.suffix(4000))" }
}

/// One line of `--json`, as far as tests look into it.
struct RunEvent: Decodable {
  var event: String
  var action: String?
  var path: String?
  var key: String?
  var reason: String?
  var code: String?
  var message: String?
  var part: Int?
  var parts: Int?
  var resumedParts: Int?
  var md5: String?
  var etag: String?
  var dryRun: Bool?
  var status: Int?
  var uploaded: Int?
  var deleted: Int?
  var touched: Int?
  var unchanged: Int?
  var kept: Int?
  var failed: Int?
  var requests: Int?
  var remoteRequests: [String: Int]?

  /// Whole lines only: the last one of a program that was killed may be cut off.
  static func decode(_ output: String) throws -> [RunEvent] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let end = output.utf8.lastIndex(of: UInt8(ascii: "\n")) ?? output.startIndex
    return try output[..<end].split(separator: "\n").map { line in
      try decoder.decode(RunEvent.self, from: Data(line.utf8))
    }
  }
}

extension [RunEvent] {
  func named(_ name: String) -> [RunEvent] { filter { $0.event == name } }
}

extension ChildProcess {
  func outcome() async -> Outcome {
    let status = await status()
    return Outcome(status: status, output: output, errors: errors)
  }

  /// Looks at what the program has written until `condition` holds; false where it ended before.
  func reaches(_ condition: ([RunEvent]) throws -> Bool) async throws -> Bool {
    while true {
      let isOver = hasEnded
      if try condition(try RunEvent.decode(output)) { return true }
      if isOver { return false }
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}
