import Foundation

/// Numbers as people read them. Powers of 1024, as the sizes of parts are.
enum Units {
  static func bytes(_ count: Int64) -> String {
    let names = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]
    var value = Double(count)
    var index = 0
    while value >= 1024, index < names.count - 1 {
      value /= 1024
      index += 1
    }
    return index == 0 ? "\(count) B" : decimal(value) + " " + names[index]
  }

  /// A size that something is bounded by, as far as it is a bound.
  static func limit(_ size: Int64) -> String {
    size >= 1 << 60 ? "of any size" : "up to \(bytes(size))"
  }

  static func seconds(_ seconds: Double) -> String {
    if seconds < 60 { return decimal(seconds) + " s" }
    let whole = Int64(seconds.rounded())
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    return hours > 0 ? "\(hours) h \(minutes) min" : "\(minutes) min \(whole % 60) s"
  }

  static func count(_ count: Int64, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }

  /// One digit behind the point, by the POSIX locale.
  private static func decimal(_ value: Double) -> String {
    let tenths = Int64((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// ISO 8601 in UTC with milliseconds.
  static func time(_ nanoseconds: Int64) -> String {
    var seconds = time_t(nanoseconds / 1_000_000_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func padded(_ number: Int64, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let date = [Int64(parts.tm_year) + 1900, Int64(parts.tm_mon) + 1, Int64(parts.tm_mday)].map {
      padded($0, 2)
    }
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int64($0), 2) }
    return date.joined(separator: "-") + "T" + clock.joined(separator: ":") + "."
      + padded(nanoseconds / 1_000_000 % 1000, 3) + "Z"
  }
}
