import Digests
import Glibc
import SyncBackend

/// The life of multipart uploads in one bucket.
struct Uploads: Sendable {
  let bucket: Directory
  let staging: Staging
  let publisher: Publisher
  /// Entries on a page of parts or uploads.
  let pageSize: Int

  func begin(_ plan: UploadPlan, at now: Int64) throws(BackendError) -> Upload {
    try publisher.checkFree(try ObjectPath(plan.key), in: bucket)
    guard plan.size > 0, plan.partSize > 0, plan.size <= LocalBackend.maximumSize,
      plan.partCount <= LocalBackend.maximumPartCount
    else {
      throw BackendError(
        .invalidRequest,
        "\(plan.size) bytes in parts of \(plan.partSize): 1 to \(LocalBackend.maximumPartCount) parts")
    }
    return try staging.withFolder(in: bucket) { made, name, folder throws(BackendError) in
      try UploadFolder.make(plan, at: now, in: made)
      let id = staging.newID()
      let code = folder.move(name, to: folder, as: UploadFolder.prefix + Name(id.utf8))
      guard code == 0 else { throw .file(code, "rename of a new upload") }
      try folder.sync()
      try bucket.sync()
      return Upload(key: plan.key, id: id, initiated: now, plan: plan)
    }
  }

  func write(
    _ number: Int, _ payload: Payload, of upload: Upload, _ interrupt: CancellationFlag
  ) throws(BackendError) -> Part {
    let (_, _, folder) = try open(upload)
    guard (1...folder.plan.partCount).contains(number) else {
      throw BackendError(.invalidRequest, "the upload has \(folder.plan.partCount) parts")
    }
    let place = folder.plan.range(ofPart: number)
    guard payload.length == place.length else {
      throw BackendError(
        .invalidRequest, "the part has \(place.length) bytes by the plan, not \(payload.length)")
    }
    guard let data = try folder.openData(LOCK_SH), let parts = try folder.parts() else {
      throw Self.gone(upload)
    }
    try UploadFolder.forget(number, in: parts)
    let md5 = try payload.write(to: data, at: place.offset, interrupt)
    guard fdatasync(data.descriptor) == 0 else { throw .file(errno, "fdatasync") }
    let part = Part(number: number, size: place.length, etag: hexText(md5), md5: md5)
    try UploadFolder.record(part, in: parts)
    return part
  }

  func parts(of upload: Upload, after token: PageToken?) throws(BackendError) -> Page<Part> {
    let (_, _, folder) = try open(upload)
    guard let parts = try folder.parts() else { throw Self.gone(upload) }
    let passed = token.flatMap { Int($0.text) } ?? 0
    let rest = try UploadFolder.numbers(in: parts).drop { $0 <= passed }
    let page = rest.prefix(pageSize)
    var found: [Part] = []
    for number in page {
      if let part = try UploadFolder.part(number, in: parts) { found.append(part) }
    }
    return Page(found, next: rest.count > page.count ? page.last.map { PageToken("\($0)") } : nil)
  }

  func complete(
    _ upload: Upload, _ listed: [Part], _ content: ContentSummary
  ) throws(BackendError) -> ObjectInfo {
    let path = try ObjectPath(upload.key)
    return try staging.using(bucket) { () throws(BackendError) in
      let (reserved, name, folder) = try open(upload)
      let digest = try check(listed, content, folder)
      guard let data = try folder.openData(LOCK_EX) else { throw Self.gone(upload) }
      guard ftruncate(data.descriptor, off_t(folder.plan.size)) == 0 else { throw .file(errno, "truncate") }
      let status = try data.seal(digest)
      try publisher.publish(UploadFolder.dataName, in: folder.directory, as: path, in: bucket)
      Staging.removeTree(name, in: reserved)
      return Reader.info(upload.key, status, digest)
    }
  }

  /// All parts of the plan must be named, and be here as they are named.
  private func check(
    _ listed: [Part], _ content: ContentSummary, _ folder: UploadFolder
  ) throws(BackendError) -> ContentDigest {
    guard listed.map(\.number) == Array(1...folder.plan.partCount), content.size == folder.plan.size else {
      throw BackendError(
        .invalidRequest,
        "\(listed.count) parts for \(content.size) bytes were named, the plan is \(folder.plan.partCount) for "
          + "\(folder.plan.size)", code: "InvalidPart")
    }
    guard let parts = try folder.parts() else { throw BackendError(.uploadGone, "the upload has no parts") }
    var digests: [UInt8] = []
    for claimed in listed {
      guard let part = try UploadFolder.part(claimed.number, in: parts), part.etag == claimed.etag else {
        throw BackendError(
          .invalidRequest, "part \(claimed.number) is not here as it is named", code: "InvalidPart")
      }
      digests += part.md5 ?? []
    }
    return .md5OfParts(MD5.hash(digests), count: listed.count)
  }

  func abort(_ upload: Upload) throws(BackendError) {
    guard let name = UploadFolder.name(of: upload.id) else { return }
    try staging.using(bucket) { () throws(BackendError) in
      guard let reserved = try staging.existing(in: bucket), let directory = try reserved.directory(name)
      else {
        return
      }
      // First the data: without it the upload has ended, however far the rest gets.
      let code = directory.remove(UploadFolder.dataName)
      guard code == 0 || code == ENOENT else { throw .file(code, "unlink of an upload's data") }
      Staging.removeTree(name, in: reserved)
    }
  }

  func list(_ prefix: ObjectKey, after token: PageToken?) throws(BackendError) -> Page<Upload> {
    guard let reserved = try staging.existing(in: bucket) else { return Page([]) }
    var found: [(position: [UInt8], upload: Upload)] = []
    for entry in try reserved.entries() where entry.name.starts(with: UploadFolder.prefix) {
      guard let folder = try UploadFolder.open(entry.name, in: reserved),
        folder.plan.key.hasPrefix(prefix.bytes)
      else { continue }
      let id = entry.name.dropFirst(UploadFolder.prefix.count)
      let upload = Upload(
        key: folder.plan.key, id: String(decoding: id, as: UTF8.self), initiated: folder.initiated)
      found.append((upload.key.bytes + [0] + id, upload))
    }
    found.sort { $0.position.lexicographicallyPrecedes($1.position) }
    let passed = token.flatMap { hexBytes($0.text) } ?? []
    let rest = found.drop { !passed.lexicographicallyPrecedes($0.position) }
    let page = rest.prefix(pageSize)
    let next = rest.count > page.count ? page.last.map { PageToken(hexText($0.position)) } : nil
    return Page(page.map(\.upload), next: next)
  }

  private func open(_ upload: Upload) throws(BackendError) -> (Directory, Name, UploadFolder) {
    guard let name = UploadFolder.name(of: upload.id), let reserved = try staging.existing(in: bucket),
      let folder = try UploadFolder.open(name, in: reserved), folder.plan.key == upload.key
    else { throw Self.gone(upload) }
    return (reserved, name, folder)
  }

  private static func gone(_ upload: Upload) -> BackendError {
    BackendError(.uploadGone, "the upload \(printable(upload.id.utf8)) is unknown", retry: .restartUpload)
  }
}
