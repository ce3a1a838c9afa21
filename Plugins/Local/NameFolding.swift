import Foundation
import Glibc
import SyncBackend

/// Whether a directory holds a name as it is written, or another that its filesystem takes for the same: by
/// letter case (vfat, NTFS, most SMB shares, ext4 with casefold), by composition of accents (HFS+), or by
/// dots and blanks at the end (vfat). Folding may differ from one directory to the next, so each name is
/// asked for where it stands; a directory that does not fold costs one look-up.
struct NameFolding: Sendable {
  struct Identity: Equatable {
    var device: dev_t
    var inode: ino_t
  }

  /// What a name leads to in a directory; tests put a folding one in its place.
  var lookUp: @Sendable (Directory, Name) throws(BackendError) -> Identity?

  init(
    lookUp: @escaping @Sendable (Directory, Name) throws(BackendError) -> Identity? = {
      directory, name throws(BackendError) in
      try directory.status(name).map { Identity(device: $0.st_dev, inode: $0.st_ino) }
    }
  ) {
    self.lookUp = lookUp
  }

  /// The name under which the directory holds what `name` leads to, where that is another one; nil where it
  /// holds `name` itself, or nothing.
  func otherName(than name: Name, in directory: Directory) throws(BackendError) -> Name? {
    let variants = Self.variants(of: name)
    guard !variants.isEmpty, let found = try lookUp(directory, name) else { return nil }
    var isSuspect = false
    for variant in variants where !isSuspect { isSuspect = try lookUp(directory, variant) == found }
    guard isSuspect else { return nil }
    let names = try directory.entries().map(\.name)
    if names.contains(name) { return nil }
    for other in names where try lookUp(directory, other) == found { return other }
    return nil
  }

  /// Other spellings that a filesystem that folds would take for `name`.
  private static func variants(of name: Name) -> [Name] {
    var variants = [name.map(otherCase)]
    var trimmed = name[...]
    while let last = trimmed.last, last == UInt8(ascii: ".") || last == UInt8(ascii: " ") {
      trimmed.removeLast()
    }
    variants.append(Array(trimmed))
    if name.contains(where: { $0 >= 0x80 }) {
      let text = String(decoding: name, as: UTF8.self)
      let forms = [
        text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping,
        text.lowercased(), text.uppercased(),
      ]
      variants += forms.map { Array($0.utf8) }
    }
    return variants.filter { $0 != name && ObjectPath.isName($0) }
  }

  private static func otherCase(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): byte ^ 0x20
    default: byte
    }
  }
}
