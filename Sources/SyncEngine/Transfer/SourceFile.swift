import Glibc
import SyncBackend
import SyncManifest

/// A source opened for sending, with its state at that moment.
struct SourceFile: Sendable {
  let file: OpenFile
  let stamp: FileStamp

  /// Size, mtime, ctime and inode are still what they were when it was opened.
  var isUnchanged: Bool {
    var status = stat()
    return fstat(file.descriptor, &status) == 0 && FileStamp(status) == stamp
  }

  func range(offset: Int64, length: Int64) -> FileRange {
    FileRange(file, offset: offset, length: length)
  }

  var whole: FileRange { range(offset: 0, length: stamp.size) }
}

extension FileRange {
  /// Asks the kernel to read the range in one go.
  func willBeRead() {
    posix_fadvise(file.descriptor, off_t(offset), off_t(length), POSIX_FADV_WILLNEED)
  }

  /// The range's bytes; nil where the file ends early or can't be read.
  func bytes() -> [UInt8]? {
    var done = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
      while done < length {
        let read = read(
          at: Int64(done),
          into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[done...]))
        guard read > 0 else { break }
        done += read
      }
      count = done
    }
    return done == length ? bytes : nil
  }
}

/// What the system calls an error number.
func systemMessage(_ code: CInt) -> String {
  String(cString: strerror(code))
}
