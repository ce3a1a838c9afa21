import Glibc
import SyncBackend

/// A `.syncignore`, as a scan reads it.
enum IgnoreFile {
  /// More than this is no list of patterns.
  private static let largest = 4 << 20

  /// The patterns in a directory's ignore file; nil where there is none, or only something that isn't a file, or a
  /// link that the policy does not follow.
  ///
  /// - Throws: `SourceError` where there is one that can't be read: what it would hide must not be mirrored, so the
  ///   directory as a whole can't be.
  static func read(
    in directory: OpenFile, _ symlinks: SymlinkPolicy, _ source: SourceDirectory
  ) throws(SourceError) -> IgnoreList? {
    let follow = symlinks == .skip ? O_NOFOLLOW : 0
    let file: OpenFile
    do throws(SourceError) {
      file = try directory.descendant(FolderLoader.ignoreFileName, O_RDONLY | O_NONBLOCK | O_NOCTTY | follow)
    } catch {
      if error.kind == .unreadable { throw error }
      return nil
    }
    var status = stat()
    guard fstat(file.descriptor, &status) == 0 else { throw SourceError(.unreadable, code: errno) }
    guard status.isRegularFile, symlinks != .followInside || source.contains(file.descriptor) else {
      return nil
    }
    guard status.st_size <= largest else { throw SourceError(.unreadable, code: EFBIG) }
    return IgnoreList(file: try contents(FileRange(file, offset: 0, length: Int64(largest))))
  }

  private static func contents(_ range: FileRange) throws(SourceError) -> [UInt8] {
    var text: [UInt8] = []
    var failure: CInt = 0
    while true {
      let more = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
        let got = range.read(at: Int64(text.count), into: UnsafeMutableRawBufferPointer(buffer))
        if got < 0 { failure = errno }
        count = max(0, got)
      }
      if failure != 0 { throw SourceError(.unreadable, code: failure) }
      if more.isEmpty { return text }
      text += more
    }
  }
}
