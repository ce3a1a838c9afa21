import Foundation
import TestSupport

/// A program that judges the tested one.
enum Tool: String {
  case bucket = "s3-bucket"
  case compareBucket = "compare-bucket"
  case checkEvents = "check-events"
  case makeTree = "make-tree"
  case diff = "/usr/bin/diff"

  /// Those that are not the system's are in Tests/Tools.
  private var path: String {
    if rawValue.hasPrefix("/") { return rawValue }
    return URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Tools/\(rawValue)").path
  }

  func run(
    _ arguments: [String], in directory: TemporaryDirectory, environment: [String: String] = [:]
  ) async throws -> Outcome {
    let folder = "tools/\(UUID().uuidString)"
    try directory.makeFolder(folder)
    return try await ChildProcess(
      [path] + arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      in: directory.path, output: directory.path + "/" + folder
    ).outcome()
  }

  /// Whether everything that it needs is installed.
  func isUsable() async throws -> Bool {
    try await run(["/dev/null"], in: try TemporaryDirectory()).status == 0
  }
}
