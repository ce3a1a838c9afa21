/// A pattern as git's wildmatch reads it, for paths whose components are parted by `/`.
///
/// `*` and `?` and sets stay within a component; `**` between slashes or the ends spans them. Bytes, not characters.
struct Glob: Sendable, Hashable {
  fileprivate enum Token: Sendable, Hashable {
    case byte(UInt8)
    case anyByte
    case set(ByteSet)
    /// Bytes of one component, or none.
    case star
    /// Any bytes, or none.
    case deep
    /// Whole components with the slash after each, or none.
    case deepFolders
  }

  private var tokens: [Token] = []

  /// nil where git's matcher could never find a match: a set that is not closed or names an unknown class, or a
  /// backslash at the end.
  init?(_ pattern: some Collection<UInt8>) {
    let bytes = Array(pattern)
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\"):
        guard index + 1 < bytes.count else { return nil }
        tokens.append(.byte(bytes[index + 1]))
        index += 2
      case UInt8(ascii: "?"):
        tokens.append(.anyByte)
        index += 1
      case UInt8(ascii: "*"): index = appendStar(bytes, index)
      case UInt8(ascii: "["):
        guard let (set, end) = ByteSet.parse(bytes, after: index) else { return nil }
        tokens.append(.set(set))
        index = end
      default:
        tokens.append(.byte(bytes[index]))
        index += 1
      }
    }
  }

  /// Two stars or more mean components only where they stand alone between slashes or ends; else they are one star.
  private mutating func appendStar(_ bytes: [UInt8], _ start: Int) -> Int {
    let slash = UInt8(ascii: "/")
    var end = start
    while end < bytes.count, bytes[end] == UInt8(ascii: "*") { end += 1 }
    let opens = start == 0 || bytes[start - 1] == slash
    let rest = bytes[end...]
    guard end - start > 1, opens else {
      tokens.append(.star)
      return end
    }
    if rest.first == slash {
      tokens.append(.deepFolders)
      return end + 1
    }
    tokens.append(rest.isEmpty || rest.starts(with: "\\/".utf8) ? .deep : .star)
    return end
  }

  /// Whether the whole of `text` matches.
  ///
  /// Backtracks to the last star only, and past that to the last `**`: a place further on for an earlier one could
  /// only leave less to the later one.
  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var token = 0, index = 0
    var star: Resumption?, deep: Resumption?
    while true {
      if token == tokens.count, index == text.count { return true }
      if token < tokens.count {
        switch tokens[token] {
        case .star:
          token += 1
          star = Resumption(token: token, index: index)
          continue
        case .deep, .deepFolders:
          token += 1
          (star, deep) = (nil, Resumption(token: token, index: index))
          continue
        case .byte, .anyByte, .set:
          if index < text.count, tokens[token].accepts(text[index]) {
            (token, index) = (token + 1, index + 1)
            continue
          }
        }
      }
      if let place = star, let next = place.oneOn(in: text) {
        star = next
      } else if let place = deep, let next = place.further(in: text, tokens[place.token - 1] == .deepFolders)
      {
        (star, deep) = (nil, next)
      } else {
        return false
      }
      guard let place = star ?? deep else { return false }
      (token, index) = (place.token, place.index)
    }
  }

  /// Where matching goes on after a star that takes one byte more.
  private struct Resumption {
    let token: Int
    let index: Int

    func oneOn(in text: UnsafeBufferPointer<UInt8>) -> Resumption? {
      guard index < text.count, text[index] != UInt8(ascii: "/") else { return nil }
      return Resumption(token: token, index: index + 1)
    }

    func further(in text: UnsafeBufferPointer<UInt8>, _ byFolders: Bool) -> Resumption? {
      guard index < text.count else { return nil }
      guard byFolders else { return Resumption(token: token, index: index + 1) }
      guard let slash = text[index...].firstIndex(of: UInt8(ascii: "/")) else { return nil }
      return Resumption(token: token, index: slash + 1)
    }
  }
}

extension Glob.Token {
  fileprivate func accepts(_ byte: UInt8) -> Bool {
    switch self {
    case .byte(let wanted): byte == wanted
    case .anyByte: byte != UInt8(ascii: "/")
    case .set(let set): byte != UInt8(ascii: "/") && set.contains(byte)
    case .star, .deep, .deepFolders: false
    }
  }
}
