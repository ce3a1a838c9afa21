import Memory
import SyncBackend
import SyncConformance
import Testing

@Suite("The conformance suite notices what is broken")
struct SuiteTests {
  @Test("a lie breaks its promise", arguments: LyingBackend.Lie.allCases)
  func noticed(_ lie: LyingBackend.Lie) async throws {
    let memory = MemoryBackend(MemoryLimits(pageSize: 5))
    let promise = try #require(ConformanceSuite.promises.first { $0.id == Self.promises[lie] })
    let verdict = await suite(on: LyingBackend(lie: lie, memory: memory)).run(promise)
    guard case .broken = verdict.outcome else {
      Issue.record("not noticed: \(verdict)")
      return
    }
  }

  private static let promises: [LyingBackend.Lie: String] = [
    .putChangesBytes: "put.small", .putDoesNotReplace: "put.replaces",
    .putTakesWrongDigest: "content.corrupted",
    .putLosesMetadata: "content.metadata", .putAnswersAnotherETag: "content.proof",
    .statInventsObjects: "stat.missing", .readIgnoresRanges: "read.range",
    .readIsEmptyWhereMissing: "read.missing", .listStopsAfterFirstPage: "list.complete",
    .listIsReversed: "list.order", .listTakesPrefixForFolder: "list.prefix", .listNeverEnds: "list.complete",
    .deleteDoesNothing: "delete.one", .deleteFailsWhereMissing: "delete.missing",
    .deleteTakesPrefix: "delete.folder", .keysAreFolded: "names.case", .partsKeepTheFirst: "parts.replaced",
    .partsAreNotListed: "parts.listed", .completeIgnoresOrder: "parts.assembled",
    .completeTakesWhatIsThere: "parts.missing", .abortForgetsNothing: "uploads.aborted",
    .abortFailsTwice: "uploads.aborted-twice", .uploadsAreNotListed: "uploads.listed",
    .cancellationIsIgnored: "calls.cancelled-before",
  ]

  @Test("what cannot be removed is told")
  func leftBehind() async throws {
    let lying = LyingBackend(lie: .deleteDoesNothing, memory: MemoryBackend())
    let promise = try #require(ConformanceSuite.promises.first { $0.id == "put.small" })
    let verdict = await suite(on: lying).run(promise)
    #expect(verdict.outcome == .kept)
    #expect(verdict.leftBehind.count == 1)
    #expect(!verdict.isGood)
  }

  @Test("the table has a line a promise, what went wrong, and the count")
  func table() async throws {
    let lying = LyingBackend(
      lie: .readIgnoresRanges, memory: MemoryBackend(MemoryLimits(storesMetadata: false)))
    let wanted = ["put.small", "read.range", "content.metadata"]
    let verdicts = await suite(on: lying).run(ConformanceSuite.promises.filter { wanted.contains($0.id) })
    let lines = verdicts.table.split(separator: "\n")
    #expect(lines[0] == "kept    put.small         a small object comes back as it was put")
    #expect(lines[1] == "BROKEN  read.range        a range reads exactly its bytes")
    #expect(lines[2].hasPrefix("    read 0 + 1: expected the 1 bytes sent, came 2000 bytes"))
    #expect(lines[3].hasSuffix("(not applicable: stores no metadata)"))
    #expect(lines[4] == "1 kept, 1 broken, 1 not applicable")
  }

  @Test("ids are unique")
  func ids() {
    #expect(Set(ConformanceSuite.promises.map(\.id)).count == ConformanceSuite.promises.count)
  }
}
