/// The bytes that a bracket expression stands for.
struct ByteSet: Sendable, Hashable {
  private var words: SIMD4<UInt64> = .zero
  private var isNegated = false

  func contains(_ byte: UInt8) -> Bool {
    (words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1) != isNegated
  }

  private mutating func insert(_ byte: UInt8) {
    words[Int(byte >> 6)] |= 1 << UInt64(byte & 63)
  }

  /// Reads `[…]` as git does; `after` is where the bracket opens.
  ///
  /// - Returns: the set and the index past its end; nil where it isn't closed or names an unknown class.
  static func parse(_ pattern: [UInt8], after start: Int) -> (ByteSet, Int)? {
    var reader = Reader(pattern: pattern, index: start + 1)
    return reader.read().map { ($0, reader.index) }
  }

  private struct Reader {
    let pattern: [UInt8]
    var index: Int

    mutating func read() -> ByteSet? {
      var set = ByteSet()
      if peek() == UInt8(ascii: "!") || peek() == UInt8(ascii: "^") {
        set.isNegated = true
        index += 1
      }
      /// The byte that a `-` would continue from; none after a range or a class.
      var previous: UInt8?
      // A `]` right at the start is a member.
      repeat {
        guard let byte = peek() else { return nil }
        if byte == UInt8(ascii: "-"), let low = previous, let high = peek(1), high != UInt8(ascii: "]") {
          index += 1
          guard let high = member() else { return nil }
          if low <= high { (low...high).forEach { set.insert($0) } }
          previous = nil
        } else if byte == UInt8(ascii: "["), peek(1) == UInt8(ascii: ":"), let end = endOfClass() {
          guard let end, insertClass(pattern[(index + 2)..<(end - 1)], into: &set) else { return nil }
          index = end + 1
          previous = nil
        } else {
          guard let member = member() else { return nil }
          set.insert(member)
          previous = member
        }
      } while peek() != UInt8(ascii: "]")
      index += 1
      return set
    }

    private func peek(_ offset: Int = 0) -> UInt8? {
      index + offset < pattern.count ? pattern[index + offset] : nil
    }

    /// One byte, or the one after a backslash.
    private mutating func member() -> UInt8? {
      if peek() == UInt8(ascii: "\\") { index += 1 }
      defer { index += 1 }
      return peek()
    }

    /// Where the `]` of `[:name:]` is. Outer nil where the next `]` has no `:` before it, and the bracket is a member
    /// like any other; inner nil where no `]` comes.
    private func endOfClass() -> Int?? {
      guard let end = pattern[(index + 2)...].firstIndex(of: UInt8(ascii: "]")) else { return .some(nil) }
      return end > index + 2 && pattern[end - 1] == UInt8(ascii: ":") ? .some(end) : nil
    }

    /// The classes of POSIX in the C locale, as git has them.
    private func insertClass(_ name: ArraySlice<UInt8>, into set: inout ByteSet) -> Bool {
      let digits = Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
      let upper = Array(UInt8(ascii: "A")...UInt8(ascii: "Z")),
        lower = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
      let members: [UInt8]
      switch String(decoding: name, as: UTF8.self) {
      case "alnum": members = digits + upper + lower
      case "alpha": members = upper + lower
      case "blank": members = Array(" \t".utf8)
      case "cntrl": members = Array(0..<0x20) + [0x7f]
      case "digit": members = digits
      case "graph": members = Array(0x21...0x7e)
      case "lower": members = lower
      case "print": members = Array(0x20...0x7e)
      case "punct":
        members = (0x21...0x7e).filter { !(digits + upper + lower).contains($0) }
      case "space": members = Array(" \t\n\u{b}\u{c}\r".utf8)
      case "upper": members = upper
      case "xdigit": members = digits + Array("abcdefABCDEF".utf8)
      default: return false
      }
      members.forEach { set.insert($0) }
      return true
    }
  }
}
