import ObjectREST
import SyncBackend

/// A whole answer in XML to one call, and the values in it.
struct S3Answer: Sendable {
  private let root: XMLElement
  let headers: HTTPFields
  private let operation: S3Operation
  private let attempt: Attempt

  static var namespace: String { #"xmlns="http://s3.amazonaws.com/doc/2006-03-01/""# }

  init(root: XMLElement, headers: HTTPFields, operation: S3Operation, attempt: Attempt) {
    self.root = root
    self.headers = headers
    self.operation = operation
    self.attempt = attempt
  }

  /// For an answer that promises success by its status and does not tell it in its body.
  static func unclear(_ reason: String, _ operation: S3Operation, _ attempt: Attempt) -> BackendError {
    attempt.error(
      operation.isUnrepeatable ? .outcomeUnknown : .unavailable, "the answer says too little: \(reason)",
      retry: .backoff)
  }

  private func unclear(_ reason: String) -> BackendError {
    Self.unclear(reason, operation, attempt)
  }
}

// MARK: - Uploads

extension S3Answer {
  func uploadID() throws(BackendError) -> String {
    guard let id = root["UploadId"]?.trimmed, !id.isEmpty else {
      throw unclear("it has no upload id")
    }
    return id
  }

  /// - Returns: nil where the answer leaves it empty, as RGW's does.
  var completedETag: S3ETag? {
    S3ETag(root["ETag"]?.trimmed)
  }

  func parts(_ etags: S3ETagMeaning, after: PageToken?) throws(BackendError) -> Page<Part> {
    var parts: [Part] = []
    for element in root.all("Part") {
      guard let number = element["PartNumber"]?.number, let size = element["Size"]?.number,
        let etag = S3ETag(element["ETag"]?.trimmed)
      else { throw unclear("a part lacks its number, size or ETag") }
      parts.append(Part(number: Int(number), size: size, etag: etag.text, md5: etags.md5(etag)))
    }
    let marker = root["NextPartNumberMarker"]?.number ?? parts.last.map { Int64($0.number) }
    return Page(parts, next: try next(marker.map { PageToken(String($0)) }, after))
  }

  func uploads(after: PageToken?) throws(BackendError) -> Page<Upload> {
    var uploads: [Upload] = []
    for element in root.all("Upload") {
      guard let id = element["UploadId"]?.trimmed else { throw unclear("an upload lacks its id") }
      let initiated = (element["Initiated"]?.text.trimmingBlanks).flatMap { Timestamps.iso8601($0) }
      uploads.append(Upload(key: try key(element["Key"]), id: id, initiated: initiated))
    }
    var marker: UploadsMarker?
    if let key = bytes(root["NextKeyMarker"]) {
      marker = UploadsMarker(key: key, id: root["NextUploadIdMarker"]?.trimmed ?? "")
    }
    return Page(uploads, next: try next(marker?.token, after))
  }
}

// MARK: - Objects

extension S3Answer {
  /// The content stays open: a listing does not tell which objects are encrypted, whose ETags are no MD5s.
  func objects(after: PageToken?) throws(BackendError) -> Page<ObjectInfo> {
    var objects: [ObjectInfo] = []
    for element in root.all("Contents") {
      guard let size = element["Size"]?.number else { throw unclear("an object lacks its size") }
      let etag = S3ETag(element["ETag"]?.trimmed)
      let reference = ObjectReference(try key(element["Key"]), etag: etag?.text)
      let modified = (element["LastModified"]?.text.trimmingBlanks).flatMap { Timestamps.iso8601($0) }
      objects.append(ObjectInfo(reference, size: size, modified: modified))
    }
    let token = root["NextContinuationToken"].map { PageToken($0.trimmed) }
    return Page(objects, next: try next(token, after))
  }

  /// - Parameter attempt: for one key's message.
  func undeleted(
    of keys: Set<ObjectKey>, attempt: (ObjectKey) -> Attempt
  ) throws(BackendError) -> [ObjectKey: BackendError] {
    var failures: [ObjectKey: BackendError] = [:]
    for element in root.all("Error") {
      guard let document = ErrorDocument(element), let key = ObjectKey(element["Key"]?.text ?? []),
        keys.contains(key)
      else { throw unclear("it reports a failure for a key that was not sent") }
      let error = S3Refusal(code: document.code, text: document.message).error(.deleteObjects, attempt(key))
      if error.kind != .notFound { failures[key] = error }
    }
    return failures
  }
}

// MARK: - Keys and pages

extension S3Answer {
  private func key(_ element: XMLElement?) throws(BackendError) -> ObjectKey {
    guard let bytes = bytes(element) else { throw unclear("an entry lacks its key") }
    guard let key = ObjectKey(bytes) else {
      throw attempt.error(.unsupported, "the bucket has a key that is not UTF-8: \(printable(bytes))")
    }
    return key
  }

  /// A key's bytes; decoded where the answer says that it has encoded them.
  private func bytes(_ element: XMLElement?) -> [UInt8]? {
    guard let text = element?.text else { return nil }
    return root["EncodingType"]?.trimmed == "url" ? percentDecoded(text, plusIsSpace: true) : text
  }

  /// Only `IsTruncated` tells whether there is more: markers may stand in a last page too.
  private func next(_ token: PageToken?, _ before: PageToken?) throws(BackendError) -> PageToken? {
    guard root["IsTruncated"]?.isTrue == true else { return nil }
    guard let token, !token.text.isEmpty, token != before else {
      throw unclear("there is more, but not where")
    }
    return token
  }
}
