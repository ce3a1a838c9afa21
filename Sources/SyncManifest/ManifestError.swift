import GRDB

/// Why a manifest could not be opened, read or written.
public enum ManifestError: Error, Hashable {
  /// The file belongs to another target.
  case otherTarget(path: String, wanted: ManifestIdentity, found: ManifestIdentity)
  /// The file was written by a later version of the program.
  case newerSchema(path: String)
  /// The file is damaged, or no manifest at all.
  case damaged(path: String, detail: String)
  /// Another process kept the file locked for longer than the busy timeout.
  case busy(path: String)
  case diskFull(path: String)
  case io(path: String, detail: String)
  /// A row was to be recorded whose key does not begin with its mapping's prefix.
  case keyOutsideMapping(key: [UInt8])
  /// The upload is not (or no longer) in the manifest.
  case unknownUpload(Int64)
  /// The mapping is not in the manifest.
  case unknownMapping(MappingID)
}

extension ManifestError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .otherTarget(let path, let wanted, let found):
      "the manifest \(path) belongs to \(found.summary), not to \(wanted.summary); "
        + "move it away, or set another state_dir"
    case .newerSchema(let path):
      "the manifest \(path) was written by a newer version of this program; use that version, "
        + "or move the file away (everything is then compared with the remote or sent again)"
    case .damaged(let path, let detail):
      "the manifest \(path) can't be read (\(detail)); restore it from a backup, or move it away "
        + "(everything is then compared with the remote or sent again)"
    case .busy(let path):
      "the manifest \(path) stayed locked by another process; look for a run that hangs, then try again"
    case .diskFull(let path):
      "no space left to write \(path); free some, then run again"
    case .io(let path, let detail):
      "\(path): \(detail); check that it is on a healthy local disk and that you may write there"
    case .keyOutsideMapping(let key):
      "the key \(String(decoding: key, as: UTF8.self).debugDescription) lies outside its mapping's prefix"
    case .unknownUpload(let id):
      "the upload \(id) is no longer in the manifest"
    case .unknownMapping(let mapping):
      "the mapping \(mapping.rawValue) is not in the manifest"
    }
  }
}

extension ManifestIdentity {
  fileprivate var summary: String {
    "\(kind) \([endpoint, bucket, prefix].filter { !$0.isEmpty }.joined(separator: " "))"
  }
}

/// Runs `body`, telling SQLite's errors in the words of the manifest at `path`.
func translatingErrors<Value>(at path: @autoclosure () -> String, _ body: () throws -> Value) throws -> Value
{
  do {
    return try body()
  } catch let error as DatabaseError {
    throw ManifestError(error, path: path())
  }
}

extension ManifestError {
  init(_ error: DatabaseError, path: String) {
    let detail = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_FULL: self = .diskFull(path: path)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(path: path, detail: detail)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
    default: self = .io(path: path, detail: detail)
    }
  }
}
