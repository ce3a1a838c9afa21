import ObjectREST
import SyncBackend

/// Amazon S3, or a store with its API, over `HTTPClient`. The verbs are in the files beside this one.
public struct S3Backend: Backend {
  public let capabilities: Capabilities
  let connection: S3Connection

  init(_ configuration: S3Configuration, _ surroundings: Surroundings) {
    connection = S3Connection(configuration, surroundings)
    capabilities = S3Configuration.capabilities(isSecure: connection.isSecure)
  }

  public func put(
    _ payload: Payload, to key: ObjectKey, options: ObjectOptions
  ) async throws(BackendError) -> ObjectInfo {
    try await putObject(payload, to: key, options: options)
  }

  public func beginUpload(_ plan: UploadPlan) async throws(BackendError) -> Upload {
    try await createMultipartUpload(plan)
  }

  public func uploadPart(
    _ number: Int, payload: Payload, of upload: Upload
  ) async throws(BackendError) -> Part {
    try await sendPart(number, payload, of: upload)
  }

  public func listParts(of upload: Upload, after: PageToken?) async throws(BackendError) -> Page<Part> {
    try await partsPage(of: upload, after: after)
  }

  public func completeUpload(
    _ upload: Upload, parts: [Part], content: ContentSummary
  ) async throws(BackendError) -> ObjectInfo {
    try await completeMultipartUpload(upload, parts: parts)
  }

  public func abortUpload(_ upload: Upload) async throws(BackendError) {
    try await abortMultipartUpload(upload)
  }

  public func listUploads(prefix: ObjectKey, after: PageToken?) async throws(BackendError) -> Page<Upload> {
    try await uploadsPage(prefix: prefix, after: after)
  }

  public func stat(_ object: ObjectReference) async throws(BackendError) -> ObjectInfo? {
    try await headObject(object.key)
  }

  public func read(
    _ object: ObjectReference, range: ReadRange?, into sink: any ByteSink
  ) async throws(BackendError) {
    try await getObject(object.key, range: range, into: sink)
  }

  public func list(prefix: ObjectKey, after: PageToken?) async throws(BackendError) -> Page<ObjectInfo> {
    try await objectsPage(prefix: prefix, after: after)
  }

  public func delete(_ objects: [ObjectReference]) async throws(BackendError) -> [ObjectReference:
    BackendError]
  {
    try await deleteObjects(objects)
  }
}

extension S3Configuration {
  /// Limits: Amazon S3 User Guide, "Amazon S3 multipart upload limits"; sizes in bytes.
  ///
  /// - Parameter isSecure: TLS guards the payload; over plain HTTP its SHA-256 is signed.
  static func capabilities(isSecure: Bool) -> Capabilities {
    let largestPart: Int64 = 5 << 30
    let digests: Set<DigestAlgorithm> = isSecure ? [.md5] : [.md5, .sha256]
    return Capabilities(
      operations: Set(Capabilities.Operation.allCases), maximumPutSize: largestPart,
      maximumObjectSize: 10_000 * largestPart,
      parts: Capabilities.Parts(minimumSize: 5 << 20, maximumSize: largestPart, maximumCount: 10_000),
      keys: Capabilities.Keys(maximumBytes: 1024),
      deleteBatch: Capabilities.DeleteBatch(maximumCount: 1000, alphabet: .xml), putDigests: digests,
      partDigests: digests, listOrder: .bytes, isHierarchical: false, storesMetadata: true, copies: false)
  }
}
