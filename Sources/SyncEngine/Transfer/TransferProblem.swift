import SyncBackend

/// Why one file could not be mirrored. The rest of the run goes on.
enum TransferProblem: Error, Sendable {
  /// It was written to while it was read.
  case changedWhileRead
  case vanished
  case unreadable(String)
  /// What the remote stored is not what was read.
  case corrupted(String)
  case backend(BackendError)

  /// A stable word for the `failed` event.
  var code: String {
    switch self {
    case .changedWhileRead: "changed"
    case .vanished: "vanished"
    case .unreadable: "unreadable"
    case .corrupted: "corrupted"
    case .backend(let error): error.kind.rawValue
    }
  }

  var message: String {
    switch self {
    case .changedWhileRead:
      "it kept changing while it was read; what was mirrored before is still there, the next run tries again"
    case .vanished: "it was gone when its turn came"
    case .unreadable(let reason): reason
    case .corrupted(let reason): reason
    case .backend(let error): "\(error)"
    }
  }

  var isRetryable: Bool {
    switch self {
    case .changedWhileRead, .vanished, .corrupted: true
    case .unreadable: false
    case .backend(let error): error.retry != .never
    }
  }
}
