import Digests
import ObjectREST
import SyncBackend

extension S3Backend {
  func putObject(
    _ payload: Payload, to key: ObjectKey, options: ObjectOptions
  ) async throws(BackendError) -> ObjectInfo {
    let attempt = connection.attempt(.putObject, key)
    var call = S3Call(.putObject, .put, key: key)
    try call.setPayload(payload, isSecure: connection.isSecure, attempt)
    try call.setMetadata(options.metadata, attempt)
    let headers = try await connection.send(call).headers
    // A web server that is no object store may say 200 to anything; nothing may count as stored by that alone.
    guard let quoted = headers["ETag"] else { throw S3Answer.unclear("it has no ETag", .putObject, attempt) }
    let etag = S3ETag(quoted)
    try checkArrival(payload, etag, headers, attempt)
    return info(key, etag, headers)
  }

  func headObject(_ key: ObjectKey) async throws(BackendError) -> ObjectInfo? {
    do {
      let headers = try await connection.send(S3Call(.headObject, .head, key: key)).headers
      var info = info(key, S3ETag(headers["ETag"]), headers)
      info.size = headers["Content-Length"].flatMap { Int64($0) }
      info.modified = headers["Last-Modified"].flatMap { Timestamps.rfc1123($0.utf8) }
      info.metadata = metadata(in: headers)
      return info
    } catch  where error.kind == .notFound {
      return nil
    }
  }

  func getObject(_ key: ObjectKey, range: ReadRange?, into sink: any ByteSink) async throws(BackendError) {
    let attempt = connection.attempt(.getObject, key)
    // HTTP has no words for a range of no bytes; what remains is whether the object is there.
    if range?.length == 0 {
      guard try await headObject(key) == nil else { return }
      throw attempt.error(.notFound, "there is no such object")
    }
    var call = S3Call(.getObject, .get, key: key)
    if let range, range != ReadRange(offset: 0) {
      let end = range.length.map { String(range.offset + $0 - 1) } ?? ""
      call.headers["Range"] = "bytes=\(range.offset)-\(end)"
    }
    let response = try await connection.send(call, into: sink)
    // rclone's server sends a part under 200, but with its Content-Range.
    let begin = response.headers["Content-Range"]
    if let range, call.headers["Range"] != nil,
      !(begin?.hasPrefix("bytes \(range.offset)-") ?? (response.status == 206))
    {
      throw attempt.error(
        .unsupported, "the remote answered with other bytes than the range that was asked for")
    }
  }

  /// What the headers of an answer say of the whole object.
  func info(_ key: ObjectKey, _ etag: S3ETag?, _ headers: HTTPFields) -> ObjectInfo {
    let reference = ObjectReference(key, version: headers["x-amz-version-id"], etag: etag?.text)
    return ObjectInfo(
      reference, content: connection.etags.content(etag, headers), url: connection.url(of: key))
  }

  /// The ETag of a put and of a part is the MD5 of what arrived.
  func checkArrival(
    _ payload: Payload, _ etag: S3ETag?, _ headers: HTTPFields, _ attempt: Attempt
  ) throws(BackendError) {
    guard let sent = payload.digests[.md5], let stored = connection.etags.md5(etag, headers), sent != stored
    else {
      return
    }
    throw attempt.error(
      .corrupted, "the remote stored bytes with MD5 \(hexText(stored)), those sent have \(hexText(sent))",
      retry: .backoff)
  }

  private func metadata(in headers: HTTPFields) -> [String: String] {
    var metadata: [String: String] = [:]
    for field in headers.fields {
      let name = field.name.lowercased()
      guard name.hasPrefix(S3Call.metadataPrefix) else { continue }
      metadata[String(name.dropFirst(S3Call.metadataPrefix.count))] = field.value
    }
    return metadata
  }
}

extension S3Call {
  fileprivate static var metadataPrefix: String { "x-amz-meta-" }

  /// Gives the call the engine's bytes. Over plain HTTP their SHA-256 must come with them, to be signed.
  mutating func setPayload(_ payload: Payload, isSecure: Bool, _ attempt: Attempt) throws(BackendError) {
    switch payload.source {
    case .bytes(let bytes): body = .bytes(bytes)
    case .file(let range): body = .file(range)
    case .object: throw attempt.error(.unsupported, "copying on the server is not supported by this version")
    }
    if isSecure {
      hash = .unsigned
    } else if let sha256 = payload.digests[.sha256] {
      hash = .signed(sha256)
    } else {
      throw attempt.error(
        .invalidRequest, "over plain HTTP the SHA-256 of the bytes must be handed in with them")
    }
    if let md5 = payload.digests[.md5] { headers["Content-MD5"] = base64Text(md5) }
    onSent = payload.onSent
  }

  /// Only what SDKs, proxies and servers sign and store alike: printable ASCII with single blanks inside.
  mutating func setMetadata(_ metadata: [String: String], _ attempt: Attempt) throws(BackendError) {
    for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
      let words = value.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      let isPlain =
        value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        && (words.count < 2 || !words.contains { $0.isEmpty })
      guard isPlain, !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else {
        throw attempt.error(.invalidRequest, "S3 cannot keep the metadata \(printable(name.utf8)) unchanged")
      }
      headers[Self.metadataPrefix + name] = value
    }
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
