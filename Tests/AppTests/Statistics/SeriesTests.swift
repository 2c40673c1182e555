@testable import Devices
import JSON
import PrivacyMap
import SpatialDatabase
import Testing
import WebServer

/// Events by interval; the clock is at 2026-11-21T12:00:00Z.
@Suite struct SeriesTests {
  let app: TestApp

  init() throws {
    app = try TestApp()
  }

  /// Three devices: one of June, confirmed in July and August; one of June, removed in September;
  /// one of October that was not a device.
  private func story() throws {
    app.clock.set("2026-06-30T23:59:59Z")
    let camera = try app.device(.cameraFixed)
    let beacon = try app.device(.beacon)
    for moment in ["2026-07-10T10:00:00Z", "2026-08-20T10:00:00Z"] {
      app.clock.set(moment)
      try app.edit(camera) { $0.columns.append(("last_confirmed", .text(moment))) }
    }
    app.clock.set("2026-09-05T00:00:00Z")
    try app.edit(beacon) { $0.columns.append(("status", "removed")) }
    app.clock.set("2026-10-01T00:00:00Z")
    let toy = try app.device("toy")
    app.clock.set("2026-10-02T00:00:00Z")
    try app.edit(toy) { $0.columns.append(("status", "not_a_device")) }
    app.clock.set("2026-11-21T12:00:00Z")
  }

  @Test func `months count added, confirmed, removed and existing devices without gaps`() throws {
    try story()
    let found = try app.statistics([("interval", "month")])
    #expect(
      found.starts == [
        "2026-06-01", "2026-07-01", "2026-08-01", "2026-09-01", "2026-10-01", "2026-11-01",
      ])
    #expect(found.column("added") == [2, 0, 0, 0, 0, 0])
    #expect(found.column("confirmed") == [0, 0, 1, 0, 0, 0])
    #expect(found.column("removed") == [0, 0, 0, 1, 0, 0])
    #expect(found.column("standing") == [2, 2, 2, 1, 1, 1])
    #expect(found.total == 1)
    #expect(found.json["from"] == "2026-06-01" && found.json["to"] == "2026-11-30")
    #expect(found.json["time_zone"] == "UTC")
    #expect(found.json["series"]?.arrayValue?.first?["end"] == "2026-06-30")
  }

  @Test func `a window begins with the devices that existed before it`() throws {
    try story()
    let found = try app.statistics([
      ("interval", "month"), ("from", "2026-08-31"), ("to", "2026-09-01T08:00:00+02:00"),
    ])
    #expect(found.starts == ["2026-08-01", "2026-09-01"])
    #expect(found.column("added") == [0, 0])
    #expect(found.column("standing") == [2, 1])
  }

  @Test func `weeks begin on Monday and years with January`() throws {
    try story()
    let weeks = try app.statistics([("interval", "week"), ("from", "2026-11-15")])
    #expect(weeks.starts == ["2026-11-09", "2026-11-16"])
    let years = try app.statistics([("interval", "year"), ("from", "2024-05-05")])
    #expect(years.starts == ["2024-01-01", "2025-01-01", "2026-01-01"])
    #expect(years.column("standing") == [0, 0, 1])
  }

  @Test func `two days without an interval are one, to the day`() throws {
    try story()
    let until = try app.statistics([("from", "2026-06-30"), ("to", "2026-09-04")])
    #expect(until.column("added") == [2])
    #expect(until.column("removed") == [0])
    let after = try app.statistics([("from", "2026-07-01"), ("to", "2026-09-05")])
    #expect(after.column("added") == [0])
    #expect(after.column("removed") == [1])
    #expect(after.column("standing") == [1])
    #expect(after.json["interval"] == .null)
    #expect(after.json["series"]?.arrayValue?.first?["end"] == "2026-09-05")
  }

  @Test func `the series ends today, and has at most 366 days`() throws {
    app.clock.set("2020-01-01T00:00:00Z")
    try app.device()
    app.clock.set("2026-11-21T12:00:00Z")
    let found = try app.statistics([("interval", "day"), ("to", "2030-01-01")])
    #expect(found.starts.count == 366)
    #expect(found.starts.last == "2026-11-21")
    #expect(found.column("standing") == Array(repeating: 1, count: 366))
  }

  @Test func `without a device there is one empty interval`() throws {
    let found = try app.statistics([("interval", "month")])
    #expect(found.starts == ["2026-11-01"])
    #expect(found.column("standing") == [0])
    #expect(try app.statistics([("interval", "month"), ("group_by", "zone")]).starts == [])
  }

  @Test func `groups have their own intervals, including removed devices`() throws {
    try story()
    let found = try app.statistics([
      ("interval", "month"), ("from", "2026-09-01"), ("group_by", "category"),
    ])
    let rows = (found.json["series"]?.arrayValue ?? []).map {
      "\($0["category"]?.stringValue ?? "-") \($0["start"]?.stringValue ?? "") "
        + "\($0["standing"]?.intValue ?? -1)"
    }
    #expect(
      rows == [
        "beacon 2026-09-01 0", "beacon 2026-10-01 0", "beacon 2026-11-01 0",
        "camera_fixed 2026-09-01 1", "camera_fixed 2026-10-01 1", "camera_fixed 2026-11-01 1",
      ])
    #expect(try found.counts("category") == ["camera_fixed": 1])
  }

  @Test func `a status in the filter selects devices of all times`() throws {
    try story()
    let removed = try app.statistics([
      ("interval", "month"), ("from", "2026-08-01"), ("to", "2026-09-30"), ("status", "removed"),
    ])
    #expect(removed.total == 1)
    #expect(removed.column("standing") == [1, 0])
    let never = try app.statistics([
      ("interval", "month"), ("from", "2026-10-01"), ("status", "not_a_device"),
    ])
    #expect(never.column("added") == [1, 0])
    #expect(never.column("removed") == [1, 0])
  }

  @Test func `a restored device counts as never removed`() throws {
    let device = try app.device()
    try app.edit(device) { $0.columns.append(("status", "removed")) }
    #expect(try app.statistics([("interval", "day")]).column("removed") == [1])
    #expect(try app.text("SELECT ended_at FROM device") == "2026-11-21T12:00:00Z")
    app.clock.advance(by: .seconds(60))
    try app.edit(device) { $0.columns.append(("status", "not_a_device")) }
    #expect(try app.text("SELECT ended_at FROM device") == "2026-11-21T12:00:00Z")
    try app.edit(device) { $0.columns.append(("status", "reported")) }
    #expect(try app.statistics([("interval", "day")]).column("removed") == [0])
    #expect(try app.text("SELECT ended_at FROM device") == nil)
  }

  @Test func `the days of a filter that SQL evaluates are the same`() throws {
    try story()
    for query in [("q", "device"), ("datetime", "1970-01-01T00:00:00Z/..")] {
      let found = try app.statistics([query, ("interval", "month")])
      #expect(found.column("standing") == [2, 2, 2, 1, 1, 1])
      #expect(found.total == 1)
    }
  }
}
