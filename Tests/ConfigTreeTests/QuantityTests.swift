import ConfigTree
import Testing

@Suite("Sizes, rates and durations")
struct QuantityTests {
  let context = ConfigContext(environment: { _ in nil }, baseDirectory: "/")

  @Test(
    "a size is a number of bytes or has a unit",
    arguments: [
      ("0", 0), ("8388608", 8_388_608), ("1B", 1), ("512KB", 512_000), ("512kB", 512_000), ("8MiB", 8 << 20),
      ("8 MiB", 8 << 20), ("1GB", 1_000_000_000), ("1.5GiB", 3 << 29), ("0.1KB", 100), ("1.1MiB", 1_153_433),
      ("2TiB", 2 << 40), ("7PB", 7_000_000_000_000_000), ("9223372036854775807", Int64.max),
    ])
  func sizes(text: String, bytes: Int64) {
    #expect(ConfigType<Int64>.size.parse(text, context) == bytes)
  }

  @Test(
    "what is no size is none",
    arguments: [
      "", "B", "MiB", "-1", "+1", "8M", "8mib", "1.5", "1.5B", "1..5KB", ".5KB", "5.KB", "1e3", "0x10",
      "8  MiB",
      " 8MiB", "8MiB ", "9223372036854775808", "8192PiB", "٣MB", "1_000", "8MiB/s",
    ])
  func noSizes(text: String) {
    #expect(ConfigType<Int64>.size.parse(text, context) == nil)
  }

  @Test("a rate is bytes per second, with or without /s, and more than nothing")
  func rates() {
    let rate = ConfigType<Int64>.rate
    #expect(rate.parse("10MB/s", context) == 10_000_000)
    #expect(rate.parse("10MB", context) == 10_000_000)
    #expect(rate.parse("512", context) == 512)
    for text in ["0", "0MB/s", "/s", "10MB/m", "10MB/s/s", "10Mbit/s"] {
      #expect(rate.parse(text, context) == nil, "\(text)")
    }
  }

  @Test(
    "a duration has units, from large to small",
    arguments: [
      ("30s", 30_000), ("5m", 300_000), ("36h", 129_600_000), ("2d", 172_800_000), ("500ms", 500),
      ("1h30m", 5_400_000), ("1m500ms", 60_500), ("0s", 0), ("1.5s", 1500),
    ])
  func durations(text: String, milliseconds: Int64) {
    #expect(ConfigType<Duration>.duration.parse(text, context) == .milliseconds(milliseconds))
  }

  @Test(
    "what is no duration is none",
    arguments: ["", "30", "s", "-5s", "5 m", "30m1h", "1h1h", "5sx", "1w", "99999999999999999d", "5s\u{308}"])
  func noDurations(text: String) {
    #expect(ConfigType<Duration>.duration.parse(text, context) == nil)
  }

  @Test("bytes print in the largest unit that needs no fraction, and read back as they were")
  func sizeTexts() {
    #expect(sizeText(8 << 20) == "8MiB")
    #expect(sizeText(512_000) == "500KiB")
    #expect(sizeText(5_000_000_000) == "5GB")
    #expect(sizeText(1001) == "1001")
    for bytes: Int64 in [0, 1, 999, 1024, 1_000_000, 5 << 30, Int64.max] {
      #expect(ConfigType<Int64>.size.parse(sizeText(bytes), context) == bytes)
    }
  }
}
