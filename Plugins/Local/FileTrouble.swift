import Glibc
import SyncBackend

extension BackendError {
  /// What a system call's `errno` means to whoever called the verb.
  static func file(_ code: CInt, _ call: String) -> BackendError {
    let (kind, retry, advice) = meaning(of: code)
    return BackendError(kind, "\(call): \(String(cString: strerror(code)))\(advice)", retry: retry)
  }

  private static func meaning(of code: CInt) -> (Kind, Retry, String) {
    switch code {
    case ENOSPC: (.full, .never, "; make room on the bucket's filesystem")
    case EDQUOT: (.full, .never, "; the bucket's quota is used up")
    case EFBIG: (.tooLarge, .never, "")
    case EROFS: (.denied, .never, "; the bucket's filesystem is mounted read-only")
    case EACCES, EPERM: (.denied, .never, "; check the owner and mode of the bucket's directory")
    case ENAMETOOLONG, EILSEQ, EINVAL:
      (.invalidKey, .never, "; the bucket's filesystem does not take this name")
    case EISDIR, ENOTDIR, ENOTEMPTY, EEXIST, ELOOP: (.conflict, .never, "; something else stands in the way")
    case EXDEV: (.conflict, .never, "; another filesystem is mounted inside the bucket")
    case ENOENT: (.conflict, .backoff, "; someone else changes the bucket at the same time")
    // EIO, ESTALE, EMFILE, ENOMEM, a NAS that does not answer: it may pass.
    default: (.unavailable, .backoff, "")
    }
  }
}
