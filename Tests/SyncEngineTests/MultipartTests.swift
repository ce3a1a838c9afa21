import Digests
import Foundation
import Memory
import SyncBackend
import SyncEngine
import SyncManifest
import Testing

@Suite("Files in parts go on where they were")
struct MultipartTests {
  private let fixture: MirrorFixture
  private let content = (0..<9_500).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  private let parts: @Sendable (inout MirrorJob) -> Void = {
    $0.transfer.partSize = 1000
    $0.transfer.concurrency = 2
  }

  init() throws {
    fixture = try MirrorFixture()
    try fixture.source.write(content, to: "big")
  }

  private var stored: [UInt8]? { fixture.bucket.contents[ObjectKey("p/big")] }

  /// Runs until a call of `verb` is about to be made or has taken effect, then cancels the run: the answer is lost.
  private func stop(
    at verb: MemoryCall.Verb, _ moment: MemoryMoment, count: Int = 1,
    _ change: (@Sendable (inout MirrorJob) -> Void)? = nil
  ) async throws -> MirrorFixture.Outcome {
    let seen = Counter()
    fixture.bucket.setFaults { call, now throws(BackendError) in
      guard call.verb == verb, now == moment, seen.next() >= count else { return }
      seen.stop?()
      try? await Task.sleep(for: .seconds(60))
      throw BackendError(.cancelled, "stopped")
    }
    let task = Task { try await fixture.run(change ?? parts) }
    seen.onStop { task.cancel() }
    let outcome = try await task.value
    fixture.bucket.setFaults(nil)
    fixture.bucket.forgetCalls()
    return outcome
  }

  @Test("a file is cut into equal parts and arrives whole, with the digest of its parts")
  func whole() async throws {
    let outcome = try await fixture.run(parts)
    #expect(stored == content)
    #expect(fixture.calls(.uploadPart) == 10 && fixture.bucket.openUploads.isEmpty)
    let finished = outcome.events.compactMap { event -> UploadFinished? in
      if case .uploadFinished(let finished) = event { finished } else { nil }
    }
    guard case .md5OfParts(_, let partSize) = finished.first?.digest else {
      Issue.record("not the digest of parts")
      return
    }
    #expect(partSize == 1000)
  }

  @Test("a stopped run says so, keeps the upload, and no finished part is sent twice")
  func resumed() async throws {
    let stopped = try await stop(at: .uploadPart, .before, count: 6)
    #expect(stopped.summary.status == 143)
    #expect(fixture.bucket.openUploads.count == 1)
    let outcome = try await fixture.run(parts)
    #expect(stored == content)
    #expect(outcome.summary.resumedParts >= 4)
    #expect(fixture.calls(.uploadPart) == 10 - Int(outcome.summary.resumedParts))
    #expect(fixture.calls(.beginUpload) == 0 && fixture.bucket.openUploads.isEmpty)
  }

  @Test("a part whose answer was lost is found on the remote and not sent again")
  func unrecordedPart() async throws {
    _ = try await stop(at: .uploadPart, .after, count: 10)
    let outcome = try await fixture.run(parts)
    #expect(stored == content)
    #expect(fixture.calls(.uploadPart) == 0)
    #expect(outcome.summary.resumedParts == 10)
  }

  @Test("an upload whose begin was never answered is found by its key and removed: no orphan")
  func begunWithoutAnswer() async throws {
    _ = try await stop(at: .beginUpload, .after)
    #expect(fixture.bucket.openUploads.count == 1)
    try await fixture.run(parts)
    #expect(stored == content)
    #expect(fixture.bucket.openUploads.isEmpty)
  }

  @Test("a completion that could not be recorded is proven by the object, and nothing is sent again")
  func completedWithoutAnswer() async throws {
    _ = try await stop(at: .completeUpload, .after)
    #expect(stored == content)
    let outcome = try await fixture.run(parts)
    #expect(outcome.summary.status == 0 && outcome.summary.uploaded == 1)
    #expect(fixture.calls(.uploadPart) == 0 && fixture.calls(.beginUpload) == 0)
    #expect(try await fixture.run(parts).summary.requests == 0)
  }

