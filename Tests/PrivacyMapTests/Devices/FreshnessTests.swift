import PrivacyMap
import Testing

@Suite struct FreshnessTests {
  private let today = Day(daysSinceEpoch: 20_000)

  @Test(
    arguments: [
      (-400, Freshness.stale), (-1, .stale), (0, .stale), (1, .due), (60, .due), (61, .fresh),
      (4_000, .fresh),
    ] as [(Int32, Freshness)])
  func `freshness follows from the days left`(days: Int32, freshness: Freshness) {
    let staleOn = Day(daysSinceEpoch: today.daysSinceEpoch + days)
    #expect(Freshness(staleOn: staleOn, today: today) == freshness)
  }

  @Test func `the last observation decides when a device becomes stale`() throws {
    let added = try #require(Day(text: "2026-05-31"))
    var fields = DeviceFields(name: "a", category: "other")
    #expect(fields.staleOn(after: 24, addedOn: added).text == "2028-05-31")
    fields.observedOn = Day(text: "2020-01-31")
    #expect(fields.staleOn(after: 1, addedOn: added).text == "2020-02-29")
    fields.lastConfirmed = Timestamp(text: "2025-03-03T23:59:59Z")
    #expect(fields.staleOn(after: 6, addedOn: added).text == "2025-09-03")
  }

  @Test func `a removed device or one that was none does not count as existing`() {
    #expect(DeviceStatus.standing == [.reported, .confirmed, .disputed])
  }
}
