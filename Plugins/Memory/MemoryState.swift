import Digests
import SyncBackend

/// The objects and uploads of one bucket, and the rules by which they change: S3's, where nothing else is
/// said.
struct MemoryState: Sendable {
  struct Stored: Sendable {
    var bytes: [UInt8]
    var etag: String
    var content: ContentDigest
    var modified: Int64
    var metadata: [String: String]
  }

  struct Open: Sendable {
    var plan: UploadPlan
    var initiated: Int64
    var parts: [Int: (bytes: [UInt8], md5: [UInt8])] = [:]
  }

  var objects: [ObjectKey: Stored] = [:]
  var uploads: [String: Open] = [:]
  private var uploadsBegun = 0
  let limits: MemoryLimits

  init(limits: MemoryLimits) {
    self.limits = limits
  }

  private var capabilities: Capabilities { limits.capabilities }

  // MARK: - Objects

  mutating func put(
    _ bytes: [UInt8], to key: ObjectKey, options: ObjectOptions, at now: Int64
  ) throws(BackendError) -> ObjectInfo {
    try check(key)
    guard bytes.count <= capabilities.maximumPutSize else {
      throw BackendError(
        .tooLarge, "put of \(key): \(bytes.count) bytes, \(capabilities.maximumPutSize) allowed")
    }
    let md5 = MD5.hash(bytes)
    let stored = Stored(
      bytes: bytes, etag: hexText(md5), content: .md5(md5), modified: now, metadata: kept(options.metadata))
    objects[key] = stored
    return info(of: stored, under: key)
  }

  func bytes(of reference: ObjectReference, _ range: ReadRange?) throws(BackendError) -> ArraySlice<UInt8> {
    guard let stored = objects[reference.key] else {
      throw BackendError(.notFound, "read of \(reference.key): no such object", code: "NoSuchKey")
    }
    guard let range else { return stored.bytes[...] }
    guard range.offset >= 0, range.offset <= stored.bytes.count, (range.length ?? 0) >= 0 else {
      throw BackendError(.invalidRequest, "read of \(reference.key): it has \(stored.bytes.count) bytes")
    }
    let rest = stored.bytes[Int(range.offset)...]
    return range.length.map { rest.prefix(Int(clamping: $0)) } ?? rest
  }

  func stat(_ key: ObjectKey) -> ObjectInfo? {
    objects[key].map { info(of: $0, under: key) }
  }

  func info(of stored: Stored, under key: ObjectKey) -> ObjectInfo {
    ObjectInfo(
      ObjectReference(key, etag: stored.etag), size: Int64(stored.bytes.count), content: stored.content,
      modified: stored.modified, metadata: stored.metadata)
  }

  private func kept(_ metadata: [String: String]) -> [String: String] {
    capabilities.storesMetadata ? metadata : [:]
  }

  // MARK: - Uploads

  mutating func begin(_ plan: UploadPlan, at now: Int64) throws(BackendError) -> Upload {
    try check(plan.key)
    guard let parts = capabilities.parts else { throw unsupported("multipart uploads") }
    guard plan.size <= capabilities.maximumObjectSize else {
      throw BackendError(.tooLarge, "upload of \(plan.key): \(plan.size) bytes")
    }
    guard plan.partSize > 0, plan.partCount <= parts.maximumCount else {
      throw BackendError(.invalidRequest, "upload of \(plan.key): parts of \(plan.partSize) bytes do not do")
    }
    uploadsBegun += 1
    let id = "upload-\(uploadsBegun)"
    uploads[id] = Open(plan: plan, initiated: now)
    return Upload(key: plan.key, id: id, initiated: now, plan: plan)
  }

