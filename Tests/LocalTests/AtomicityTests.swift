import Foundation
import SyncBackend
import Synchronization
import TestSupport
import Testing

@testable import Local

@Suite("An object in a local bucket is whole, old or new")
struct AtomicityTests {
  let bucket: TemporaryDirectory

  init() throws {
    bucket = try TemporaryDirectory()
  }

  @Test("a reader never sees half an object")
  func neverHalf() async throws {
    let local = backend(bucket.path)
    try await local.put(String(repeating: "0", count: 300_000), to: "key")
    let done = Mutex(false)
    let bucket = bucket
    async let reads: Int = {
      var reads = 0
      while !done.withLock({ $0 }) {
        let bytes = try bucket.read("key")
        #expect(bytes.count == 300_000)
        #expect(Set(bytes).count == 1)
        reads += 1
        await Task.yield()
      }
      return reads
    }()
    for round in 1...20 { try await local.put(String(repeating: "\(round % 10)", count: 300_000), to: "key") }
    done.withLock { $0 = true }
    #expect(try await reads > 0)
  }

  @Test("puts and deletes below the same folders do not trip over each other")
  func folderRaces() async throws {
    let local = backend(bucket.path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          for round in 0..<10 {
            let key = "a/b/\(worker % 4)/\(worker)-\(round)"
            try await local.put("x", to: key)
            #expect(try await local.delete(key) == nil)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(bucket.tree == [])
  }

  @Test("what a killed process left half written is removed by the next put; what lives is not")
  func leftovers() async throws {
    try bucket.write("half", to: ".sync-uploads/put-dead")
    try bucket.write("half", to: ".sync-uploads/begin-dead/plan")
    try bucket.write("half", to: ".sync-uploads/upload-\(String(repeating: "0", count: 32))/plan")
    try bucket.write("half", to: ".sync-uploads/put-alive")
    let alive = open(bucket.path + "/.sync-uploads/put-alive", O_RDWR)
    defer { close(alive) }
    try #require(flock(alive, LOCK_EX) == 0)
    let upload = try await backend(bucket.path).begin("other", size: 1, partSize: 1)
    try await backend(bucket.path).put("x", to: "key")
    let left = bucket.tree.filter {
      $0.hasPrefix(".sync-uploads/") && $0.filter { $0 == "/" }.count == ($0.hasSuffix("/") ? 2 : 1)
    }
    #expect(
      left
        == [".sync-uploads/", ".sync-uploads/put-alive", ".sync-uploads/upload-\(upload.id)/"].filter {
          $0 != ".sync-uploads/"
        })
    #expect(try await backend(bucket.path).keys() == ["key"])
  }

  @Test("a put that fails midway leaves nothing")
  func failsMidway() async throws {
    let path = try bucket.write(String(repeating: "x", count: 1000), to: "source")
    let file = OpenFile(owning: open(path, O_RDONLY))
    let payload = Payload(.file(FileRange(file, offset: 0, length: 2000)))
    let error = await #expect(throws: BackendError.self) {
      try await backend(bucket.path).put(payload, to: ObjectKey("a/b"), options: ObjectOptions())
    }
    #expect(error?.kind == .unreadableSource)
    #expect(bucket.tree == ["source"])
  }
}
