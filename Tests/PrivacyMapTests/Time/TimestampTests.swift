import PrivacyMap
import Testing

@Suite struct TimestampTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-11-21T02:31:13Z", 1_795_228_273),
      ("2026-11-21T03:31:13.999+01:00", 1_795_228_273),
      ("2026-11-20t21:31:13-05:00", 1_795_228_273),
      ("1969-12-31T23:59:59Z", -1), ("2000-02-29T12:00:00z", 951_825_600),
      ("2016-12-31T23:59:60Z", 1_483_228_799), ("9999-12-31T23:59:59Z", 253_402_300_799),
      ("0000-01-01T00:00:00Z", -62_167_219_200),
    ] as [(String, Int64)])
  func `timestamps of RFC 3339 are read`(text: String, seconds: Int64) {
    #expect(Timestamp(text: text)?.secondsSinceEpoch == seconds)
  }

  @Test(arguments: [
    "", "2026-11-21", "2026-11-21T02:31Z", "2026-11-21T02:31:13", "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z", "2026-11-31T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T02:60:13Z",
    "2026-11-21T02:31:61Z", "2026-11-21T02:31:13.Z", "2026-11-21T02:31:13+1:00",
    "2026-11-21T02:31:13+24:00", "2026-11-21T02:31:13+0100", "2026-11-21T02:31:13ZZ",
    "+026-11-21T02:31:13Z", "２０２６-11-21T02:31:13Z", "2026-11-21T02:31:13Z ",
    " 2026-11-21T02:31:13Z",
    "2026-11-21T02:31:13." + String(repeating: "9", count: 30) + "Z", "1795228273",
  ])
  func `impossible timestamps are refused`(text: String) {
    #expect(Timestamp(text: text) == nil)
  }

  @Test(
    arguments: [
      0, -1, 86_399, 86_400, 951_825_600, 1_795_228_273, -62_167_219_200, 253_402_300_799,
    ] as [Int64])
  func `a timestamp is written as it is read`(seconds: Int64) {
    let moment = Timestamp(secondsSinceEpoch: seconds)
    #expect(Timestamp(text: moment.text) == moment)
    #expect(moment.text.hasPrefix(moment.day.text + "T"))
  }

  @Test func `an extreme timestamp is written without a fault`() {
    for seconds in [Int64.min, .max, -63_000_000_000_000, 63_000_000_000_000] {
      #expect(!Timestamp(secondsSinceEpoch: seconds).text.isEmpty)
    }
  }

  @Test func `timestamps sort by time`() {
    #expect(Timestamp(secondsSinceEpoch: -1) < Timestamp(secondsSinceEpoch: 0))
    #expect(Timestamp(startOf: Day(daysSinceEpoch: 1)).secondsSinceEpoch == 86_400)
  }
}

@Suite struct DayTests {
  @Test func `every day of four centuries reads back`() {
    for days in stride(from: Int32(-141_000), through: 141_000, by: 1) {
      let day = Day(daysSinceEpoch: days)
      let (year, month, number) = day.parts
      if Day(year: year, month: month, day: number) != day { Issue.record("\(days)") }
    }
    #expect(Day(text: "2026-11-21")?.text == "2026-11-21")
    #expect(Day(text: "0001-01-01")?.text == "0001-01-01")
  }

  @Test(arguments: [
    (2026, 2, 29), (2024, 2, 30), (1900, 2, 29), (2026, 4, 31), (2026, 0, 1), (2026, 13, 1),
    (2026, 1, 0), (2026, 1, 32), (-1, 1, 1), (10_000, 1, 1),
  ])
  func `impossible days are refused`(year: Int, month: Int, day: Int) {
    #expect(Day(year: year, month: month, day: day) == nil)
  }

  @Test(arguments: [
    "", "2026-1-1", "2026-11-21T", "20261121", "2026/11/21", "２０２６-11-21", "2026-11-2",
  ])
  func `other texts are not days`(text: String) {
    #expect(Day(text: text) == nil)
  }

  @Test(arguments: [
    ("2026-01-31", 1, "2026-02-28"), ("2024-01-31", 1, "2024-02-29"),
    ("2026-11-21", 24, "2028-11-21"),
    ("2024-02-29", 12, "2025-02-28"), ("2026-12-31", 1, "2027-01-31"),
    ("2026-03-31", -1, "2026-02-28"),
    ("2026-01-15", 0, "2026-01-15"), ("2026-01-15", -13, "2024-12-15"),
    ("2026-08-31", 6, "2027-02-28"),
  ])
  func `months are added, ending on the last day of a shorter month`(
    start: String, months: Int, end: String
  ) {
    #expect(Day(text: start)?.adding(months: months).text == end)
  }
}
