import ConfigTree

/// What to mirror, where to and how: a profile with everything it inherits, checked and complete.
public struct Profile: Sendable, Hashable {
  public let name: String
  public let location: ConfigLocation
  /// The name of a remote that is configured.
  public let remote: String
  /// At least one.
  public let directories: [Directory]
  /// gitignore patterns in their order: defaults', then inherited ones, then the profile's own. The last match wins.
  public let exclude: [String]
  public let include: [String]
  /// Whether what is gone from the source is deleted from the remote.
  public let delete: Bool
  public let maxDelete: DeleteLimit
  public let symlinks: SymlinkPolicy
  public let require: Requirements
  /// The profile's and inherited ones; `Configuration.transfer(for:remote:)` puts the lower layers under them.
  public let transfer: TransferOverrides
}

/// A source directory and where its files go: a mapping.
public struct Directory: Sendable, Hashable {
  /// Absolute, without `.`, `..` and doubled slashes.
  public var path: String
  /// Put before every key of this directory, after the remote's prefix; empty, or ends in `/`.
  public var prefix: String
  public var location: ConfigLocation

  public init(path: String, prefix: String, location: ConfigLocation) {
    self.path = path
    self.prefix = prefix
    self.location = location
  }
}

/// How much of what is mirrored a run may delete.
public enum DeleteLimit: Sendable, Hashable, CustomStringConvertible {
  /// Files, at least 0.
  case count(Int)
  /// Of the mirrored files, 0 to 100.
  case percent(Double)

  /// - Returns: nil for anything but `N` or `P%`.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    let isPercent = bytes.last == UInt8(ascii: "%")
    let number = isPercent ? bytes.dropLast() : bytes[...]
    let isNumber = number.allSatisfy {
      (0x30...0x39).contains($0) || (isPercent && $0 == UInt8(ascii: "."))
    }
    guard isNumber, number.first != UInt8(ascii: ".") else { return nil }
    let digits = String(decoding: number, as: UTF8.self)
    if isPercent {
      guard let percent = Double(digits), percent <= 100 else { return nil }
      self = .percent(percent)
    } else {
      guard let count = Int(digits) else { return nil }
      self = .count(count)
    }
  }

  public var description: String {
    switch self {
    case .count(let count): "\(count)"
    case .percent(let percent): Int(exactly: percent).map { "\($0)%" } ?? "\(percent)%"
    }
  }
}

public enum SymlinkPolicy: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  case skip
  case follow
  /// Follow those whose target lies in the same source directory.
  case followInside = "follow-inside"

  public var description: String { rawValue }
}

/// What must be true of every source directory before anything is done.
public struct Requirements: Sendable, Hashable {
  /// This file exists in it: a path relative to the directory.
  public var sentinel: String?
  public var notEmpty: Bool

  public init(sentinel: String? = nil, notEmpty: Bool = true) {
    self.sentinel = sentinel
    self.notEmpty = notEmpty
  }
}
