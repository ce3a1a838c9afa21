import SyncManifest
import TestSupport
import Testing

@Suite("Writes of many tasks")
struct GroupCommitTests {
  @Test("One that fails fails alone")
  func neighbours() async throws {
    let desk = try await Desk()
    let outcomes = await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          let key = number % 3 == 0 ? "outside/\(number)" : "p/\(number)"
          do {
            try await desk.manifest.recordMirrored(sampleRow(key), of: desk.mapping)
            return true
          } catch { return false }
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(outcomes == 133)
    #expect(try desk.manifest.totals(of: desk.mapping).objects == 133)
  }

  @Test("10,000 rows by 16 tasks are all there, each readable as soon as its recording returned")
  func manyRows() async throws {
    let desk = try await Desk()
    try await withThrowingTaskGroup { group in
      for task in 0..<16 {
        group.addTask {
          for number in 0..<625 {
            let row = sampleRow("p/\(task)/\(number)", seed: Int64(number))
            try await desk.manifest.recordMirrored(row, of: desk.mapping)
            if number % 100 == 0 { #expect(try desk.manifest.row(for: row.key) == row) }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try desk.manifest.totals(of: desk.mapping).objects == 10_000)
    try desk.manifest.close()
  }

  @Test("A write that is under way when its task is cancelled is recorded all the same")
  func cancelled() async throws {
    let desk = try await Desk()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await desk.manifest.recordMirrored(sampleRow("p/a"), of: desk.mapping)
    }
    try await task.value
    #expect(try desk.keys() == [bytes("p/a")])
  }

  @Test("After closing, writes and reads fail instead of waiting")
  func closed() async throws {
    let desk = try await Desk()
    try desk.manifest.close()
    await #expect(throws: ManifestError.self) { try await desk.manifest.removeRows([]) }
    #expect(throws: ManifestError.self) { try desk.manifest.row(for: []) }
  }
}
