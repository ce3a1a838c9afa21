import SyncBackend

/// Turns the name of a file into the key of its object: the one place where names become keys. The key is the
/// mapping's prefix and the path, byte for byte, so the way back is to drop the prefix.
struct KeyRules: Sendable {
  private let limits: Capabilities.Keys

  init(_ limits: Capabilities.Keys) {
    self.limits = limits
  }

  /// Why a key can't be used; nil where it can.
  func refusal(of key: UnsafeBufferPointer<UInt8>) -> String? {
    if key.count > limits.maximumBytes {
      return "its key has \(key.count) bytes and the remote takes \(limits.maximumBytes): shorten the path"
    }
    if String(validating: key, as: UTF8.self) == nil {
      return "its name is not UTF-8, as keys must be: rename it"
    }
    return segmentRefusal(of: key)
  }

  private func segmentRefusal(of key: UnsafeBufferPointer<UInt8>) -> String? {
    let slash = UInt8(ascii: "/")
    var begin = 0
    for index in 0...key.count where index == key.count || key[index] == slash {
      let segment = key[begin..<index]
      begin = index + 1
      if segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8) {
        return "a part of its key is \"\(printable(segment))\", which other tools would take for a folder"
      }
      if let limit = limits.maximumSegmentBytes, segment.count > limit {
        return "a part of its name has \(segment.count) bytes and the remote takes \(limit): shorten it"
      }
    }
    return nil
  }
}
