import ObjectREST
import SyncBackend

// Both listings ask for url-encoded keys: XML 1.0 cannot carry every one.
extension S3Backend {
  func objectsPage(prefix: ObjectKey, after: PageToken?) async throws(BackendError) -> Page<ObjectInfo> {
    var call = S3Call(.listObjects, .get)
    call.query.add("list-type", "2")
    call.query.add("encoding-type", "url")
    if !prefix.bytes.isEmpty { call.query.add("prefix", prefix.bytes) }
    if let after { call.query.add("continuation-token", after.text) }
    call.prefix = prefix
    var page = try await connection.read(call, root: "ListBucketResult").objects(after: after)
    for index in page.items.indices {
      page.items[index].url = connection.url(of: page.items[index].reference.key)
    }
    return page
  }

  func uploadsPage(prefix: ObjectKey, after: PageToken?) async throws(BackendError) -> Page<Upload> {
    let attempt = connection.attempt(.listUploads, prefix)
    var call = S3Call(.listUploads, .get)
    call.query.add("uploads")
    call.query.add("encoding-type", "url")
    if !prefix.bytes.isEmpty { call.query.add("prefix", prefix.bytes) }
    if let after {
      guard let marker = UploadsMarker(after) else {
        throw attempt.error(
          .invalidRequest, "\(printable(after.text.utf8)) is not a place in a listing of uploads")
      }
      call.query.add("key-marker", marker.key)
      call.query.add("upload-id-marker", marker.id)
    }
    call.prefix = prefix
    do {
      return try await connection.read(call, root: "ListMultipartUploadsResult").uploads(after: after)
    } catch  where error.kind == .uploadGone {
      // What rclone's server says of a bucket that has none.
      return Page([])
    }
  }
}

/// A place in a listing of uploads: a key and an upload id, which a page token holds as one text.
struct UploadsMarker {
  var key: [UInt8]
  var id: String

  init(key: [UInt8], id: String) {
    self.key = key
    self.id = id
  }

  init?(_ token: PageToken) {
    let halves = token.text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    guard halves.count == 2, let key = percentDecoded(halves[0], plusIsSpace: false),
      let id = percentDecoded(halves[1], plusIsSpace: false)
    else { return nil }
    self.init(key: key, id: String(decoding: id, as: UTF8.self))
  }

  var token: PageToken { PageToken("\(percentEncoded(key))&\(percentEncoded(id))") }
}
