import SyncManifest
import TestSupport
import Testing

@Suite("Uploads in progress")
struct UploadTests {
  @Test("From the intent to the last part, each step is kept")
  func lifeOfAnUpload() async throws {
    let desk = try await Desk()
    let id = try await desk.manifest.recordIntent(sampleUpload("p/big"), of: desk.mapping)
    var expected = sampleUpload("p/big")
    expected.id = id
    #expect(try desk.manifest.upload(for: bytes("p/big")) == expected)

    try await desk.manifest.recordBegun(id, uploadID: "U/1+")
    expected.uploadID = "U/1+"
    #expect(try desk.manifest.uploads(of: desk.mapping) == [expected])

    let parts = [3, 1, 2].map { PartRecord(number: $0, size: 5, md5: [UInt8($0)], etag: "e\($0)") }
    for part in parts { try await desk.manifest.recordPart(part, of: id) }
    let again = PartRecord(number: 2, size: 6, md5: [], etag: "new")
    try await desk.manifest.recordPart(again, of: id)
    #expect(try desk.manifest.parts(of: id) == [parts[1], again, parts[0]])
  }

  @Test("Recording the object forgets the upload and its parts")
  func finishing() async throws {
    let desk = try await Desk()
    let id = try await desk.manifest.recordIntent(sampleUpload("p/big"), of: desk.mapping)
    try await desk.manifest.recordPart(PartRecord(number: 1, size: 5, md5: [1], etag: "e"), of: id)
    let other = try await desk.manifest.recordIntent(sampleUpload("p/other"), of: desk.mapping)
    try await desk.manifest.recordMirrored(sampleRow("p/big"), of: desk.mapping, finishing: id)
    #expect(try desk.manifest.upload(for: bytes("p/big")) == nil)
    #expect(try desk.manifest.parts(of: id).isEmpty)
    #expect(try desk.manifest.uploads(of: desk.mapping).map(\.id) == [other])
  }

  @Test("Parts and IDs for an upload that was removed are refused")
  func removed() async throws {
    let desk = try await Desk()
    let id = try await desk.manifest.recordIntent(sampleUpload("p/big"), of: desk.mapping)
    try await desk.manifest.recordPart(PartRecord(number: 1, size: 5, md5: [1], etag: "e"), of: id)
    try await desk.manifest.removeUpload(id)
    #expect(try desk.manifest.parts(of: id).isEmpty)
    await #expect(throws: ManifestError.unknownUpload(id)) {
      try await desk.manifest.recordPart(PartRecord(number: 2, size: 5, md5: [1], etag: "e"), of: id)
    }
    await #expect(throws: ManifestError.unknownUpload(id)) {
      try await desk.manifest.recordBegun(id, uploadID: "late")
    }
    let next = try await desk.manifest.recordIntent(sampleUpload("p/big"), of: desk.mapping)
    #expect(next != id)
  }

  @Test("Of several uploads of a key the latest is told, and a mapping's are listed by key")
  func several() async throws {
    let desk = try await Desk()
    let other = try await desk.manifest.mapping(source: bytes("/other"), keyPrefix: bytes("q/"))
    let old = try await desk.manifest.recordIntent(sampleUpload("p/b", at: 9), of: desk.mapping)
    let new = try await desk.manifest.recordIntent(sampleUpload("p/b", at: 8), of: desk.mapping)
    let first = try await desk.manifest.recordIntent(sampleUpload("p/a"), of: desk.mapping)
    _ = try await desk.manifest.recordIntent(sampleUpload("q/a"), of: other)
    #expect(try desk.manifest.upload(for: bytes("p/b"))?.id == new)
    #expect(try desk.manifest.uploads(of: desk.mapping).map(\.id) == [first, old, new])
  }
}

@Suite("The history of runs")
struct RunTests {
  @Test("A run is begun, then finished with its counts")
  func run() async throws {
    let desk = try await Desk()
    let id = try await desk.manifest.beginRun(profile: "photos", at: 5)
    #expect(
      try desk.manifest.lastRuns(profile: nil, limit: 9) == [
        RunRecord(id: id, profile: "photos", startedAt: 5)
      ])
    let done = RunRecord(
      id: id, profile: "photos", startedAt: 5, finishedAt: 6, status: 1, uploaded: 2, deleted: 3, failed: 4,
      bytes: 5)
    try await desk.manifest.finishRun(done)
    #expect(try desk.manifest.lastRuns(profile: "photos", limit: 9) == [done])
    #expect(try desk.manifest.lastRuns(profile: "photos", status: 1, limit: 9) == [done])
    #expect(try desk.manifest.lastRuns(profile: "photos", status: 0, limit: 9) == [])
  }

  @Test("The newest come first, those of one profile where one is named")
  func order() async throws {
    let desk = try await Desk()
    for (time, profile) in ["a", "b", "a"].enumerated() {
      _ = try await desk.manifest.beginRun(profile: profile, at: Int64(time))
    }
    #expect(try desk.manifest.lastRuns(profile: nil, limit: 2).map(\.startedAt) == [2, 1])
    #expect(try desk.manifest.lastRuns(profile: "a", limit: 9).map(\.startedAt) == [2, 0])
    #expect(try desk.manifest.lastRuns(profile: "none", limit: 9).isEmpty)
  }

  @Test("The last thousand of a profile are kept, whatever other profiles do")
  func pruning() async throws {
    let desk = try await Desk()
    _ = try await desk.manifest.beginRun(profile: "monthly", at: 0)
    let ids = try await withThrowingTaskGroup { group in
      for time in 1...1003 {
        group.addTask { try await desk.manifest.beginRun(profile: "often", at: Int64(time)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let kept = try desk.manifest.lastRuns(profile: "often", limit: 5000).map(\.id)
    #expect(kept == Array(ids.sorted(by: >).prefix(1000)))
    #expect(try desk.manifest.lastRuns(profile: "monthly", limit: 9).count == 1)
  }
}
