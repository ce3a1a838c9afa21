import Foundation
import Synchronization

/// A program that a test started. Its output goes to files: it can't hang on a full pipe, and what it wrote before it
/// was killed is still there.
final class ChildProcess: Sendable {
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  let pid: pid_t
  private let folder: String
  private let ended: Ended
  private let ending: Task<Int32, Never>

  /// - Parameters:
  ///   - command: a program's path, or a name that PATH finds, and its arguments.
  ///   - environment: all of it; nothing is inherited.
  ///   - folder: exists; gets the files of the output.
  init(_ command: [String], environment: [String: String], in directory: String, output folder: String) throws
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["--default-signal"] + command
    process.environment = environment
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try ChildProcess.file(folder + "/stdout")
    process.standardError = try ChildProcess.file(folder + "/stderr")
    let (ended, (statuses, ending)) = (Ended(), AsyncStream.makeStream(of: Int32.self))
    process.terminationHandler = { process in
      ended.set()
      let isKilled = process.terminationReason == .uncaughtSignal
      ending.yield(isKilled ? -process.terminationStatus : process.terminationStatus)
      ending.finish()
    }
    try process.run()
    pid = process.processIdentifier
    self.folder = folder
    self.ended = ended
    self.ending = Task {
      for await status in statuses { return status }
      return Int32.min
    }
  }

  deinit { signal(SIGKILL) }

  /// Everything written so far.
  var output: String { text("stdout") }
  var errors: String { text("stderr") }

  var hasEnded: Bool { ended.isSet }

  func signal(_ number: Int32) {
    if !hasEnded { _ = kill(pid, number) }
  }

  /// - Returns: the exit status, or the negative number of the signal that ended it.
  func status() async -> Int32 { await ending.value }

  private func text(_ name: String) -> String {
    String(decoding: FileManager.default.contents(atPath: folder + "/" + name) ?? Data(), as: UTF8.self)
  }

  private static func file(_ path: String) throws -> FileHandle {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Failed(description: "\(path): \(String(cString: strerror(errno)))") }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}

private final class Ended: Sendable {
  private let flag = Atomic(false)
  var isSet: Bool { flag.load(ordering: .acquiring) }
  func set() { flag.store(true, ordering: .releasing) }
}
