import SyncBackend

/// Why a run stopped as a whole. What concerns single files is a `Failure` event instead.
public enum MirrorError: Error, Sendable {
  /// A guard saw something that looks like an accident: what it saw, and how to go on.
  case refused(String)
  case sourceUnavailable(String)
  /// The remote can't be reached or refuses everything.
  case remoteUnavailable(BackendError)
  case credentialsRefused(BackendError)
  /// Another run holds the mapping.
  case held(pid: Int32?, String)
  /// The manifest can't be read or written.
  case stateUnavailable(String)

  /// As `sysexits.h` numbers them.
  public var status: Int {
    switch self {
    case .refused: 65
    case .sourceUnavailable: 66
    case .remoteUnavailable: 69
    case .credentialsRefused: 77
    case .held: 75
    case .stateUnavailable: 70
    }
  }
}

extension MirrorError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .refused(let message), .sourceUnavailable(let message), .stateUnavailable(let message),
      .held(_, let message):
      message
    case .remoteUnavailable(let error), .credentialsRefused(let error): "\(error)"
    }
  }
}
