import CFiles
import Digests
import Glibc
import SyncBackend

/// What a file's content is, noted on the file itself in an extended attribute when it was written.
///
/// A local file has no ETag, so after a kill between publishing and recording nothing would tell our object
/// from another. The note names the size, the time of modification and the inode that it was made for, and
/// counts only while they agree. Filesystems without such attributes do without: the object is then sent
/// again.
enum ContentMark {
  private static let attribute = "user.sync.content"

  /// Opaque to all others: changes with the content, for a new content is a new file.
  static func etag(_ status: stat) -> String {
    [Int64(status.st_size), status.modified, Int64(bitPattern: UInt64(status.st_ino))]
      .map { String(UInt64(bitPattern: $0), radix: 16) }.joined(separator: "-")
  }

  /// Notes `content` on an open file that will not be written any more; failing to is no failure.
  static func set(_ content: ContentDigest, on file: OpenFile, _ status: stat) {
    let text = "\(describe(content)) \(etag(status))"
    _ = fsetxattr(file.descriptor, attribute, text, text.utf8.count, 0)
  }

  /// - Returns: nil where nothing was noted, or the file changed since.
  static func read(from file: OpenFile, _ status: stat) -> ContentDigest? {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = fgetxattr(file.descriptor, attribute, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let words = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[2] == etag(status), let digest = hexBytes(String(words[1])),
      digest.count == 16
    else { return nil }
    if words[0] == "md5" { return .md5(digest) }
    guard words[0].hasPrefix("md5-of-"), let parts = Int(words[0].dropFirst(7)) else { return nil }
    return .md5OfParts(digest, count: parts)
  }

  private static func describe(_ content: ContentDigest) -> String {
    switch content {
    case .md5(let digest): "md5 \(hexText(digest))"
    case .md5OfParts(let digest, let count): "md5-of-\(count) \(hexText(digest))"
    }
  }
}
