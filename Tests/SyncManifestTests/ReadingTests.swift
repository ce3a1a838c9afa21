import Foundation
import GRDB
import SyncManifest
import TestSupport
import Testing

@Suite("Opening a manifest only to read it")
struct ReadingTests {
  @Test("Where there is none, nothing is made")
  func none() throws {
    let directory = try TemporaryDirectory()
    let state = directory.path + "/state"
    #expect(try Manifest.openExisting(stateDirectory: state, identity: target) == nil)
    #expect(!FileManager.default.fileExists(atPath: state))
    #expect(try Manifest.openExisting(stateDirectory: directory.path, identity: target) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }

  @Test("Everything can be read, nothing written, and no file is changed or added")
  func unchanged() async throws {
    let desk = try await Desk()
    try await desk.manifest.recordMirrored(sampleRow("p/a"), of: desk.mapping)
    try desk.manifest.close()
    let before = try Listing(desk.directory.path)

    let manifest = try #require(
      try Manifest.openExisting(stateDirectory: desk.directory.path, identity: target))
    #expect(try manifest.allRows(of: desk.mapping) == [sampleRow("p/a")])
    #expect(try manifest.row(for: bytes("p/a")) == sampleRow("p/a"))
    #expect(try manifest.totals(of: desk.mapping).objects == 1)
    #expect(try manifest.uploads(of: desk.mapping).isEmpty)
    #expect(try manifest.lastRuns(profile: nil, limit: 5).isEmpty)
    await #expect(throws: ManifestError.self) { try await manifest.removeRows([bytes("p/a")]) }
    await #expect(throws: ManifestError.self) {
      try await manifest.mapping(source: bytes("/new"), keyPrefix: [])
    }
    try manifest.close()
    #expect(try Listing(desk.directory.path) == before)
  }

  @Test("Beside a run that writes, it sees what was recorded and takes nothing from the run")
  func besideARun() async throws {
    let desk = try await Desk()
    try await desk.manifest.recordMirrored(sampleRow("p/a"), of: desk.mapping)
    let manifest = try #require(
      try Manifest.openExisting(stateDirectory: desk.directory.path, identity: target))
    #expect(try manifest.allRows(of: desk.mapping) == [sampleRow("p/a")])
    try manifest.close()
    try await desk.manifest.recordMirrored(sampleRow("p/b"), of: desk.mapping)
    try desk.manifest.close()
    let again = try Manifest.open(stateDirectory: desk.directory.path, identity: target)
    #expect(try again.allRows(of: desk.mapping).count == 2)
    try again.close()
  }

  @Test("A log that lost its index file is read all the same")
  func logWithoutIndex() async throws {
    let desk = try await Desk()
    try await desk.manifest.recordMirrored(sampleRow("p/a"), of: desk.mapping)
    let copy = try TemporaryDirectory()
    for name in try FileManager.default.contentsOfDirectory(atPath: desk.directory.path)
    where !name.hasSuffix("-shm") {
      try FileManager.default.copyItem(
        atPath: desk.directory.path + "/" + name, toPath: copy.path + "/" + name)
    }
    let manifest = try #require(try Manifest.openExisting(stateDirectory: copy.path, identity: target))
    #expect(try manifest.allRows(of: desk.mapping) == [sampleRow("p/a")])
    try manifest.close()
    try desk.manifest.close()
  }

  @Test("An older schema is brought up to date in a private copy, never in place")
  func olderSchema() throws {
    let directory = try TemporaryDirectory()
    let probe = try Manifest.open(stateDirectory: directory.path, identity: target)
    try probe.close()
    try FileManager.default.removeItem(atPath: probe.path)
    let database = try DatabaseQueue(path: probe.path)
    // Older than version 1: ours, and nothing in it yet.
    try database.writeWithoutTransaction { db in
      try db.execute(
        sql:
          "PRAGMA application_id = 1937337955; CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"
      )
    }
    try database.close()
    let before = try Listing(directory.path)
    #expect(throws: ManifestError.damaged(path: probe.path, detail: "it names no target")) {
      try Manifest.openExisting(stateDirectory: directory.path, identity: target)
    }
    #expect(try Listing(directory.path) == before)
  }
}
