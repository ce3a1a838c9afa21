/// Lower-case hexadecimal, two digits a byte.
public func hexText(_ bytes: some Collection<UInt8>) -> String {
  String(unsafeUninitializedCapacity: bytes.count * 2) { text in
    var position = 0
    // Whatever the type is, an array's bytes are read without a call for each.
    for byte in Array(bytes) {
      text[position] = hexDigit(byte >> 4)
      text[position + 1] = hexDigit(byte & 0xF)
      position += 2
    }
    return position
  }
}

/// The bytes that hexadecimal digits of either case stand for.
///
/// - Returns: nil for an odd number of digits, or anything else among them.
public func hexBytes(_ text: some Collection<UInt8>) -> [UInt8]? {
  guard text.count.isMultiple(of: 2) else { return nil }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.count / 2)
  var digits = text.makeIterator()
  while let high = digits.next(), let low = digits.next() {
    guard let high = hexValue(high), let low = hexValue(low) else { return nil }
    bytes.append(high << 4 | low)
  }
  return bytes
}

public func hexBytes(_ text: String) -> [UInt8]? {
  hexBytes(text.utf8)
}

/// Base64 (RFC 4648, section 4) with padding, on one line.
public func base64Text(_ bytes: some Collection<UInt8>) -> String {
  String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
    var position = 0
    var rest = Array(bytes).makeIterator()
    while let first = rest.next() {
      let second = rest.next()
      let third = second == nil ? nil : rest.next()
      let group = UInt32(first) << 16 | UInt32(second ?? 0) << 8 | UInt32(third ?? 0)
      text[position] = base64Digit(group >> 18)
      text[position + 1] = base64Digit(group >> 12)
      text[position + 2] = second == nil ? base64Padding : base64Digit(group >> 6)
      text[position + 3] = third == nil ? base64Padding : base64Digit(group)
      position += 4
    }
    return position
  }
}

/// The bytes that base64 (RFC 4648, section 4) stands for.
///
/// - Returns: nil unless the text is whole groups of four with their padding, of the standard alphabet, with no line
///   breaks and with no stray bits behind the last byte: each byte sequence has one text.
public func base64Bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
  guard text.count.isMultiple(of: 4) else { return nil }
  let padding = text.suffix(2).reversed().prefix { $0 == base64Padding }.count
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.count / 4 * 3)
  var bits: UInt32 = 0
  var bitCount = 0
  for digit in text.dropLast(padding) {
    guard let value = base64Value(digit) else { return nil }
    bits = bits << 6 | value
    bitCount += 6
    if bitCount >= 8 {
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
      bits &= (1 << bitCount) - 1
    }
  }
  return bits == 0 ? bytes : nil
}

public func base64Bytes(_ text: String) -> [UInt8]? {
  base64Bytes(text.utf8)
}

private func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? value + UInt8(ascii: "0") : value - 10 + UInt8(ascii: "a")
}

/// The value of one hexadecimal digit, of either case.
public func hexValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}

private var base64Padding: UInt8 { UInt8(ascii: "=") }

/// The digit of the lowest six bits.
private func base64Digit(_ bits: UInt32) -> UInt8 {
  let value = UInt8(bits & 0x3F)
  return switch value {
  case 0..<26: value + UInt8(ascii: "A")
  case 26..<52: value - 26 + UInt8(ascii: "a")
  case 52..<62: value - 52 + UInt8(ascii: "0")
  case 62: UInt8(ascii: "+")
  default: UInt8(ascii: "/")
  }
}

private func base64Value(_ digit: UInt8) -> UInt32? {
  switch digit {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
  case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
  case UInt8(ascii: "+"): 62
  case UInt8(ascii: "/"): 63
  default: nil
  }
}
