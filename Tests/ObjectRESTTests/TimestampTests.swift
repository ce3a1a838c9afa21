import ObjectREST
import Testing

@Suite("Timestamps")
struct TimestampTests {
  private let moment: Int64 = 1_716_539_415_000_000_000

  @Test(
    "The forms that services write mean the same moment",
    arguments: [
      "2024-05-24T08:30:15Z", "2024-05-24T08:30:15.000Z", "20240524T083015Z",
    ])
  func iso(text: String) {
    #expect(Timestamps.iso8601(text.utf8) == moment)
  }

  @Test("Fractions count, to the nanosecond")
  func fractions() {
    #expect(Timestamps.iso8601("2024-05-24T08:30:15.25Z".utf8) == moment + 250_000_000)
    #expect(Timestamps.iso8601("2024-05-24T08:30:15.0000000019Z".utf8) == moment + 1)
  }

  @Test("HTTP dates are read")
  func http() {
    #expect(Timestamps.rfc1123("Fri, 24 May 2024 08:30:15 GMT".utf8) == moment)
    #expect(Timestamps.rfc1123("Thu, 01 Jan 1970 00:00:00 GMT".utf8) == 0)
    #expect(Timestamps.rfc1123("Thu, 29 Feb 2024 23:59:60 GMT".utf8) == 1_709_251_200_000_000_000)
  }

  @Test(
    "What is no date is refused",
    arguments: [
      "", "2024-05-24", "2024-05-24T08:30:15", "2024-13-01T00:00:00Z", "2023-02-29T00:00:00Z",
      "2024-05-24T24:00:00Z",
      "2024-05-24T08:30:15.Z", "2024-05-24T08:30:15Z ", "20240524T08:30:15Z", "9999-01-01T00:00:00Z",
      "2024-00-10T00:00:00Z", "2024-01-00T00:00:00Z",
    ])
  func notISO(text: String) {
    #expect(Timestamps.iso8601(text.utf8) == nil)
  }

  @Test(
    "What is no HTTP date is refused",
    arguments: [
      "", "Friday, 24 May 2024 08:30:15 GMT", "Fri, 24 May 2024 08:30:15 CEST",
      "Fri, 31 Feb 2024 08:30:15 GMT",
      "Fri, 24 Mai 2024 08:30:15 GMT", "Fri, 4 May 2024 08:30:15 GMT",
    ])
  func notHTTP(text: String) {
    #expect(Timestamps.rfc1123(text.utf8) == nil)
  }

  @Test(
    "A moment is written as signatures want it, and read back",
    arguments: [
      (0, "19700101T000000Z"), (1_709_251_199_999_999_999, "20240229T235959Z"),
      (951_782_400_000_000_000, "20000229T000000Z"), (-1, "19691231T235959Z"),
      (4_107_542_400_000_000_000, "21000301T000000Z"),
    ] as [(Int64, String)])
  func basic(nanoseconds: Int64, text: String) {
    #expect(Timestamps.basic(nanoseconds) == text)
    #expect(Timestamps.iso8601(text.utf8).map(Timestamps.basic) == text)
  }
}
