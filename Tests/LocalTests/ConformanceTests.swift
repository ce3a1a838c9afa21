import SyncBackend
import SyncConformance
import TestSupport
import Testing

@Suite("A local bucket keeps every promise")
struct ConformanceTests {
  @Test("on this machine's filesystem", arguments: ConformanceSuite.promises)
  func here(_ promise: ConformancePromise) async throws {
    let directory = try TemporaryDirectory()
    let verdict = await suite(on: backend(directory.path)).run(promise)
    #expect(verdict.isGood, "\(verdict)")
    #expect(directory.tree == [])
  }

  @Test("with small pages", arguments: ConformanceSuite.promises)
  func smallPages(_ promise: ConformancePromise) async throws {
    let directory = try TemporaryDirectory()
    let verdict = await suite(on: backend(directory.path, pageSize: 2)).run(promise)
    #expect(verdict.isGood, "\(verdict)")
  }
}
