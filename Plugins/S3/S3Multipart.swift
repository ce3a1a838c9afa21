import ObjectREST
import SyncBackend

extension S3Backend {
  func createMultipartUpload(_ plan: UploadPlan) async throws(BackendError) -> Upload {
    let attempt = connection.attempt(.createUpload, plan.key)
    var call = S3Call(.createUpload, .post, key: plan.key)
    call.query.add("uploads")
    try call.setMetadata(plan.options.metadata, attempt)
    // A body's type would become the object's; without any, an HTTP client may add a form's.
    call.headers["Content-Type"] = "binary/octet-stream"
    // The second is what rclone's server says.
    let answer = try await connection.read(
      call, root: "InitiateMultipartUploadResult", "InitiateMultipartUpload")
    let id = try answer.uploadID()
    let initiated = answer.headers["Date"].flatMap { Timestamps.rfc1123($0.utf8) }
    return Upload(key: plan.key, id: id, initiated: initiated, plan: plan)
  }

  func sendPart(_ number: Int, _ payload: Payload, of upload: Upload) async throws(BackendError) -> Part {
    let attempt = connection.attempt(.uploadPart, upload.key)
    var call = S3Call(.uploadPart, .put, key: upload.key)
    call.query.add("partNumber", String(number))
    call.query.add("uploadId", upload.id)
    try call.setPayload(payload, isSecure: connection.isSecure, attempt)
    let headers = try await connection.send(call).headers
    guard let etag = S3ETag(headers["ETag"]) else {
      throw attempt.error(.outcomeUnknown, "the answer has no ETag for part \(number)", retry: .backoff)
    }
    try checkArrival(payload, etag, headers, attempt)
    return Part(
      number: number, size: payload.length, etag: etag.text, md5: connection.etags.md5(etag, headers))
  }

  func partsPage(of upload: Upload, after: PageToken?) async throws(BackendError) -> Page<Part> {
    var call = S3Call(.listParts, .get, key: upload.key)
    call.query.add("uploadId", upload.id)
    if let after { call.query.add("part-number-marker", after.text) }
    return try await connection.read(call, root: "ListPartsResult").parts(connection.etags, after: after)
  }

  func completeMultipartUpload(_ upload: Upload, parts: [Part]) async throws(BackendError) -> ObjectInfo {
    var call = S3Call(.completeUpload, .post, key: upload.key)
    call.query.add("uploadId", upload.id)
    call.setXML(Self.completion(of: parts))
    // S3 may take minutes to put a large object together, silently or sending blanks now and then.
    call.patience = HTTPPatience(stall: .seconds(600), answer: .seconds(600))
    let answer = try await connection.read(call, root: "CompleteMultipartUploadResult")
    return info(upload.key, answer.completedETag, answer.headers)
  }

  func abortMultipartUpload(_ upload: Upload) async throws(BackendError) {
    var call = S3Call(.abortUpload, .delete, key: upload.key)
    call.query.add("uploadId", upload.id)
    do {
      _ = try await connection.send(call)
    } catch  where error.kind == .uploadGone {
      return
    }
  }

  private static func completion(of parts: [Part]) -> [UInt8] {
    var xml = XMLWriter()
    xml.element("CompleteMultipartUpload", attributes: S3Answer.namespace) { xml in
      for part in parts {
        xml.element("Part") { xml in
          xml.element("PartNumber", String(part.number))
          xml.element("ETag", "\"\(part.etag)\"")
        }
      }
    }
    return xml.bytes
  }
}
