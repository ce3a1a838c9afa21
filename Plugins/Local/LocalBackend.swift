import Digests
import SyncBackend

/// A directory as the bucket: an object is the plain file at `path/KEY`.
///
/// Objects are written beside their places, made durable, and renamed: who reads sees the old or the new one,
/// whole. The bucket's directory must exist: a disk that is not mounted is not taken for an empty bucket.
public final class LocalBackend: Backend {
  static let maximumPartCount = 10_000
  static let maximumSize: Int64 = 1 << 62

  public static let capabilities = Capabilities(
    operations: Set(Capabilities.Operation.allCases), maximumPutSize: maximumSize,
    maximumObjectSize: maximumSize,
    parts: .init(minimumSize: 1, maximumSize: maximumSize, maximumCount: maximumPartCount),
    keys: .init(
      maximumBytes: ObjectPath.maximumKeyBytes, maximumSegmentBytes: ObjectPath.maximumNameBytes),
    deleteBatch: .init(maximumCount: 1000), putDigests: [.md5], partDigests: [.md5], listOrder: .bytes,
    isHierarchical: true, storesMetadata: false, copies: false)

  public var capabilities: Capabilities { Self.capabilities }

  private let path: String
  private let now: @Sendable () -> Int64
  private let folding: NameFolding
  private let staging: Staging
  private let publisher: Publisher
  private let listing: Listing
  private let pageSize: Int
  private let work = BlockingWork(label: "sync.local")

  /// - Parameters:
  ///   - path: the bucket's directory.
  ///   - now: nanoseconds since 1970.
  ///   - random: uniform in 0 ..< 1; names what is under way.
  public convenience init(
    path: String, now: @escaping @Sendable () -> Int64, random: @escaping @Sendable () -> Double
  ) {
    self.init(path: path, now: now, random: random, folding: NameFolding(), pageSize: 1000)
  }

  init(
    path: String, now: @escaping @Sendable () -> Int64, random: @escaping @Sendable () -> Double,
    folding: NameFolding, pageSize: Int
  ) {
    self.path = path
    self.now = now
    self.folding = folding
    self.pageSize = pageSize
    staging = Staging(random: random)
    publisher = Publisher(folding: folding)
    listing = Listing(pageSize: pageSize)
  }

  // MARK: - Objects

  public func put(
    _ payload: Payload, to key: ObjectKey, options: ObjectOptions
  ) async throws(BackendError) -> ObjectInfo {
    try await perform("put of \(key)") { bucket, interrupt throws(BackendError) in
      let path = try ObjectPath(key)
      try self.publisher.checkFree(path, in: bucket)
      return try self.staging.withFile(in: bucket) { file, name, folder throws(BackendError) in
        let md5 = try payload.write(to: file, at: 0, interrupt)
        let status = try file.seal(.md5(md5))
        try interrupt.check()
        try self.publisher.publish(name, in: folder, as: path, in: bucket)
        return Reader.info(key, status, .md5(md5))
      }
    }
  }

  public func stat(_ object: ObjectReference) async throws(BackendError) -> ObjectInfo? {
    try await perform("stat of \(object.key)") { bucket, _ throws(BackendError) in
      try Reader(bucket: bucket, folding: self.folding).stat(try ObjectPath(object.key), object.key)
    }
  }

  public func read(
    _ object: ObjectReference, range: ReadRange?, into sink: any ByteSink
  ) async throws(BackendError) {
    try await perform("read of \(object.key)") { bucket, interrupt throws(BackendError) in
      let path = try ObjectPath(object.key)
      try Reader(bucket: bucket, folding: self.folding).read(path, range, into: sink, interrupt)
    }
  }

  public func list(prefix: ObjectKey, after: PageToken?) async throws(BackendError) -> Page<ObjectInfo> {
    try await perform("list of \"\(prefix)\"") { bucket, interrupt throws(BackendError) in
      try self.listing.page(of: bucket, prefix, after: after, interrupt)
    }
  }

  public func delete(
    _ objects: [ObjectReference]
  ) async throws(BackendError) -> [ObjectReference: BackendError] {
    try await perform("delete of \(objects.count) objects") { bucket, interrupt throws(BackendError) in
      var failures: [ObjectKey: BackendError] = [:]
      var named: [(key: ObjectKey, path: ObjectPath)] = []
      for object in objects {
        do throws(BackendError) {
          named.append((object.key, try ObjectPath(object.key)))
        } catch {
          failures[object.key] = error
        }
      }
      let remover = Remover(reader: Reader(bucket: bucket, folding: self.folding))
      failures.merge(try remover.remove(named, interrupt)) { first, _ in first }
      let failed = objects.compactMap { object in failures[object.key].map { (object, $0) } }
      return Dictionary(failed) { first, _ in first }
    }
  }

  // MARK: - Uploads

  public func beginUpload(_ plan: UploadPlan) async throws(BackendError) -> Upload {
    try await perform("begin of an upload of \(plan.key)") { bucket, _ throws(BackendError) in
      try self.uploads(bucket).begin(plan, at: self.now())
    }
  }

  public func uploadPart(
    _ number: Int, payload: Payload, of upload: Upload
  ) async throws(BackendError) -> Part {
    try await perform("part \(number) of \(upload.key)") { bucket, interrupt throws(BackendError) in
      try self.uploads(bucket).write(number, payload, of: upload, interrupt)
    }
  }

  public func listParts(of upload: Upload, after: PageToken?) async throws(BackendError) -> Page<Part> {
    try await perform("list of the parts of \(upload.key)") { bucket, _ throws(BackendError) in
      try self.uploads(bucket).parts(of: upload, after: after)
    }
  }

  public func completeUpload(
    _ upload: Upload, parts: [Part], content: ContentSummary
  ) async throws(BackendError) -> ObjectInfo {
    try await perform("completion of \(upload.key)") { bucket, _ throws(BackendError) in
      try self.uploads(bucket).complete(upload, parts, content)
    }
  }

  public func abortUpload(_ upload: Upload) async throws(BackendError) {
    try await perform("abort of the upload of \(upload.key)") { bucket, _ throws(BackendError) in
      try self.uploads(bucket).abort(upload)
    }
  }

  public func listUploads(prefix: ObjectKey, after: PageToken?) async throws(BackendError) -> Page<Upload> {
    try await perform("list of uploads of \"\(prefix)\"") { bucket, _ throws(BackendError) in
      try self.uploads(bucket).list(prefix, after: after)
    }
  }

  // MARK: - Every call

  private func uploads(_ bucket: Directory) -> Uploads {
    Uploads(bucket: bucket, staging: staging, publisher: publisher, pageSize: pageSize)
  }

  /// Opens the bucket for each call, so that one that was unmounted meanwhile is noticed.
  private func perform<Answer: Sendable>(
    _ verb: String, _ body: @escaping @Sendable (Directory, CancellationFlag) throws(BackendError) -> Answer
  ) async throws(BackendError) -> Answer {
    do throws(BackendError) {
      return try await work.run { interrupt throws(BackendError) in
        try body(try Directory.bucket(at: self.path), interrupt)
      }
    } catch {
      var error = error
      error.message = "\(verb): \(error.message)"
      throw error
    }
  }
}
