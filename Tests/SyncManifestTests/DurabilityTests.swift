import Foundation
import SyncManifest
import TestSupport
import Testing

@Suite("What a killed process leaves")
struct DurabilityTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Has a process record rows `p/0`, `p/1`, …, an upload and a doubt, and be killed with the manifest open.
  private func killedRun() async {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
      let manifest = try Manifest.open(stateDirectory: path, identity: target)
      let mapping = try await manifest.mapping(source: bytes("/src"), keyPrefix: bytes("p/"))
      for seed in 0..<50 {
        try await manifest.recordMirrored(sampleRow("p/\(seed)", seed: Int64(seed)), of: mapping)
      }
      let upload = try await manifest.recordIntent(sampleUpload("p/big"), of: mapping)
      try await manifest.recordBegun(upload, uploadID: "U")
      try await manifest.recordPart(PartRecord(number: 1, size: 5, md5: [1], etag: "e"), of: upload)
      var keys: [[UInt8]]? = [bytes("p/7")]
      try manifest.markInDoubt {
        defer { keys = nil }
        return keys
      }
      kill(getpid(), SIGKILL)
    }
  }

  private func check(_ manifest: Manifest) throws {
    let mapping = try #require(try manifest.existingMapping(source: bytes("/src"), keyPrefix: bytes("p/")))
    #expect(try manifest.totals(of: mapping).objects == 50)
    #expect(try manifest.allRows(of: mapping).filter(\.isInDoubt).map(\.key) == [bytes("p/7")])
    let upload = try #require(try manifest.upload(for: bytes("p/big")))
    #expect(upload.uploadID == "U")
    #expect(try manifest.parts(of: upload.id).count == 1)
  }

  @Test("Everything whose recording had returned is there for the next run")
  func kill9() async throws {
    await killedRun()
    let manifest = try Manifest.open(stateDirectory: directory.path, identity: target)
    try check(manifest)
    try manifest.close()
  }

  @Test("Reading it, as plan does, sees everything and leaves each file as it was")
  func readingAfterKill9() async throws {
    await killedRun()
    let before = try Listing(directory.path)
    #expect(before.entries.count == 3, "the log has to lie there for this to be a test")
    let manifest = try #require(try Manifest.openExisting(stateDirectory: directory.path, identity: target))
    try check(manifest)
    try manifest.close()
    #expect(try Listing(directory.path) == before)
  }

  @Test("Two processes write to one manifest, each for its own mapping")
  func sideBySide() async throws {
    async let other = #expect(processExitsWith: .success) { [path = directory.path as String] in
      try await writeRows(in: path, source: "/other", prefix: "q/")
    }
    try await writeRows(in: directory.path, source: "/src", prefix: "p/")
    _ = await other
    let manifest = try Manifest.open(stateDirectory: directory.path, identity: target)
    for (source, prefix) in [("/src", "p/"), ("/other", "q/")] {
      let mapping = try #require(
        try manifest.existingMapping(source: bytes(source), keyPrefix: bytes(prefix)))
      #expect(try manifest.totals(of: mapping).objects == 500)
    }
    try manifest.close()
  }
}

/// 500 rows by ten tasks, waiting first until another process has opened the same manifest.
private func writeRows(in directory: String, source: String, prefix: String) async throws {
  let manifest = try Manifest.open(stateDirectory: directory, identity: target)
  let mapping = try await manifest.mapping(source: bytes(source), keyPrefix: bytes(prefix))
  let other = source == "/src" ? (bytes("/other"), bytes("q/")) : (bytes("/src"), bytes("p/"))
  for _ in 0..<1000 where try manifest.existingMapping(source: other.0, keyPrefix: other.1) == nil {
    try await Task.sleep(for: .milliseconds(10))
  }
  try await withThrowingTaskGroup { group in
    for task in 0..<10 {
      group.addTask {
        for number in 0..<50 {
          try await manifest.recordMirrored(sampleRow("\(prefix)\(task)-\(number)"), of: mapping)
        }
      }
    }
    try await group.waitForAll()
  }
  try manifest.close()
}
