import Memory
import SyncBackend
import Testing

@Suite("A bucket in memory, for tests")
struct MemoryBackendTests {
  let key = ObjectKey("a/key")

  @Test("an answer is lost after its call took effect")
  func lostAnswer() async throws {
    let lost = BackendError(.outcomeUnknown, "the answer was lost", retry: .backoff)
    let memory = MemoryBackend(faults: { call, moment throws(BackendError) in
      if call.verb == .put, moment == .after { throw lost }
    })
    await #expect(throws: lost) {
      try await memory.put(Payload(.bytes([1, 2])), to: key, options: ObjectOptions())
    }
    #expect(memory.contents == [key: [1, 2]])
  }

  @Test("a fault before a call leaves everything as it was")
  func failsBefore() async throws {
    let memory = MemoryBackend()
    let refused = BackendError(.throttled, "slow down", retry: .after(.seconds(1)))
    memory.setFaults { call, moment throws(BackendError) in
      if call.partNumber == 2, moment == .before { throw refused }
    }
    let plan = UploadPlan(key: key, size: 2, partSize: 1, options: ObjectOptions())
    let upload = try await memory.beginUpload(plan)
    _ = try await memory.uploadPart(1, payload: Payload(.bytes([1])), of: upload)
    await #expect(throws: refused) {
      try await memory.uploadPart(2, payload: Payload(.bytes([2])), of: upload)
    }
    #expect(try await memory.listParts(of: upload, after: nil).items.map(\.number) == [1])
  }

  @Test("a call that is held up can be cancelled, and then has not happened")
  func heldUp() async throws {
    let memory = MemoryBackend(faults: { _, moment throws(BackendError) in
      if moment == .before { try? await Task.sleep(for: .seconds(60)) }
    })
    let key = key
    let task = Task { try await memory.put(Payload(.bytes([1])), to: key, options: ObjectOptions()) }
    while memory.calls.isEmpty { await Task.yield() }
    task.cancel()
    let result = await task.result
    #expect(throws: BackendError.self) { try result.get() }
    #expect(memory.contents.isEmpty)
  }

  @Test("the log has every call with its keys, upload and part")
  func log() async throws {
    let memory = MemoryBackend()
    let upload = try await memory.beginUpload(
      UploadPlan(key: key, size: 1, partSize: 1, options: ObjectOptions()))
    _ = try await memory.uploadPart(1, payload: Payload(.bytes([1])), of: upload)
    _ = try await memory.delete([ObjectReference(key)])
    #expect(
      memory.calls == [
        MemoryCall(.beginUpload, [key]), MemoryCall(.uploadPart, [key], uploadID: upload.id, partNumber: 1),
        MemoryCall(.delete, [key]),
      ])
    memory.forgetCalls()
    #expect(memory.calls.isEmpty)
  }

  @Test("ETags are S3's: MD5, and MD5 of the parts' MD5s with their count")
  func etags() async throws {
    let memory = MemoryBackend()
    let put = try await memory.put(Payload(.bytes([])), to: key, options: ObjectOptions())
    #expect(put.reference.etag == "d41d8cd98f00b204e9800998ecf8427e")
    let upload = try await memory.beginUpload(
      UploadPlan(key: key, size: 2, partSize: 1, options: ObjectOptions()))
    var parts: [Part] = []
    for number in 1...2 {
      parts.append(try await memory.uploadPart(number, payload: Payload(.bytes([0x61])), of: upload))
    }
    let info = try await memory.completeUpload(upload, parts: parts, content: ContentSummary(size: 2))
    // printf a | md5sum, twice, as bytes | md5sum
    #expect(info.reference.etag == "7b3c799ee8b11a11c798c8b41bed8502-2")
  }

  @Test("a part that is too small is found at completion, as S3 does")
  func tooSmall() async throws {
    let memory = MemoryBackend(MemoryLimits(minimumPartSize: 10))
    let upload = try await memory.beginUpload(
      UploadPlan(key: key, size: 2, partSize: 1, options: ObjectOptions()))
    var parts: [Part] = []
    for number in 1...2 {
      parts.append(try await memory.uploadPart(number, payload: Payload(.bytes([0x61])), of: upload))
    }
    let sent = parts
    let error = await #expect(throws: BackendError.self) {
      try await memory.completeUpload(upload, parts: sent, content: ContentSummary(size: 2))
    }
    #expect(error?.code == "EntityTooSmall")
  }

  @Test("connections of one configuration share what was handed in, others begin empty")
  func configuration() throws {
    let shared = MemoryBackend()
    #expect(MemoryConfiguration(name: "a", shared: shared).target == MemoryConfiguration(name: "a").target)
    #expect(MemoryConfiguration(name: "a").target != MemoryConfiguration(name: "b").target)
  }
}
