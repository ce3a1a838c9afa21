import Digests

/// Bytes as a piece of a URL: everything but `A-Za-z0-9-._~` becomes `%XX`, upper-case, as the V4 signatures want it
/// (RFC 3986, sections 2.1 and 2.3).
///
/// - Parameter keepingSlashes: `/` stays, as it does in the path of an object; in a query it does not.
public func percentEncoded(_ bytes: some Collection<UInt8>, keepingSlashes: Bool = false) -> String {
  String(unsafeUninitializedCapacity: bytes.count * 3) { text in
    var end = 0
    // Whatever the type is, an array's bytes are read without a call for each.
    for byte in Array(bytes) {
      if isUnreserved(byte) || (keepingSlashes && byte == UInt8(ascii: "/")) {
        text[end] = byte
        end += 1
      } else {
        text[end] = UInt8(ascii: "%")
        text[end + 1] = hexDigit(byte >> 4)
        text[end + 2] = hexDigit(byte & 0xF)
        end += 3
      }
    }
    return end
  }
}

public func percentEncoded(_ text: String, keepingSlashes: Bool = false) -> String {
  percentEncoded(text.utf8, keepingSlashes: keepingSlashes)
}

/// The bytes behind a percent-encoded text.
///
/// - Parameter plusIsSpace: S3 writes a space as `+` under `encoding-type=url`; to OSS a `+` is a `+`.
/// - Returns: nil where a `%` is not followed by two hexadecimal digits.
public func percentDecoded(_ text: some Sequence<UInt8>, plusIsSpace: Bool) -> [UInt8]? {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.underestimatedCount)
  var rest = text.makeIterator()
  while let byte = rest.next() {
    switch byte {
    case UInt8(ascii: "%"):
      guard let high = rest.next().flatMap(hexValue), let low = rest.next().flatMap(hexValue) else {
        return nil
      }
      bytes.append(high << 4 | low)
    case UInt8(ascii: "+") where plusIsSpace:
      bytes.append(UInt8(ascii: " "))
    default:
      bytes.append(byte)
    }
  }
  return bytes
}

private func isUnreserved(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
    UInt8(ascii: "~"):
    true
  default: false
  }
}

private func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? value + UInt8(ascii: "0") : value - 10 + UInt8(ascii: "A")
}
