/// What to do with a symbolic link in the source.
public enum SymlinkPolicy: String, Sendable, CaseIterable {
  /// Count it and leave it.
  case skip
  /// Mirror the file or directory that it leads to, wherever that is.
  case follow
  /// Follow it where it leads to something inside the source; else skip it.
  case followInside = "follow-inside"
}
