/// Moments as Int64 nanoseconds since 1970, in the three forms that object stores write. All are UTC.
public enum Timestamps {
  /// `20240524T083015Z`, as the V4 signatures want it.
  public static func basic(_ nanoseconds: Int64) -> String {
    let seconds = floorDivide(nanoseconds, 1_000_000_000)
    let days = floorDivide(seconds, 86_400)
    let second = seconds - days * 86_400
    let (year, month, day) = date(ofDay: days)
    return padded(year, 4) + padded(month, 2) + padded(day, 2) + "T" + padded(second / 3600, 2)
      + padded(second / 60 % 60, 2) + padded(second % 60, 2) + "Z"
  }

  /// ISO 8601, extended (`2024-05-24T08:30:15Z`, also with a fraction) or basic (`20240524T083015Z`).
  ///
  /// - Returns: nil for anything else, and beyond the years 1678 … 2261.
  public static func iso8601(_ text: some Sequence<UInt8>) -> Int64? {
    var scanner = Scanner(text)
    guard let year = scanner.number(4) else { return nil }
    let isExtended = scanner.skip("-")
    guard let month = scanner.number(2), scanner.skip(isExtended ? "-" : ""), let day = scanner.number(2),
      scanner.skip("T"), let hour = scanner.number(2), scanner.skip(isExtended ? ":" : ""),
      let minute = scanner.number(2), scanner.skip(isExtended ? ":" : ""), let second = scanner.number(2)
    else { return nil }
    let fraction = scanner.skip(".") ? scanner.fraction() : 0
    guard let fraction, scanner.skip("Z"), scanner.isAtEnd else { return nil }
    return moment(year, month, day, hour, minute, second, fraction)
  }

  /// The form of HTTP's Date and Last-Modified: `Fri, 24 May 2024 08:30:15 GMT` (RFC 9110, section 5.6.7).
  public static func rfc1123(_ text: some Sequence<UInt8>) -> Int64? {
    var scanner = Scanner(text)
    guard scanner.skipLetters(3), scanner.skip(", "), let day = scanner.number(2), scanner.skip(" "),
      let month = scanner.month(), scanner.skip(" "), let year = scanner.number(4), scanner.skip(" "),
      let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2), scanner.skip(":"),
      let second = scanner.number(2), scanner.skip(" GMT"), scanner.isAtEnd
    else { return nil }
    return moment(year, month, day, hour, minute, second, 0)
  }
}

// MARK: - The calendar

extension Timestamps {
  private static func moment(
    _ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int64, _ minute: Int64, _ second: Int64,
    _ fraction: Int64
  ) -> Int64? {
    let days = dayNumber(year, month, day)
    // 60 is a leap second, which counts as the first of the next minute.
    guard hour < 24, minute < 60, second <= 60, date(ofDay: days) == (year, month, day) else { return nil }
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowToo) = nanoseconds.addingReportingOverflow(fraction)
    return overflow || overflowToo ? nil : sum
  }

  /// Days since 1970 of a date of the Gregorian calendar. Years are counted from 1 March, so that the leap day is the last of its year and an
  /// era of 400 years always has 146,097 days.
  private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let marchYear = month > 2 ? year : year - 1
    let era = floorDivide(marchYear, 400)
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(ofDay number: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = number + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

// MARK: - Reading

extension Timestamps {
  private struct Scanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: some Sequence<UInt8>) {
      rest = Array(text)[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Exactly `width` digits.
    mutating func number(_ width: Int) -> Int64? {
      let digits = rest.prefix(width)
      guard digits.count == width, digits.allSatisfy(isDigit) else { return nil }
      rest = rest.dropFirst(width)
      return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// The digits after the point, as nanoseconds; what lies below one is dropped.
    mutating func fraction() -> Int64? {
      let digits = rest.prefix(while: isDigit)
      guard !digits.isEmpty else { return nil }
      rest = rest.dropFirst(digits.count)
      let kept = digits.prefix(9).reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
      return (digits.count..<max(9, digits.count)).reduce(kept) { value, _ in value * 10 }
    }

    mutating func skip(_ text: String) -> Bool {
      guard rest.starts(with: text.utf8) else { return false }
      rest = rest.dropFirst(text.utf8.count)
      return true
    }

    mutating func skipLetters(_ count: Int) -> Bool {
      let letters = rest.prefix(count)
      guard letters.count == count, letters.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) }) else {
        return false
      }
      rest = rest.dropFirst(count)
      return true
    }

    mutating func month() -> Int64? {
      let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
      guard let index = names.firstIndex(where: { rest.starts(with: $0.utf8) }) else { return nil }
      rest = rest.dropFirst(3)
      return Int64(index + 1)
    }

    private func isDigit(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
  }
}
