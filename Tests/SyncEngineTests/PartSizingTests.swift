import Memory
import SyncBackend
import Testing

@testable import SyncEngine

@Suite("Part sizes")
struct PartSizingTests {
  private let mebibyte: Int64 = 1 << 20

  private func choice(
    _ size: Int64, part: Int64? = nil, threshold: Int64? = nil, _ limits: MemoryLimits = s3
  ) -> PartSizing.Choice {
    var options = TransferOptions()
    options.partSize = part
    options.multipartThreshold = threshold
    return PartSizing(limits.capabilities, options).choice(forSize: size)
  }

  private static let s3 = MemoryLimits(minimumPartSize: 5 << 20, maximumObjectSize: 10_000 * (5 << 30))

  @Test("files below 32 MiB are one put, larger ones have parts of 16 MiB")
  func automatic() {
    #expect(choice(0) == .put)
    #expect(choice(32 * mebibyte - 1) == .put)
    #expect(choice(32 * mebibyte) == .parts(size: 16 * mebibyte))
    #expect(choice(100 << 30) == .parts(size: 16 * mebibyte))
  }

  @Test("10,000 parts are always enough", arguments: [1, 3, 47, 999, 4_882] as [Int64])
  func always(gibibytes: Int64) throws {
    let size = gibibytes * 10 << 30 - 1
    guard case .parts(let part) = choice(size) else {
      Issue.record("not in parts")
      return
    }
    #expect((size + part - 1) / part <= 10_000)
    #expect(part >= 5 * mebibyte && part <= 5 << 30)
  }

  @Test("an asked-for part size grows where 10,000 of it would not do, and is never below the remote's")
  func askedFor() {
    #expect(choice(1 << 30, part: 8 * mebibyte) == .parts(size: 8 * mebibyte))
    #expect(choice(1 << 30, part: mebibyte) == .parts(size: 5 * mebibyte))
    #expect(choice(200 << 30, part: 8 * mebibyte) == .parts(size: 21 * mebibyte))
  }

  @Test("an asked-for part size lowers the threshold to two of it")
  func loweredThreshold() {
    #expect(choice(12 * mebibyte, part: 5 * mebibyte) == .parts(size: 5 * mebibyte))
    #expect(choice(9 * mebibyte, part: 5 * mebibyte) == .put)
  }

  @Test("the threshold is the smallest size that goes in parts")
  func threshold() {
    #expect(choice(64 * mebibyte - 1, threshold: 64 * mebibyte) == .put)
    #expect(choice(64 * mebibyte, threshold: 64 * mebibyte) == .parts(size: 16 * mebibyte))
  }

  @Test("nothing is no part: an empty file goes in one put, whatever the threshold")
  func empty() {
    #expect(choice(0, threshold: 0) == .put)
    #expect(choice(1, threshold: 0) == .parts(size: 16 * mebibyte))
  }

  @Test("a part size beyond all files is a part size")
  func enormous() {
    #expect(choice(mebibyte, part: .max) == .put)
  }

  @Test("what one put can't take goes in parts, what the remote can't take is refused")
  func limits() {
    let small = MemoryLimits(maximumObjectSize: 1000, maximumPutSize: 100)
    #expect(choice(101, small) == .parts(size: 16 * mebibyte))
    #expect(choice(1001, small) == .tooLarge(limit: 1000))
    let puts = MemoryLimits(maximumPutSize: 100, operations: [.put])
    #expect(choice(100, puts) == .put)
    #expect(choice(101, puts) == .tooLarge(limit: 100))
  }
}
