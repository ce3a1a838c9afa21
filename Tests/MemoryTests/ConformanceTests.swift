import Digests
import Memory
import SyncBackend
import SyncConformance
import Testing

@Suite("A bucket in memory keeps every promise")
struct ConformanceTests {
  @Test("as S3 does it", arguments: ConformanceSuite.promises)
  func likeS3(_ promise: ConformancePromise) async {
    await expectGood(promise, MemoryLimits())
  }

  @Test("with small pages and parts of a minimum size", arguments: ConformanceSuite.promises)
  func smallPages(_ promise: ConformancePromise) async {
    await expectGood(promise, MemoryLimits(minimumPartSize: 5000, pageSize: 2))
  }

  @Test(
    "as a tree, unordered, with parts in order, metadata and batches left out",
    arguments: ConformanceSuite.promises)
  func otherwise(_ promise: ConformancePromise) async {
    await expectGood(
      promise,
      MemoryLimits(
        partOrder: .ascending, maximumKeyBytes: 700, deleteBatch: .init(maximumCount: 1, alphabet: .xml),
        pageSize: 3, listOrder: .none, isHierarchical: true, storesMetadata: false, copies: false))
  }

  @Test("as far as it goes, without multipart", arguments: ConformanceSuite.promises)
  func withoutMultipart(_ promise: ConformancePromise) async {
    await expectGood(promise, MemoryLimits(operations: [.put, .stat, .read, .list, .delete]))
  }

  private func expectGood(_ promise: ConformancePromise, _ limits: MemoryLimits) async {
    let backend = MemoryBackend(limits)
    let verdict = await suite(on: backend).run(promise)
    #expect(verdict.isGood, "\(verdict)")
    #expect(backend.contents.isEmpty)
    #expect(backend.openUploads.isEmpty)
  }
}

func suite(on backend: any Backend) -> ConformanceSuite {
  ConformanceSuite(on: backend, prefix: ObjectKey("conformance/"), random: { .random(in: 0..<1) }) {
    switch $0 {
    case .md5: MD5.hash($1)
    case .sha256: SHA256.hash($1)
    }
  }
}
