import SyncBackend
import SyncManifest

extension TransferContext {
  /// Uploads without an ID count as ours from this long before their intent, for clocks differ.
  private static let clockTolerance: Int64 = 15 * 60 * 1_000_000_000

  /// Aborts the upload that the manifest has of a key, and removes its record. After a kill between begin's answer
  /// and its record there is an intent without an ID: then every upload of exactly this key that began since is
  /// ours, and holds no part.
  func forgetUpload(of key: [UInt8]) async throws {
    guard let record = try manifest.upload(for: key) else { return }
    let objectKey = ObjectKey(String(decoding: key, as: UTF8.self))
    if let id = record.uploadID {
      try await abort(Upload(key: objectKey, id: id))
    } else {
      try await abortUploads(of: objectKey, since: record.intendedAt)
    }
    try await manifest.removeUpload(record.id)
  }

  /// Aborts the uploads of exactly this key that began since `time` (nanoseconds since 1970), all but one.
  func abortUploads(of key: ObjectKey, since time: Int64, but kept: String? = nil) async throws {
    guard capabilities.operations.contains(.listUploads) else { return }
    for upload in try await uploads(of: key)
    where upload.id != kept && (upload.initiated ?? .max) >= time - TransferContext.clockTolerance {
      try await abort(upload)
    }
  }

  /// Forgets uploads of a directory whose file is gone, or has been mirrored in another way since.
  func forgetStaleUploads() async throws {
    for (index, mapping) in mappings.enumerated() {
      for record in try manifest.uploads(of: mapping) {
        let path = Array(record.key.dropFirst(job.directories[index].keyPrefix.bytes.count))
        let (directory, symlinks) = (sources[index], job.symlinks)
        let isGone = await blocking.run { directory.isGone(path, symlinks) }
        let isMirrored = try manifest.row(for: record.key).map { !$0.isInDoubt } ?? false
        guard isGone || isMirrored else { continue }
        do {
          try await forgetUpload(of: record.key)
        } catch let problem as TransferProblem {
          try await report(problem, path: path, key: record.key)
        }
      }
    }
  }

  private func uploads(of key: ObjectKey) async throws -> [Upload] {
    var found: [Upload] = []
    var token: PageToken?
    repeat {
      let page = try await attempt(.listUploads, key) { [token] backend throws(BackendError) in
        try await backend.listUploads(prefix: key, after: token)
      }
      found += page.items.filter { $0.key == key }
      token = page.next
    } while token != nil
    return found
  }

  private func abort(_ upload: Upload) async throws {
    try await attempt(.abortUpload, upload.key) { backend throws(BackendError) in
      try await backend.abortUpload(upload)
    }
  }
}

extension SourceDirectory {
  /// What can't be looked at is not gone; the scan has reported it.
  fileprivate func isGone(_ path: [UInt8], _ symlinks: SymlinkPolicy) -> Bool {
    do throws(SourceError) {
      return try stamp(of: path, symlinks: symlinks) == nil
    } catch {
      return false
    }
  }
}
