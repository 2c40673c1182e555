import Testing

@testable import PrivacyMap

@Suite struct CalendarIntervalTests {
  @Test(arguments: [
    ("day", "2026-11-21", "2026-11-21"), ("week", "2026-11-21", "2026-11-16"),
    ("week", "2026-11-16", "2026-11-16"), ("week", "2026-11-15", "2026-11-09"),
    ("week", "2027-01-01", "2026-12-28"), ("week", "1969-12-31", "1969-12-29"),
    ("week", "1969-12-28", "1969-12-22"), ("month", "2024-02-29", "2024-02-01"),
    ("month", "2026-12-31", "2026-12-01"), ("year", "2026-11-21", "2026-01-01"),
  ])
  func `a day belongs to the interval that began last`(name: String, day: String, start: String)
    throws
  {
    let interval = try #require(CalendarInterval(rawValue: name))
    #expect(interval.start(of: try #require(Day(text: day))).text == start)
  }

  @Test(arguments: [
    ("day", "2024-02-28", 2, "2024-03-01"), ("week", "2026-12-28", 1, "2027-01-04"),
    ("month", "2026-12-01", 1, "2027-01-01"), ("month", "2026-01-01", -2, "2025-11-01"),
    ("year", "2024-01-01", 3, "2027-01-01"), ("year", "2024-01-01", 0, "2024-01-01"),
  ])
  func `intervals follow one another`(
    name: String, start: String, count: Int, expected: String
  ) throws {
    let interval = try #require(CalendarInterval(rawValue: name))
    let day = try #require(Day(text: start))
    #expect(interval.start(count, after: day).text == expected)
  }

  @Test(arguments: CalendarInterval.allCases)
  func `every day of thirty years is in one interval`(interval: CalendarInterval) {
    var start = interval.start(of: Day(daysSinceEpoch: 10_957))
    for number in Int32(10_957)..<21_900 {
      let day = Day(daysSinceEpoch: number)
      let next = interval.start(1, after: start)
      if day == next { start = next }
      #expect(interval.start(of: day) == start)
    }
  }
}