  mutating func add(_ bytes: [UInt8], as number: Int, to upload: Upload) throws(BackendError) -> Part {
    var open = try found(upload)
    guard let limits = capabilities.parts, (1...limits.maximumCount).contains(number) else {
      throw BackendError(.invalidRequest, "part \(number) of \(upload.key): no such part number")
    }
    guard bytes.count <= limits.maximumSize else {
      throw BackendError(.tooLarge, "part \(number) of \(upload.key): \(bytes.count) bytes")
    }
    if limits.order == .ascending, number > (open.parts.keys.max() ?? 0) + 1 {
      throw BackendError(.invalidRequest, "part \(number) of \(upload.key): parts come in ascending order")
    }
    let md5 = MD5.hash(bytes)
    open.parts[number] = (bytes, md5)
    uploads[upload.id] = open
    return Part(number: number, size: Int64(bytes.count), etag: hexText(md5), md5: md5)
  }

  func parts(of upload: Upload) throws(BackendError) -> [Part] {
    try found(upload).parts.sorted { $0.key < $1.key }.map {
      Part(number: $0.key, size: Int64($0.value.bytes.count), etag: hexText($0.value.md5), md5: $0.value.md5)
    }
  }

  mutating func complete(
    _ upload: Upload, parts: [Part], content: ContentSummary, at now: Int64
  ) throws(BackendError) -> ObjectInfo {
    let open = try found(upload)
    try check(upload.key)
    var bytes: [UInt8] = []
    var digests: [UInt8] = []
    for (index, part) in parts.enumerated() {
      guard let held = open.parts[part.number], hexText(held.md5) == part.etag,
        index == 0 || parts[index - 1].number < part.number
      else { throw refused(upload, part, "InvalidPart") }
      if index < parts.count - 1, held.bytes.count < capabilities.parts?.minimumSize ?? 0 {
        throw refused(upload, part, "EntityTooSmall")
      }
      bytes += held.bytes
      digests += held.md5
    }
    guard !parts.isEmpty, bytes.count == content.size else {
      throw BackendError(
        .invalidRequest, "complete of \(upload.key): parts of \(bytes.count) bytes for \(content.size)")
    }
    let md5 = MD5.hash(digests)
    let stored = Stored(
      bytes: bytes, etag: "\(hexText(md5))-\(parts.count)", content: .md5OfParts(md5, count: parts.count),
      modified: now, metadata: kept(open.plan.options.metadata))
    uploads[upload.id] = nil
    objects[upload.key] = stored
    return info(of: stored, under: upload.key)
  }

  func found(_ upload: Upload) throws(BackendError) -> Open {
    guard let open = uploads[upload.id], open.plan.key == upload.key else {
      throw BackendError(
        .uploadGone, "upload \(upload.id) of \(upload.key) is unknown", retry: .restartUpload,
        code: "NoSuchUpload")
    }
    return open
  }

  private func refused(_ upload: Upload, _ part: Part, _ code: String) -> BackendError {
    BackendError(.invalidRequest, "complete of \(upload.key): part \(part.number) is refused", code: code)
  }

  // MARK: - Keys

  private func check(_ key: ObjectKey) throws(BackendError) {
    let keys = capabilities.keys
    guard !key.bytes.isEmpty, key.bytes.count <= keys.maximumBytes else {
      throw BackendError(.invalidKey, "\(key): a key has 1 to \(keys.maximumBytes) bytes")
    }
    let segments = key.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if let limit = keys.maximumSegmentBytes, segments.contains(where: { $0.count > limit }) {
      throw BackendError(.invalidKey, "\(key): a segment has at most \(limit) bytes")
    }
    if capabilities.isHierarchical { try checkPath(key, segments) }
  }

  private func checkPath(_ key: ObjectKey, _ segments: [ArraySlice<UInt8>]) throws(BackendError) {
    guard !segments.contains(where: { [[], Array(".".utf8), Array("..".utf8)].contains(Array($0)) }) else {
      throw BackendError(.invalidKey, "\(key): empty, . and .. segments are no names")
    }
    let folder = key.bytes + [UInt8(ascii: "/")]
    for other in objects.keys
    where other.hasPrefix(folder) || key.hasPrefix(other.bytes + [UInt8(ascii: "/")]) {
      throw BackendError(.conflict, "\(key): \(other) stands in the way")
    }
  }
}
