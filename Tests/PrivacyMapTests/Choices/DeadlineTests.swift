import JSON
import PrivacyMap
import Testing

/// The ends of periods, by docs/reference/rights.md.
@Suite struct DeadlineTests {
  private func end(
    _ period: Period, _ received: String, holidays: [String] = []
  ) throws -> String {
    let rule = DeadlineRule(holidays: Set(holidays.compactMap { Day(text: $0) }))
    return rule.end(of: period, from: try #require(Day(text: received))).text
  }

  @Test func `every worked example ends on its day`() throws {
    let examples = try SharedExamples.examples("deadline-examples")
    #expect(examples.count > 10)
    for example in examples {
      let received = try #require(Day(text: example["received"]?.stringValue ?? ""))
      let rule = try SharedExamples.rule(of: example["country"]?.stringValue ?? "")
      #expect(
        rule.end(of: .months(1), from: received).text == example["due"]?.stringValue,
        "\(example["why"]?.stringValue ?? "")")
      #expect(
        rule.end(of: .months(3), from: received).text == example["extended"]?.stringValue,
        "\(example["why"]?.stringValue ?? "")")
    }
  }

  @Test func `a month ends on the same day of the next month`() throws {
    #expect(try end(.months(1), "2026-09-30") == "2026-10-30")
    #expect(try end(.months(1), "2026-10-01") == "2026-11-02")
    #expect(try end(.months(1), "2026-12-15") == "2027-01-15")
  }

  @Test func `a month without that date ends on its last day`() throws {
    #expect(try end(.months(1), "2025-01-27") == "2025-02-27")
    #expect(try end(.months(1), "2025-01-28") == "2025-02-28")
    #expect(try end(.months(1), "2025-01-29") == "2025-02-28")
    #expect(try end(.months(1), "2025-01-31") == "2025-02-28")
    #expect(try end(.months(1), "2025-02-01") == "2025-03-03")
    #expect(try end(.months(1), "2028-01-28") == "2028-02-28")
    #expect(try end(.months(1), "2028-01-29") == "2028-02-29")
    #expect(try end(.months(1), "2028-01-31") == "2028-02-29")
    #expect(try end(.months(1), "2026-08-31") == "2026-09-30")
  }

  @Test func `only one of four century years is a leap year`() throws {
    #expect(try end(.months(1), "2100-01-29") == "2100-03-01")
    #expect(try end(.months(1), "2000-01-29") == "2000-02-29")
  }

  @Test func `an extension is counted from the day of receipt`() throws {
    #expect(try end(.months(3), "2027-01-31") == "2027-04-30")
    #expect(try end(.months(3), "2026-11-30") == "2027-03-01")
    #expect(try end(.months(3), "2027-11-30") == "2028-02-29")
  }

  @Test func `a period that would end on a weekend ends on Monday`() throws {
    #expect(try end(.months(1), "2026-09-16") == "2026-10-16")
    #expect(try end(.months(1), "2026-09-17") == "2026-10-19")
    #expect(try end(.months(1), "2026-09-18") == "2026-10-19")
    #expect(try end(.months(1), "2026-09-19") == "2026-10-19")
    #expect(try end(.months(1), "2026-09-20") == "2026-10-20")
  }

  @Test func `a period that would end on a holiday ends on the next working day`() throws {
    #expect(try end(.months(1), "2026-11-24", holidays: ["2026-12-25"]) == "2026-12-24")
    #expect(try end(.months(1), "2026-11-25", holidays: ["2026-12-25"]) == "2026-12-28")
    #expect(
      try end(.months(1), "2026-11-25", holidays: ["2026-12-25", "2026-12-28"]) == "2026-12-29")
  }

  @Test func `a period in days is counted in days`() throws {
    #expect(try end(.days(1), "2026-11-23") == "2026-11-24")
    #expect(try end(.days(10), "2026-11-23") == "2026-12-03")
    #expect(try end(.days(5), "2026-11-23") == "2026-11-30")
  }

  @Test func `weekends are correct before and after 1970`() {
    #expect(Day(text: "1970-01-03")?.isWeekend == true)
    #expect(Day(text: "1970-01-04")?.isWeekend == true)
    #expect(Day(text: "1970-01-05")?.isWeekend == false)
    #expect(Day(text: "1970-01-02")?.isWeekend == false)
    #expect(Day(text: "1969-12-26")?.isWeekend == false)
    #expect(Day(text: "1969-12-27")?.isWeekend == true)
    #expect(Day(text: "1969-12-28")?.isWeekend == true)
    #expect(Day(text: "1969-12-29")?.isWeekend == false)
  }

  @Test func `periods read back as written, and other texts are refused`() {
    for text in ["P1M", "P3M", "P30D", "P3660D"] { #expect(Period(text: text)?.text == text) }
    for text in [
      "", "P", "PM", "P0M", "P-1M", "P1Y", "1M", "P1", "P3661D", "P99999D", "P1M2D", "P1.5M", "p1m",
    ] {
      #expect(Period(text: text) == nil, "\(text)")
    }
  }

  @Test func `months and days cannot be added to one period`() {
    #expect(Period.months(1).adding(.months(2)) == .months(3))
    #expect(Period.days(10).adding(.days(20)) == .days(30))
    #expect(Period.months(1).adding(.days(2)) == nil)
  }

  @Test func `only a letter by post has a delivery time`() throws {
    let assumed = try SharedExamples.json("seed/rights/rights.json")["assumed_receipt_days"]
    for channel in RequestChannel.ofRequests {
      #expect(assumed?[channel.rawValue]?.intValue == channel.assumedDaysToReceipt)
    }
    #expect(RequestChannel.post.assumedDaysToReceipt == 5)
  }
}