  @Test("another object of the same size is no proof")
  func notProven() async throws {
    _ = try await stop(at: .completeUpload, .after)
    let other = [UInt8](repeating: 1, count: content.count)
    _ = try await fixture.bucket.put(Payload(.bytes(other)), to: ObjectKey("p/big"), options: ObjectOptions())
    try await fixture.run(parts)
    #expect(stored == content)
    #expect(fixture.calls(.uploadPart) == 10)
  }

  @Test("a lost answer to complete is settled within the run")
  func lostCompletion() async throws {
    fixture.bucket.setFaults { call, moment throws(BackendError) in
      if call.verb == .completeUpload, moment == .after {
        throw BackendError(.outcomeUnknown, "the answer was cut off", retry: .backoff)
      }
    }
    let outcome = try await fixture.run(parts)
    #expect(outcome.summary.status == 0 && stored == content)
    #expect(fixture.calls(.uploadPart) == 10)
  }

  @Test("a source that changed since begins again, and the old upload is aborted")
  func changedSince() async throws {
    _ = try await stop(at: .uploadPart, .before, count: 6)
    let changed = content.map { $0 ^ 0xFF }
    try fixture.source.write(changed, to: "big")
    try await fixture.run(parts)
    #expect(stored == changed)
    #expect(fixture.calls(.uploadPart) == 10 && fixture.bucket.openUploads.isEmpty)
  }

  @Test("other times on the same content don't cost the upload")
  func touchedSince() async throws {
    _ = try await stop(at: .uploadPart, .before, count: 6)
    fixture.age("big")
    let outcome = try await fixture.run(parts)
    #expect(stored == content)
    #expect(outcome.summary.resumedParts >= 4 && fixture.calls(.beginUpload) == 0)
  }

  @Test("an upload goes on with its own part size, whatever the option says now")
  func otherPartSize() async throws {
    _ = try await stop(at: .uploadPart, .before, count: 6)
    let outcome = try await fixture.run { $0.transfer.partSize = 2000 }
    #expect(stored == content)
    #expect(outcome.summary.resumedParts >= 4)
  }

  @Test("the upload of a file that is gone is aborted")
  func goneSince() async throws {
    try fixture.source.write("other", to: "other")
    _ = try await stop(at: .uploadPart, .before, count: 6)
    try FileManager.default.removeItem(atPath: fixture.source.path + "/big")
    try await fixture.run(parts)
    #expect(fixture.bucket.openUploads.isEmpty && stored == nil)
  }

  @Test("an upload that the remote has forgotten begins again within the run")
  func forgotten() async throws {
    let lost = Counter()
    fixture.bucket.setFaults { [bucket = fixture.bucket] call, moment throws(BackendError) in
      guard call.verb == .uploadPart, moment == .before, lost.next() == 4 else { return }
      for upload in bucket.openUploads { try await bucket.abortUpload(upload) }
    }
    let outcome = try await fixture.run(parts)
    #expect(outcome.summary.status == 0 && stored == content)
    #expect(fixture.calls(.beginUpload) == 2 && fixture.bucket.openUploads.isEmpty)
  }

  @Test("a begin whose answer was lost and that was repeated leaves no orphan either")
  func begunTwice() async throws {
    let lost = Counter()
    fixture.bucket.setFaults { call, moment throws(BackendError) in
      guard call.verb == .beginUpload, moment == .after, lost.next() == 1 else { return }
      throw BackendError(.outcomeUnknown, "the answer was cut off", retry: .backoff)
    }
    let outcome = try await fixture.run(parts)
    #expect(outcome.summary.status == 0 && stored == content)
    #expect(fixture.calls(.beginUpload) == 2 && fixture.bucket.openUploads.isEmpty)
  }

