private enum Units {
  /// Units of bytes as IEC 80000-13 and SI have them: `KiB` is 1024, `KB` (or `kB`) 1000. Largest first.
  static let sizes: [(name: String, bytes: Int64)] = [
    ("PiB", 1 << 50), ("PB", 1_000_000_000_000_000), ("TiB", 1 << 40), ("TB", 1_000_000_000_000),
    ("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20), ("MB", 1_000_000),
    ("KiB", 1 << 10), ("KB", 1000), ("kB", 1000), ("B", 1),
  ]

  /// `ms` stands before `m`, so that it is not read as minutes.
  static let durations: [(name: String, milliseconds: Int64)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]
}

/// Bytes as the configuration would say them, in the largest unit that needs no fraction: 8388608 is `8MiB`.
public func sizeText(_ bytes: Int64) -> String {
  let unit = Units.sizes.first { bytes != 0 && bytes % $0.bytes == 0 && $0.bytes > 1 }
  return unit.map { "\(bytes / $0.bytes)\($0.name)" } ?? "\(bytes)"
}

extension ConfigType where Value == Int64 {
  /// `8MiB`, `512KB`, `1.5GB`, or a plain number of bytes; a fraction of a byte is dropped. 0 up to `Int64.max`.
  public static var size: Self {
    ConfigType("a size such as 8MiB, 512KB or 1GB", schema: quantitySchema(sizePattern)) {
      text, _ in
      bytes(text)
    }
  }

  /// Bytes per second: `10MB/s`, or the same without `/s`. At least 1.
  public static var rate: Self {
    ConfigType("a rate such as 10MB/s", schema: quantitySchema(sizePattern + "(/s)?")) { text, _ in
      bytes(text.utf8.hasSuffix("/s") ? String(text.dropLast(2)) : text).flatMap {
        $0 > 0 ? $0 : nil
      }
    }
  }

  private static var sizePattern: String { "[0-9]+([.][0-9]+)? ?([KMGTP]i?B|kB|B)?" }

  private static func quantitySchema(_ pattern: String) -> [String: String] {
    let text = "{\"type\": \"string\", \"pattern\": \(jsonString("^\(pattern)$"))}"
    return ["anyOf": "[{\"type\": \"integer\", \"minimum\": 0}, \(text)]"]
  }

  private static func bytes(_ text: String) -> Int64? {
    guard let unit = Units.sizes.first(where: { text.utf8.hasSuffix($0.name) }) else {
      return Quantity(text[...]).flatMap { $0.isWhole ? $0.times(1) : nil }
    }
    var number = text.dropLast(unit.name.count)
    if number.last == " " { number = number.dropLast() }
    guard let quantity = Quantity(number), unit.bytes > 1 || quantity.isWhole else { return nil }
    return quantity.times(unit.bytes)
  }
}

extension ConfigType where Value == Duration {
  /// `30s`, `5m`, `36h`, `2d`, `500ms`, or several together from large to small: `1h30m`.
  public static var duration: Self {
    let pattern = jsonString("^([0-9]+([.][0-9]+)?(ms|s|m|h|d))+$")
    let schema = ["type": "\"string\"", "pattern": pattern]
    return ConfigType("a duration such as 30s, 5m, 36h or 2d", schema: schema) { text, _ in
      milliseconds(text).map(Duration.milliseconds)
    }
  }

  private static func milliseconds(_ text: String) -> Int64? {
    var rest = text[...]
    var total: Int64 = 0
    var smallest = Int64.max
    repeat {
      let number = Substring(
        rest.utf8.prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
      rest = Substring(rest.utf8.dropFirst(number.utf8.count))
      guard let unit = Units.durations.first(where: { rest.utf8.starts(with: $0.name.utf8) }),
        unit.milliseconds < smallest, let quantity = Quantity(number)?.times(unit.milliseconds)
      else { return nil }
      rest = Substring(rest.utf8.dropFirst(unit.name.utf8.count))
      smallest = unit.milliseconds
      let (sum, overflows) = total.addingReportingOverflow(quantity)
      guard !overflows else { return nil }
      total = sum
    } while !rest.isEmpty
    return total
  }
}

/// A decimal number, exact: `1.5` is 15 over 10.
private struct Quantity {
  let digits: Int64
  let divisor: Int64

  /// - Returns: nil for anything but digits with at most one point between them.
  init?(_ text: Substring) {
    let halves = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(halves.count) else { return nil }
    let isDigits = halves.allSatisfy { half in
      !half.isEmpty && half.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard isDigits, let digits = Int64(halves.joined()) else { return nil }
    let decimals = halves.count == 2 ? halves[1].utf8.count : 0
    guard decimals <= 9 else { return nil }
    self.digits = digits
    divisor = (0..<decimals).reduce(1) { product, _ in product * 10 }
  }

  var isWhole: Bool { divisor == 1 }

  /// - Returns: nil beyond 64 bits.
  func times(_ unit: Int64) -> Int64? {
    let product = digits.multipliedFullWidth(by: unit)
    guard product.high < divisor else { return nil }
    let quotient = UInt64(divisor).dividingFullWidth((UInt64(product.high), product.low)).quotient
    return Int64(exactly: quotient)
  }
}

extension String.UTF8View {
  fileprivate func hasSuffix(_ suffix: String) -> Bool {
    reversed().starts(with: suffix.utf8.reversed())
  }
}
