import Foundation
import SyncBackend
import TestSupport
import Testing

@testable import Local

@Suite("A local bucket says why it cannot")
struct RefusalTests {
  let bucket: TemporaryDirectory

  init() throws {
    bucket = try TemporaryDirectory()
  }

  @Test("a disk that is full is full, and nothing is left of the try", .enabled(if: geteuid() == 0))
  func fullDisk() async throws {
    try run("/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "none", bucket.path])
    defer { try? run("/bin/umount", [bucket.path]) }
    let local = backend(bucket.path)
    let large = Payload(.bytes([UInt8](repeating: 7, count: 2 << 20)))
    let put = await #expect(throws: BackendError.self) {
      try await local.put(large, to: ObjectKey("a/large"), options: ObjectOptions())
    }
    #expect(put?.kind == .full)
    #expect(bucket.tree == [])
    let upload = try await local.begin("large", size: 2 << 20, partSize: 2 << 20)
    let part = await #expect(throws: BackendError.self) {
      try await local.uploadPart(1, payload: large, of: upload)
    }
    #expect(part?.kind == .full)
    #expect(try await local.listParts(of: upload, after: nil).items == [])
    try await local.abortUpload(upload)
    try await local.put("small", to: "small")
  }

  @Test("a filesystem that is read-only denies, and is still read", .enabled(if: geteuid() == 0))
  func readOnly() async throws {
    try run("/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "none", bucket.path])
    defer { try? run("/bin/umount", [bucket.path]) }
    let local = backend(bucket.path)
    try await local.put("x", to: "key")
    try run("/bin/mount", ["-o", "remount,ro", bucket.path])
    let put = await #expect(throws: BackendError.self) { try await local.put("y", to: "other") }
    #expect(put?.kind == .denied)
    #expect(try await local.delete("key")?.kind == .denied)
    #expect(try await local.keys() == ["key"])
  }

  @Test("a directory that may not be written denies", .enabled(if: geteuid() != 0))
  func noRights() async throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: bucket.path)
    let put = await #expect(throws: BackendError.self) { try await backend(bucket.path).put("x", to: "key") }
    #expect(put?.kind == .denied)
  }

  @Test(
    "what a failed system call means",
    arguments: [
      (ENOSPC, BackendError.Kind.full), (EDQUOT, .full), (EACCES, .denied), (EPERM, .denied),
      (EROFS, .denied),
      (ENAMETOOLONG, .invalidKey), (EISDIR, .conflict), (EIO, .unavailable), (EMFILE, .unavailable),
    ])
  func meanings(_ code: CInt, _ kind: BackendError.Kind) {
    let error = BackendError.file(code, "open \"key\"")
    #expect(error.kind == kind)
    #expect(error.message.contains("open \"key\": \(String(cString: strerror(code)))"))
  }

  private func run(_ program: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(program) \(arguments.joined(separator: " "))")
  }
}