  @Test("a change in the very moment of the first read is not missed when the upload goes on")
  func racyResumption() async throws {
    _ = try await stop(at: .uploadPart, .before, count: 6)
    let changed = content.map { $0 ^ 0xFF }
    try fixture.source.write(changed, to: "big")
    // The same stamp, as a coarse clock would leave it: only the 2-second rule makes the run look.
    let job = try fixture.job()
    let manifest = try Manifest.open(stateDirectory: job.stateDirectory, identity: job.identity)
    let record = try #require(try manifest.upload(for: Array("p/big".utf8)))
    let stamp = try SourceDirectory(path: fixture.source.path).stamp(of: Array("big".utf8))
    try await manifest.restampUpload(record.id, try #require(stamp))
    try manifest.close()
    try await fixture.run(parts)
    #expect(stored == changed)
  }

  @Test("the upload of a file that can't be looked at is kept, and the run goes on")
  func unreadableSince() async throws {
    let job = try fixture.job()
    try await fixture.run(parts)
    let manifest = try Manifest.open(stateDirectory: job.stateDirectory, identity: job.identity)
    let mapping = try #require(
      try manifest.existingMapping(source: Array(fixture.source.path.utf8), keyPrefix: Array("p/".utf8)))
    // No file system tells whether there is such a name.
    let key = Array("p/".utf8) + [UInt8](repeating: 0x78, count: 300)
    let stamp = FileStamp(size: 1, modified: 0, changed: 0, inode: 0)
    _ = try await manifest.recordIntent(
      UploadRecord(key: key, stamp: stamp, partSize: 1, optionsFingerprint: [], intendedAt: 0), of: mapping)
    let outcome = try await fixture.run(parts)
    #expect(outcome.summary.status == 0, "\(outcome.errorText)")
    #expect(try manifest.uploads(of: mapping).map(\.key) == [key])
    try manifest.close()
  }

  @Test("an upload begun with the whole MD5 of what the file was is not gone on with")
  func wholeMD5Changed() async throws {
    let whole: @Sendable (inout MirrorJob) -> Void = { [parts] in
      parts(&$0)
      $0.transfer.wholeMD5 = true
    }
    _ = try await stop(at: .uploadPart, .before, count: 6, whole)
    var changed = content
    changed[9_400] ^= 0xFF
    try fixture.source.write(changed, to: "big")
    try await fixture.run(whole)
    #expect(stored == changed && fixture.bucket.openUploads.isEmpty)
    let info = try await fixture.bucket.stat(ObjectReference(ObjectKey("p/big")))
    #expect(info?.metadata["md5chksum"] == base64Text(MD5.hash(changed)))
  }

  @Test("whole_md5 stores the plain MD5 as rclone does")
  func wholeMD5() async throws {
    try await fixture.run {
      parts(&$0)
      $0.transfer.wholeMD5 = true
    }
    let info = try await fixture.bucket.stat(ObjectReference(ObjectKey("p/big")))
    #expect(info?.metadata["md5chksum"] == base64Text(MD5.hash(content)))
  }

  @Test("where no metadata is kept, asking for whole_md5 sends nothing again")
  func wholeMD5WithoutMetadata() async throws {
    let fixture = try MirrorFixture(MemoryLimits(storesMetadata: false))
    try fixture.source.write(content, to: "big")
    try await fixture.run(parts)
    let outcome = try await fixture.run {
      parts(&$0)
      $0.transfer.wholeMD5 = true
    }
    #expect(outcome.summary.requests == 0)
  }

  @Test("where parts must come in order, they do")
  func ordered() async throws {
    let fixture = try MirrorFixture(MemoryLimits(partOrder: .ascending))
    try fixture.source.write(content, to: "big")
    try await fixture.run(parts)
    #expect(fixture.bucket.calls.compactMap(\.partNumber) == Array(1...10))
    #expect(fixture.bucket.contents[ObjectKey("p/big")] == content)
  }
}
