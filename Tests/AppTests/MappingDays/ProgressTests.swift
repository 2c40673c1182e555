@testable import App
@testable import Devices
import Foundation
import JSON
@testable import MappingDays
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// The contributions that count for a mapping day, and their public figures.
@Suite struct ProgressTests {
  let app: TestApp
  let ana: TestAccount
  let rui: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    rui = try app.account("rui")
  }

  /// The current figures, without the cache.
  private func progress(_ id: String) throws -> JSONValue {
    try app.app.mappingDays.finish()
    app.app.mappingDays.answers.forget()
    return try app.get(TestApp.day(id, "progress")).json
  }

  private func figures(_ id: String) throws -> [Int] {
    let found = try progress(id)
    return ["added", "confirmed", "photographed", "corrected"].map { found[$0]?.intValue ?? -1 }
  }

  /// Notes a change of a device, as every write does.
  private func noteChange(_ device: TestDevice) throws {
    try app.database.write { connection in
      try connection.execute(
        "INSERT INTO change (device_rowid, kind, changed_at) VALUES (?, 'changed', ?)",
        [.integer(device.rowid), .text(app.clock.now.text)])
    }
  }

  /// A day that runs, in which rui takes part.
  private func running() throws -> String {
    let id = try app.day(of: ana)
    app.join(id, rui)
    app.clock.advance(by: .seconds(3 * 3_600))
    try app.app.mappingDays.finish()
    return id
  }

  @Test func `each kind of contribution counts once for a device`() throws {
    let old = try app.device(name: "Old", longitude: 6.49, latitude: 46.49)
    let id = try running()
    _ = try app.device(by: rui, longitude: 6.5, latitude: 46.5)
    let answer = app.post(
      "\(Path.item(old.id))/claims",
      ["claim": "present", "verdict": "confirm", "basis": "seen"], as: rui.identity)
    #expect(answer.status.code < 300, "\(answer.text)")
    try app.edit(old, by: rui, "name", .text("Other"))
    _ = try app.photo(of: old, by: rui)
    try noteChange(old)
    #expect(try figures(id) == [1, 1, 1, 1])
    try app.edit(old, by: rui, "name", .text("Another"))
    #expect(try figures(id) == [1, 1, 1, 1])
    let shown = try progress(id)
    #expect(shown["devices"]?.intValue == 2)
    #expect(shown["categories"]?[0]?["count"]?.intValue == 2)
    #expect(shown["hours"]?[0]?["hour"]?.intValue == 0)
    #expect(shown["devices_before"]?.intValue == 1)
    #expect(shown["devices_after"] == .null)
  }

  @Test func `contributions of others, elsewhere or hidden do not count`() throws {
    let id = try running()
    let eva = try app.account("eva")
    // Not a participant, outside the area, in the box but outside the polygon, and hidden.
    _ = try app.device(by: eva, longitude: 6.5, latitude: 46.5)
    _ = try app.device(by: rui, longitude: 6.6, latitude: 46.5)
    let hidden = try app.device(by: rui, longitude: 6.51, latitude: 46.51)
    try app.hide(hidden)
    #expect(try figures(id) == [0, 0, 0, 0])
    // Before joining, and from joining on.
    app.join(id, eva)
    app.clock.advance(by: .seconds(1))
    _ = try app.device(by: eva, longitude: 6.5, latitude: 46.5)
    #expect(try figures(id) == [1, 0, 0, 0])
    // Contributions from the waiting list or after the end do not count.
    app.clock.advance(by: .seconds(4 * 3_600))
    _ = try app.device(by: rui, longitude: 6.5, latitude: 46.5)
    #expect(try figures(id) == [1, 0, 0, 0])
    #expect(try progress(id)["state"]?.stringValue == "over")
  }

  @Test func `contributions before the start do not count`() throws {
    let id = try app.day(of: ana)
    app.join(id, rui)
    _ = try app.device(by: rui, longitude: 6.5, latitude: 46.5)
    app.clock.advance(by: .seconds(3 * 3_600))
    #expect(try figures(id) == [0, 0, 0, 0])
    #expect(try progress(id)["devices_before"]?.intValue == 1)
  }

  @Test func `a kill between two steps loses nothing and counts nothing twice`() throws {
    let id = try running()
    for place in 0..<3 {
      _ = try app.device(by: rui, longitude: 6.5 + Double(place) / 1_000, latitude: 46.5)
    }
    let contributions = app.app.mappingDays.contributions
    let days = app.app.mappingDays.days
    let (day, batch) = try app.database.read { connection in
      let day = try #require(try days.one(id, connection))
      return (day, try contributions.batch(of: day, connection))
    }
    #expect(batch.devices.count == 3)
    struct Killed: Error {}
    _ = try? app.database.write { connection in
      try contributions.tag(batch, day, connection)
      throw Killed()
    }
    #expect(try app.count("mapping_day_contribution") == 0)
    // Another server that read the same batch before does it again.
    for _ in 0..<2 { try app.database.write { try contributions.tag(batch, day, $0) } }
    #expect(try figures(id) == [3, 0, 0, 0])
  }

  @Test func `more changes than fit in a step are all counted`() throws {
    let id = try running()
    let fields = DeviceFields(name: "Far", category: "camera_fixed")
    let far = DeviceWriter.Placement(
      place: try Coordinate(longitude: 10, latitude: 50), precision: .exact)
    _ = try app.devices(
      Array(repeating: (fields, far), count: ContributionStore.portion * 2 + 7))
    _ = try app.device(by: rui, longitude: 6.5, latitude: 46.5)
    #expect(try figures(id) == [1, 0, 0, 0])
  }

  @Test func `the start finds its place among changes`() throws {
    let store = app.app.mappingDays.contributions
    var moments: [Timestamp] = []
    for _ in 0..<40 {
      app.clock.advance(by: .seconds(60))
      moments.append(app.clock.now)
      try app.device()
    }
    let first = try #require(try app.integer("SELECT min(sequence) FROM change"))
    for (place, moment) in moments.enumerated() {
      let found = try app.database.read { try store.sequence(at: moment, $0) }
      #expect(place == 0 ? found < first : found == first + Int64(place) - 1)
    }
    let late = Timestamp(secondsSinceEpoch: app.clock.now.secondsSinceEpoch + 9)
    #expect(
      try app.database.read { try store.sequence(at: late, $0) }
        == app.integer("SELECT max(sequence) FROM change"))
  }

  @Test func `a deleted device stays in the figures and leaves the files`() throws {
    let id = try running()
    let device = try app.device(by: rui, name: "=1+1", longitude: 6.5, latitude: 46.5)
    _ = try figures(id)
    // A spreadsheet sees no characters, but code points and full-width forms.
    for (place, name) in ["=\u{301}1", "＝1", "@1"].enumerated() {
      _ = try app.device(
        by: rui, name: name, longitude: 6.5, latitude: 46.5 + Double(place) / 1_000)
    }
    _ = try figures(id)
    let file = app.get(TestApp.day(id, "contributions"), ["f": "csv"])
    for name in ["=1+1", "=\u{301}1", "＝1", "@1"] { #expect(file.text.contains("\"'\(name)\"")) }
    #expect(file.text.hasPrefix("device,name,category,kind,made_at,longitude,latitude,licence\r\n"))
    try app.database.write { connection in
      try connection.execute("DELETE FROM device WHERE rowid = ?", [.integer(device.rowid)])
    }
    #expect(try figures(id) == [4, 0, 0, 0])
    #expect(try progress(id)["gone"]?.intValue == 1)
    app.app.mappingDays.answers.forget()
    let shown = try app.get(TestApp.day(id, "contributions")).json
    #expect(shown["features"]?.arrayValue?.count == 3)
    #expect(shown["licence"]?.stringValue == "ODbL-1.0")
    #expect(shown["citation"]?.stringValue?.contains("Old town, 2026-11-21") == true)
  }

  @Test func `files of contributions have hours and no exact times`() throws {
    let device = try app.device(name: "Old", longitude: 6.49, latitude: 46.49)
    let id = try running()
    app.clock.advance(by: .seconds(2_345))
    let verdict = app.post(
      "\(Path.item(device.id))/claims",
      ["claim": "present", "verdict": "confirm", "basis": "seen"], as: rui.identity)
    #expect(verdict.status == .ok, "\(verdict.text)")
    #expect(try figures(id) == [0, 1, 0, 0])
    let file = try app.get(TestApp.day(id, "contributions")).json
    #expect(file["features"]?[0]?["properties"]?["made_at"] == "2026-11-21T15:00:00Z")
    let table = app.get(TestApp.day(id, "contributions"), ["f": "csv"]).text
    #expect(table.contains(",2026-11-21T15:00:00Z,") && !table.contains(":39:"))
  }

  @Test func `the report compares the area before and after`() throws {
    try app.device(longitude: 6.5, latitude: 46.5)
    let id = try running()
    _ = try app.device(by: rui, longitude: 6.5, latitude: 46.51)
    app.clock.advance(by: .seconds(4 * 3_600))
    let report = try progress(id)
    #expect(report["devices_before"]?.intValue == 1)
    #expect(report["devices_after"]?.intValue == 2)
    #expect(report["people"] == .null)
    #expect(report["state"]?.stringValue == "over")
  }

  @Test func `the end asks for visits to what is still open`() throws {
    let disputed = try app.device(longitude: 6.5, latitude: 46.5) { $0.status = .disputed }
    let touched = try app.device(longitude: 6.51, latitude: 46.5) { $0.status = .disputed }
    try app.device(longitude: 6.49, latitude: 46.5)
    try app.device(longitude: 6.6, latitude: 46.5) { $0.status = .disputed }
    let id = try running()
    try app.edit(touched, by: rui, "name", .text("Looked at"))
    app.clock.advance(by: .seconds(4 * 3_600))
    for _ in 0..<2 { try app.app.mappingDays.finish() }
    #expect(try progress(id)["state"]?.stringValue == "over")
    let asked = try app.database.read { connection in
      try connection.rows("SELECT device_rowid, reason FROM visit_request") {
        "\($0.int(0)) \($0.text(1))"
      }
    }
    #expect(asked == ["\(disputed.rowid) mapping_day"])
  }

  @Test func `many viewers get the same answer, which is made once`() throws {
    let id = try running()
    let first = app.get(TestApp.day(id, "progress")).text
    _ = try app.device(by: rui, longitude: 6.5, latitude: 46.5)
    try app.app.mappingDays.finish()
    #expect(app.get(TestApp.day(id, "progress")).text == first)
    app.app.mappingDays.answers.forget()
    #expect(app.get(TestApp.day(id, "progress")).text != first)
  }

  @Test func `an answer from before the end of a day is not its report`() throws {
    let id = try running()
    for path in ["progress", "contributions"] { _ = app.get(TestApp.day(id, path)) }
    _ = try app.device(by: rui, longitude: 6.5, latitude: 46.5)
    app.clock.advance(by: .seconds(4 * 3_600))
    try app.app.mappingDays.finish()
    let report = try app.get(TestApp.day(id, "progress")).json
    #expect(report["state"]?.stringValue == "over")
    #expect(report["devices_after"]?.intValue == 1)
    let file = try app.get(TestApp.day(id, "contributions")).json
    #expect(file["features"]?.arrayValue?.count == 1)
  }

  @Test func `stored contributions name no person`() throws {
    let id = try running()
    _ = try app.device(by: rui, longitude: 6.5, latitude: 46.5)
    _ = try figures(id)
    for path in ["progress", "contributions"] {
      let text = app.get(TestApp.day(id, path)).text
      #expect(!text.contains("rui") && !text.contains(rui.id))
    }
  }

  @Test(arguments: [
    (DayStore.starting, "mapping_day_by_state"), (DayStore.ending, "mapping_day_by_state"),
    (DayStore.page(latestFirst: false, isFirst: true), "mapping_day_by_state"),
    (DayStore.page(latestFirst: true, isFirst: false), "mapping_day_by_state"),
    (ParticipantStore.next, "mapping_day_participant_by_state"),
    (ContributionStore.page, "mapping_day_contribution_by_day"),
    (ContributionStore.totals, "mapping_day"), (ContributionStore.byMinute, "mapping_day"),
    (ContributionStore.byCategory, "mapping_day"), (DaySweep.oldPlans, "mapping_day_by_state"),
    (DaySweep.oldParticipants, "mapping_day_by_state"),
  ]) func `statements use an index`(sql: String, index: String) throws {
    let count = sql.count { $0 == "?" }
    let plan = try app.database.read { connection in
      try connection.explain(sql, Array(repeating: SQLValue.text("1"), count: count))
    }.joined(separator: "\n")
    #expect(plan.contains(index), "\(plan)")
    #expect(!plan.contains("SCAN mapping_day"), "\(plan)")
  }
}
