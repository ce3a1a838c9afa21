import Digests
import Glibc
import SyncBackend

/// A multipart upload on disk: `.sync-uploads/upload-ID` with
///
/// - `plan`: what it is going to be;
/// - `data`: the object to be, sparse; each part is written at its own offset, so assembling copies nothing;
/// - `parts/N`: size and MD5 of part N, written when the part's bytes are durable.
///
/// `data` is locked (`flock`): shared by whoever writes a part, alone by whoever completes, so that no
/// straggler writes into a published object. An upload without `data` has ended.
struct UploadFolder {
  static let prefix = Name("upload-".utf8)
  static let planName = Name("plan".utf8)
  static let dataName = Name("data".utf8)
  static let partsName = Name("parts".utf8)

  let directory: Directory
  let plan: UploadPlan
  let initiated: Int64

  /// - Returns: nil where there is no such upload, or it has ended.
  static func open(_ name: Name, in staging: Directory) throws(BackendError) -> UploadFolder? {
    guard let directory = try staging.directory(name), try directory.status(dataName) != nil,
      let file = try directory.file(planName, O_RDONLY), let text = try smallText(of: file),
      let (plan, initiated) = decode(text)
    else { return nil }
    return UploadFolder(directory: directory, plan: plan, initiated: initiated)
  }

  /// The folder's name; nil for ids that this module did not make.
  static func name(of id: String) -> Name? {
    guard id.utf8.count == 32, hexBytes(id) != nil else { return nil }
    return prefix + Name(id.utf8)
  }

  /// Lays a new upload out in an empty folder, durably.
  static func make(_ plan: UploadPlan, at now: Int64, in directory: Directory) throws(BackendError) {
    let file = try directory.create(planName)
    try write(encode(plan, now), to: file)
    _ = try directory.create(dataName)
    let code = directory.make(partsName)
    guard code == 0 else { throw .file(code, "mkdir parts") }
    try directory.sync()
  }

  static func removeIfEnded(_ name: Name, in staging: Directory) {
    do throws(BackendError) {
      guard let directory = try staging.directory(name), try directory.status(dataName) == nil else { return }
      Staging.removeTree(name, in: staging)
    } catch {
      // Not known to have ended: left alone.
    }
  }

  // MARK: - Data

  /// Opens `data` and locks it, `LOCK_SH` for a part, `LOCK_EX` to complete; the lock goes with the file.
  ///
  /// - Returns: nil where the upload ended meanwhile.
  func openData(_ lock: CInt) throws(BackendError) -> OpenFile? {
    guard let file = try directory.file(Self.dataName, O_RDWR) else { return nil }
    // Filesystems without locks do without: the caller's own lock on the profile keeps stragglers off.
    if flock(file.descriptor, lock | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw BackendError(
        .conflict, "the upload is being written or completed by another call", retry: .backoff)
    }
    // It may have been published between opening and locking.
    guard let named = try directory.status(Self.dataName), named.st_ino == (try file.status()).st_ino else {
      return nil
    }
    return file
  }

  // MARK: - Parts

  func parts() throws(BackendError) -> Directory? {
    try directory.directory(Self.partsName)
  }

  static func numbers(in parts: Directory) throws(BackendError) -> [Int] {
    try parts.entries().compactMap { Int(String(decoding: $0.name, as: UTF8.self)) }.sorted()
  }

  /// - Returns: nil where the part is not there, or its record was cut off by a crash.
  static func part(_ number: Int, in parts: Directory) throws(BackendError) -> Part? {
    guard let file = try parts.file(Name(String(number).utf8), O_RDONLY), let text = try smallText(of: file),
      text.last == "\n"
    else { return nil }
    let words = text.dropLast().split(separator: " ")
    guard words.count == 2, let size = Int64(words[0]), let md5 = hexBytes(String(words[1])), md5.count == 16
    else { return nil }
    return Part(number: number, size: size, etag: hexText(md5), md5: md5)
  }

  /// Takes the part's record back before its bytes are written over.
  static func forget(_ number: Int, in parts: Directory) throws(BackendError) {
    let code = parts.remove(Name(String(number).utf8))
    guard code != ENOENT else { return }
    guard code == 0 else { throw .file(code, "unlink the record of part \(number)") }
    try parts.sync()
  }

  static func record(_ part: Part, in parts: Directory) throws(BackendError) {
    let file = try parts.create(Name(String(part.number).utf8))
    try write("\(part.size) \(part.etag)\n", to: file)
    try parts.sync()
  }

  // MARK: - Small texts

  private static func encode(_ plan: UploadPlan, _ now: Int64) -> String {
    "sync-upload 1 \(hexText(plan.key.bytes)) \(plan.size) \(plan.partSize) \(now)\n"
  }

  private static func decode(_ text: String) -> (UploadPlan, Int64)? {
    let words = text.dropLast().split(separator: " ")
    guard text.last == "\n", words.count == 6, words[0] == "sync-upload", words[1] == "1",
      let bytes = hexBytes(String(words[2])), let key = ObjectKey(bytes), let size = Int64(words[3]),
      let partSize = Int64(words[4]), size > 0, partSize > 0, let initiated = Int64(words[5])
    else { return nil }
    return (UploadPlan(key: key, size: size, partSize: partSize, options: ObjectOptions()), initiated)
  }

  private static func write(_ text: String, to file: OpenFile) throws(BackendError) {
    try Array(text.utf8).withUnsafeBufferPointer { bytes throws(BackendError) in
      try file.write(UnsafeRawBufferPointer(bytes), at: 0)
    }
    try file.sync()
  }

  private static func smallText(of file: OpenFile) throws(BackendError) -> String? {
    // A key of 4,096 bytes is 8,192 hexadecimal digits.
    let range = FileRange(file, offset: 0, length: 16384)
    var bytes = [UInt8](repeating: 0, count: 16384)
    let count = bytes.withUnsafeMutableBytes { range.read(at: 0, into: $0) }
    guard count >= 0 else { throw .file(errno, "read of an upload's record") }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
