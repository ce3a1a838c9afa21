import Glibc
import SyncBackend

/// A file without a name, for payloads that are ranges of files.
enum ScratchFile {
  static func holding(_ bytes: [UInt8]) throws(PromiseBroken) -> OpenFile {
    guard let stream = tmpfile() else { throw failed("tmpfile") }
    defer { fclose(stream) }
    guard fwrite(bytes, 1, bytes.count, stream) == bytes.count, fflush(stream) == 0 else {
      throw failed("write")
    }
    let descriptor = dup(fileno(stream))
    guard descriptor >= 0 else { throw failed("dup") }
    return OpenFile(owning: descriptor)
  }

  private static func failed(_ call: String) -> PromiseBroken {
    let reason = String(cString: strerror(errno))
    return PromiseBroken("\(call) for a scratch file on this machine", expected: "success", came: reason)
  }
}
