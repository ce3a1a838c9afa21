/// A value or a name from the file as it appears in messages: quoted, on one line, and short enough to read.
func quoted(_ text: String) -> String {
  let longest = 100
  var shown = "\""
  for scalar in text.unicodeScalars.prefix(longest) {
    switch scalar {
    case "\"": shown += "\\\""
    default: shown += oneLine(scalar)
    }
  }
  return shown + (text.unicodeScalars.count > longest ? "…\"" : "\"")
}

/// Text without line breaks or control characters, which are escaped: a key can neither forge a line of a message
/// nor steer a terminal.
func oneLine(_ text: String) -> String {
  text.unicodeScalars.reduce(into: "") { $0 += oneLine($1) }
}

private func oneLine(_ scalar: Unicode.Scalar) -> String {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator:
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
  default: String(scalar)
  }
}

/// A URL's user and password (`https://user:password@host`) give way to `****`; other text stays as it is.
public func maskingUserinfo(_ text: String) -> String {
  var bytes = Array(text.utf8)
  var from = bytes.startIndex
  while let authority = authority(in: bytes[from...]) {
    guard let at = bytes[authority].lastIndex(of: UInt8(ascii: "@")) else {
      from = authority.upperBound
      continue
    }
    bytes.replaceSubrange(authority.lowerBound..<at, with: Array("****".utf8))
    from = authority.lowerBound + 5
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// What stands between `://` and the path, RFC 3986 section 3.2.
private func authority(in bytes: ArraySlice<UInt8>) -> Range<Int>? {
  guard let scheme = bytes.firstRange(of: Array("://".utf8)) else { return nil }
  let end = bytes[scheme.upperBound...].firstIndex { Array("/?# \t\n\r".utf8).contains($0) }
  return scheme.upperBound..<(end ?? bytes.endIndex)
}

/// A JSON string literal, which YAML reads as the same text: what YAML takes for a line break is escaped too.
public func jsonString(_ text: String) -> String {
  var json = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": json += "\\\""
    case "\\": json += "\\\\"
    case "\n": json += "\\n"
    case "\r": json += "\\r"
    case "\t": json += "\\t"
    case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}":
      let hexadecimal = String(scalar.value, radix: 16)
      json += "\\u" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
    default: json.unicodeScalars.append(scalar)
    }
  }
  return json + "\""
}
