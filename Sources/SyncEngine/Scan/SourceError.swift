import Glibc

/// Why something of a source can't be used. The description does not name the path: whoever reports it does.
public struct SourceError: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Kind: Sendable, Hashable {
    /// There is nothing of that name (any more).
    case missing
    /// A directory was wanted.
    case notDirectory
    /// A directory, FIFO, socket or device where a file was wanted.
    case notRegularFile
    /// A symbolic link, or something below one, that the policy does not follow.
    case symlink
    /// No path within a source: empty, absolute, with an empty, `.` or `..` component, or with a zero byte.
    case invalidPath
    /// The system said no.
    case unreadable
    /// A directory was too large for memory and its temporary file failed.
    case temporaryFile
  }

  public var kind: Kind
  /// The system's error number; 0 where it has not failed.
  public var code: CInt

  public init(_ kind: Kind, code: CInt = 0) {
    self.kind = kind
    self.code = code
  }

  /// From the `errno` of a system call that was to open or look at something without following links.
  init(errno code: CInt) {
    switch code {
    case ENOENT: self.init(.missing, code: code)
    case ENOTDIR: self.init(.notDirectory, code: code)
    case ELOOP: self.init(.symlink, code: code)
    default: self.init(.unreadable, code: code)
    }
  }

  public var isMissing: Bool { kind == .missing }

  public var description: String {
    let system = String(cString: strerror(code))
    switch kind {
    case .missing, .unreadable: return system
    case .notDirectory: return "not a directory"
    case .notRegularFile: return "not a regular file"
    case .symlink: return "a symbolic link that is not followed"
    case .invalidPath: return "not a path within the source"
    case .temporaryFile:
      return "the directory is too large to sort in memory, and its temporary file failed: \(system); "
        + "make room in $TMPDIR or point it elsewhere"
    }
  }
}
