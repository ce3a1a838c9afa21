import SyncBackend
import Testing
import TestSupport

@Suite("S3's refusals, on known answers")
struct S3ErrorVectorsTests {
  static let answers = Result { try AnswerVectors.read("s3-errors") }

  @Test("Each becomes the error that its suggested action calls for", arguments: try answers.get())
  func refusal(vector: AnswerVectors.Answer) async throws {
    let remote = try S3TestRemote([try vector.response])
    let error = try #require(
      await #expect(throws: BackendError.self) { try await vector.call(remote.backend) })

    #expect(error.code == vector.expect.code)
    #expect(error.status == vector.status)
    #expect(error.requestID == vector.headers["x-amz-request-id"])
    if let message = vector.expect.message {
      #expect(error.message.contains(message.dropLast()))
    }
    try #require(vector.action?.allows(error) == true, "\(vector.action?.rawValue ?? "-"): \(error)")
  }

  @Test("No message repeats a secret or a signature, whatever the answer does", arguments: try answers.get())
  func secrets(vector: AnswerVectors.Answer) async throws {
    let remote = try S3TestRemote([try vector.response])
    let error = try #require(
      await #expect(throws: BackendError.self) { try await vector.call(remote.backend) })
    let signature = try #require(remote.request.headers["Authorization"]).split(separator: "=").last ?? "-"
    #expect(!"\(error)".contains(signature))
    #expect(!"\(error)".contains("wJalrXUtnFEMI"))
  }
}

@Suite("S3's answers, on known answers")
struct S3ResponseVectorsTests {
  static let answers = Result { try AnswerVectors.read("s3-responses") }

  private func remote(_ vector: AnswerVectors.Answer) throws -> any Backend {
    try S3TestRemote([try vector.response]).backend
  }

  @Test("A begun upload has its id", arguments: try answers.get().filter { $0.kind == "initiate" })
  func initiate(vector: AnswerVectors.Answer) async throws {
    let upload = try await remote(vector).beginUpload(AnswerVectors.plan)
    #expect(upload.id == vector.expect.uploadID)
    #expect(upload.key == AnswerVectors.plan.key)
    #expect(upload.initiated == 1_716_539_415_000_000_000)
  }

  @Test(
    "Parts have number, size and ETag; only IsTruncated means more",
    arguments: try answers.get().filter { $0.kind == "list_parts" })
  func parts(vector: AnswerVectors.Answer) async throws {
    let page = try await remote(vector).listParts(of: AnswerVectors.upload, after: nil)
    let expected = try #require(vector.expect.parts)
    #expect(page.items.map(\.number) == expected.map(\.number))
    #expect(page.items.map(\.size) == expected.map(\.size))
    #expect(page.items.map(\.etag) == expected.map(\.etag))
    #expect(page.items.allSatisfy { $0.md5 != nil })
    #expect((page.next != nil) == vector.expect.isTruncated)
    if let next = page.next { #expect(next.text == vector.expect.partMarker.map(String.init)) }
  }

  @Test("A completed upload has its ETag", arguments: try answers.get().filter { $0.kind == "complete" })
  func complete(vector: AnswerVectors.Answer) async throws {
    let object = try await remote(vector).completeUpload(
      AnswerVectors.upload, parts: [AnswerVectors.part], content: ContentSummary(size: 1))
    #expect(object.reference.etag == vector.expect.etag)
    #expect(object.content != nil)
  }

  @Test(
    "Half an answer, or none, leaves the outcome unknown",
    arguments: try answers.get().filter { $0.kind == "unknown_outcome" })
  func unknown(vector: AnswerVectors.Answer) async throws {
    let backend = try remote(vector)
    let error = try #require(
      await #expect(throws: BackendError.self) { try await vector.call(backend) })
    #expect(error.kind == .outcomeUnknown)
    #expect(error.retry == .backoff)
  }

  @Test(
    "A listing has its keys, decoded, with their sizes",
    arguments: try answers.get().filter { $0.kind == "list_objects" })
  func objects(vector: AnswerVectors.Answer) async throws {
    let page = try await remote(vector).list(prefix: ObjectKey("a b/"), after: nil)
    #expect(page.items.map(\.reference.key) == vector.expect.keys?.map { ObjectKey($0) })
    #expect(page.items.compactMap(\.size) == vector.expect.sizes)
    #expect(page.next?.text == vector.expect.continuationToken)
  }

  @Test(
    "A listing of uploads has keys and ids, and goes on behind the last",
    arguments: try answers.get().filter { $0.kind == "list_uploads" })
  func uploads(vector: AnswerVectors.Answer) async throws {
    let remote = try S3TestRemote([try vector.response, try vector.response])
    let page = try await remote.backend.listUploads(prefix: ObjectKey(""), after: nil)
    #expect(page.items.map { [$0.key.text, $0.id] } == vector.expect.uploads)
    let next = try #require(page.next)
    _ = await #expect(throws: BackendError.self) {
      _ = try await remote.backend.listUploads(prefix: ObjectKey(""), after: next)
    }
    let markers = "key-marker=dir%2Fmovie.mov&upload-id-marker=u2"
    #expect(try remote.request.target.query.contains(markers))
  }

  @Test(
    "A batch delete reports its failures only",
    arguments: try answers.get().filter { $0.kind == "delete_result" })
  func deleted(vector: AnswerVectors.Answer) async throws {
    let errors = try #require(vector.expect.errors)
    let keys = try #require(vector.expect.deleted) + errors.map { $0[0] }
    let failures = try await remote(vector).delete(keys.map { ObjectReference(ObjectKey($0)) })
    #expect(
      failures.mapValues(\.code)
        == Dictionary(
          uniqueKeysWithValues: errors.map {
            (ObjectReference(ObjectKey($0[0])), $0[1] as String?)
          }))
  }
}
