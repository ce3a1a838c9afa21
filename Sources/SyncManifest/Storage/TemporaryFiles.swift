import Foundation

enum TemporaryFiles {
  /// Where temporary files go: `$TMPDIR`, which SQLite heeds too, else `/tmp`.
  static var directory: String {
    let named = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
    return named.isEmpty ? "/tmp" : named
  }
}
