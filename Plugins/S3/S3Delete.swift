import Digests
import ObjectREST
import SyncBackend

// Versions are not named: deleting one would bring the version before it back to light, where a mirror wants the
// key to be gone.
extension S3Backend {
  func deleteObjects(
    _ objects: [ObjectReference]
  ) async throws(BackendError) -> [ObjectReference: BackendError] {
    let keys = Set(objects.map(\.key))
    guard let first = keys.first else { return [:] }
    if keys.count == 1 {
      try await deleteObject(first)
      return [:]
    }
    let failures = try await deleteBatch(keys.sorted())
    var failed: [ObjectReference: BackendError] = [:]
    for object in objects { failed[object] = failures[object.key] }
    return failed
  }

  private func deleteObject(_ key: ObjectKey) async throws(BackendError) {
    do {
      _ = try await connection.send(S3Call(.deleteObject, .delete, key: key))
    } catch  where error.kind == .notFound || error.kind == .invalidKey {
      // A key that the remote cannot have is missing there too.
    }
  }

  private func deleteBatch(_ keys: [ObjectKey]) async throws(BackendError) -> [ObjectKey: BackendError] {
    let attempt = connection.attempt(.deleteObjects)
    if let key = keys.first(where: { !isXMLText($0.bytes) }) {
      throw attempt.error(.invalidKey, "\(key) cannot be deleted in a batch, for XML cannot carry it")
    }
    var xml = XMLWriter()
    xml.element("Delete", attributes: S3Answer.namespace) { xml in
      xml.element("Quiet", "true")
      for key in keys {
        xml.element("Object") { $0.element("Key", key.bytes) }
      }
    }
    var call = S3Call(.deleteObjects, .post)
    call.query.add("delete")
    call.setXML(xml.bytes)
    call.headers["Content-MD5"] = base64Text(MD5.hash(xml.bytes))
    return try await connection.read(call, root: "DeleteResult").undeleted(of: Set(keys)) { key in
      connection.attempt(.deleteObjects, key)
    }
  }
}
