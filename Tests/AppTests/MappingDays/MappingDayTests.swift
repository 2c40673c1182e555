@testable import App
import Foundation
import JSON
@testable import MappingDays
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// The life of a mapping day: `/api/mapping-days`.
@Suite struct MappingDayTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  private func state(_ id: String) throws -> String? {
    try app.get(TestApp.day(id), as: ana.identity).json["state"]?.stringValue
  }

  @Test func `a suspended organiser cancels a day and writes to nobody`() throws {
    let id = try app.day(of: ana)
    app.join(id, try app.account("rui"))
    try app.database.write { connection in
      try connection.execute(
        "UPDATE account SET suspended_at = ?, suspended_reason = 'spam' WHERE rowid = ?",
        [.text(app.clock.now.text), .integer(ana.rowid)])
    }
    let ended = app.post(
      TestApp.day(id, "cancellation"), ["reason": "Buy here"], as: ana.identity)
    #expect(ended.status == .ok, "\(ended.text)")
    try app.app.mappingDays.finish()
    #expect(try state(id) == "cancelled")
    #expect(!app.get(TestApp.day(id)).text.contains("Buy here"))
    #expect(try app.dayMails() == ["mapping_day_decided ana", "mapping_day_cancelled rui"])
    #expect(!(try app.lastMail).arguments.text.contains("Buy here"))
  }

  // The plan

  @Test func `a plan is stored and shown as it was sent`() throws {
    let answer = app.post(
      TestApp.days,
      TestApp.day([
        "time_zone": "Europe/Lisbon", "kinds": ["camera_fixed"], "languages": ["pt", "en"],
        "meeting_point": ["longitude": 6.5, "latitude": 46.5, "words": "Library"],
      ]), as: ana.identity)
    #expect(answer.status == .created, "\(answer.text)")
    let day = try answer.json
    #expect(day["state"]?.stringValue == "draft")
    #expect(day["starts_at"]?.stringValue == "2026-11-21T15:00:00Z")
    #expect(day["own"]?["starts"]?.stringValue == "2026-11-21T15:00")
    #expect(day["meeting_point"]?["words"]?.stringValue == "Library")
    #expect(day["kinds"] == ["camera_fixed"])
    #expect(day["languages"] == ["pt", "en"])
    #expect(day["area"]?["coordinates"] == TestApp.dayArea["coordinates"])
    #expect(day["organiser"]?.stringValue == "ana")
  }

  /// A member that is wrong, and the beginning of its sentence.
  static let wrong: [(JSONObject, String, String)] = [
    (["ends": "2026-11-21T14:00"], "ends", "The day ends before it starts."),
    (["starts": "2026-11-21T13:00"], "starts", "The day starts in less than two hours."),
    (["ends": "2026-11-24T15:00"], "ends", "The day is longer than 48 hours."),
    (["maximum": 10_000], "maximum", "A mapping day has at most 500 participants."),
    (["maximum": 0], "maximum", ""), (["title": "A"], "title", ""),
    (["purpose": "Short"], "purpose", ""), (["kinds": ["unknown"]], "kinds", ""),
    (["languages": ["xx"]], "languages", ""), (["time_zone": "Nowhere"], "time_zone", ""),
    (
      ["meeting_point": ["longitude": 6.6, "latitude": 46.5]], "meeting_point",
      "The meeting point is more than 2 km from the area."
    ),
    (
      [
        "area": [
          "type": "polygon",
          "coordinates": [[[179, 10], [-179, 10], [-179, 11], [179, 11], [179, 10]]],
        ]
      ], "area.coordinates", "The polygon crosses the antimeridian (180°)."
    ),
    (
      [
        "area": [
          "type": "polygon", "coordinates": [[[6, 46], [8, 46], [8, 47], [6, 47], [6, 46]]],
        ]
      ], "area", "The area is more than 100 km wide or high."
    ),
    (["area": ["type": "box", "bbox": [6, 46, 7, 47]]], "area.bbox", ""),
  ]

  @Test(arguments: wrong.indices) func `a wrong plan is refused with one sentence`(place: Int)
    throws
  {
    let (members, field, words) = Self.wrong[place]
    let answer = app.post(TestApp.days, TestApp.day(members), as: ana.identity)
    #expect(
      [.unprocessableContent, .badRequest].contains(answer.status), "\(field): \(answer.text)")
    let errors = try answer.json["errors"]?.arrayValue ?? []
    let error = try #require(errors.first { $0["field"]?.stringValue == field }, "\(answer.text)")
    #expect(error["detail"]?.stringValue?.hasPrefix(words) == true, "\(answer.text)")
    #expect(try app.count("mapping_day") == 0)
  }

  @Test func `both sides of the limits of a plan`() throws {
    #expect(
      app.post(TestApp.days, TestApp.day(["maximum": 500]), as: ana.identity).status == .created)
    #expect(
      app.post(TestApp.days, TestApp.day(["maximum": 501]), as: ana.identity).status
        == .unprocessableContent)
    // The edge of the area is at 6.52; a minute of longitude is some 1.3 km here.
    let near = JSONValue.object(["longitude": 6.54, "latitude": 46.5])
    #expect(
      app.post(TestApp.days, TestApp.day(["meeting_point": near]), as: ana.identity).status
        == .created)
  }

  @Test func `an area without land is refused`() throws {
    let sea = try TestApp(data: TestFolder.linkCountries)
    let rui = try sea.account("rui")
    func square(_ west: Double, _ south: Double) -> JSONValue {
      let (east, north) = (west + 0.1, south + 0.1)
      return [
        "type": "polygon",
        "coordinates": [
          [
            [.double(west), .double(south)], [.double(east), .double(south)],
            [.double(east), .double(north)], [.double(west), .double(north)],
            [.double(west), .double(south)],
          ]
        ],
      ]
    }
    let answer = sea.post(TestApp.days, TestApp.day(["area": square(-30, 30)]), as: rui.identity)
    #expect(answer.status == .unprocessableContent)
    #expect(answer.text.contains("There is no land in this area."))
    // Territorial waters.
    let waters = sea.post(
      TestApp.days, TestApp.day(["area": square(-9.65, 38.3)]), as: rui.identity)
    #expect(waters.status == .unprocessableContent)
    #expect(
      sea.post(TestApp.days, TestApp.day(["area": square(-9.2, 38.7)]), as: rui.identity).status
        == .created)
  }

  @Test func `an account has five open days at most`() throws {
    for _ in 0..<5 { _ = try app.day(of: ana, .draft) }
    let answer = app.post(TestApp.days, TestApp.day(), as: ana.identity)
    #expect(answer.status == .conflict)
    #expect(try answer.type == "/problems/too-many-mapping-days")
  }

  // Decisions

  @Test func `others see a day from its approval on`() throws {
    let id = try app.day(of: ana, .waiting)
    let rui = try app.account("rui")
    let moderator = try app.account("mod", role: .moderator)
    #expect(app.get(TestApp.day(id)).status == .notFound)
    #expect(app.get(TestApp.day(id), as: rui.identity).status == .notFound)
    #expect(app.get(TestApp.day(id), as: moderator.identity).status == .ok)
    #expect(try app.get(TestApp.days).json["days"] == [])
    let queue = try app.get("/api/moderation/mapping-days", as: moderator.identity).json
    #expect(queue["days"]?[0]?["id"]?.stringValue == id)
    #expect(app.decide(id, "approve", as: moderator).status == .ok)
    let shown = try app.get(TestApp.day(id)).json
    #expect(shown["state"]?.stringValue == "approved")
    #expect(shown["own"] == .null && shown["version"] == .null && shown["reason"] == .null)
    #expect(try app.get(TestApp.days).json["days"]?[0]?["id"]?.stringValue == id)
    #expect(try app.dayMails() == ["mapping_day_decided ana"])
    // A second decision comes too late.
    #expect(app.decide(id, "reject", as: moderator).status == .conflict)
    let log = try app.get("/api/moderation/log", as: moderator.identity).json["entries"]?[0]
    #expect(log?["action"]?.stringValue == "approve_mapping_day")
    #expect(log?["target"]?["name"]?.stringValue == "Old town")
  }

  @Test func `a rejected day can be changed and submitted again`() throws {
    let id = try app.day(of: ana, .rejected)
    #expect(try app.get(TestApp.day(id), as: ana.identity).json["reason"]?.stringValue == "A test")
    let changed = app.send(
      .put, TestApp.day(id), json: TestApp.day(["title": "New town"]), as: ana.identity)
    #expect(changed.status == .ok, "\(changed.text)")
    #expect(app.send(.post, TestApp.day(id, "submission"), as: ana.identity).status == .ok)
    #expect(try state(id) == "waiting")
    // A waiting day does not change before the eyes of the moderator.
    #expect(
      app.send(.put, TestApp.day(id), json: TestApp.day(), as: ana.identity).status == .conflict)
    #expect(app.send(.post, TestApp.day(id, "withdrawal"), as: ana.identity).status == .ok)
    #expect(app.send(.delete, TestApp.day(id), as: ana.identity).status == .noContent)
    #expect(try app.count("mapping_day") == 0)
  }

  @Test func `a moderator decides about the plan that they saw`() throws {
    let id = try app.day(of: ana, .waiting)
    let moderator = try app.account("mod", role: .moderator)
    let version = try #require(
      try app.get(TestApp.day(id), as: moderator.identity).json["version"]?.stringValue)
    _ = app.send(.post, TestApp.day(id, "withdrawal"), as: ana.identity)
    _ = app.send(.put, TestApp.day(id), json: TestApp.day(["maximum": 3]), as: ana.identity)
    _ = app.send(.post, TestApp.day(id, "submission"), as: ana.identity)
    let answer = app.post(
      "/api/moderation/mapping-days/\(id)/decision",
      ["decision": "approve", "version": .string(version)], as: moderator.identity)
    #expect(answer.status == .preconditionFailed)
    #expect(try state(id) == "waiting")
  }

  @Test func `a day that nobody decided about lapses at its start`() throws {
    let id = try app.day(of: ana, .waiting)
    app.clock.advance(by: .seconds(3 * 3_600))
    try app.app.mappingDays.finish()
    #expect(try state(id) == "rejected")
    #expect(try app.dayMails() == ["mapping_day_decided ana"])
  }

  @Test func `a draft whose start has come close cannot be submitted`() throws {
    let id = try app.day(of: ana, .draft)
    app.clock.advance(by: .seconds(3_601))
    let answer = app.send(.post, TestApp.day(id, "submission"), as: ana.identity)
    #expect(answer.status == .unprocessableContent)
    #expect(try answer.fields == ["starts"])
  }

  @Test func `a day starts and ends once, with thanks to its participants`() throws {
    let id = try app.day(of: ana)
    let people = try ["rui", "eva", "zeca"].map { try app.account($0) }
    for one in people { app.join(id, one) }
    app.clock.advance(by: .seconds(3 * 3_600 - 1))
    try app.app.mappingDays.finish()
    #expect(try state(id) == "approved")
    app.clock.advance(by: .seconds(1))
    try app.app.mappingDays.finish()
    #expect(try state(id) == "running")
    app.clock.advance(by: .seconds(4 * 3_600))
    for _ in 0..<3 { try app.app.mappingDays.finish() }
    #expect(try state(id) == "over")
    let thanks = try app.dayMails().filter { $0.hasPrefix("mapping_day_thanks") }
    #expect(thanks == people.map { "mapping_day_thanks \($0.username)" })
    #expect(try app.count("mapping_day_mail") == 0)
  }

  @Test func `a day whose time passed while no server ran still starts, counts and ends`() throws {
    let id = try app.day(of: ana)
    let rui = try app.account("rui")
    app.join(id, rui)
    app.clock.advance(by: .seconds(4 * 3_600))
    _ = try app.device(by: rui, longitude: 6.5, latitude: 46.5)
    app.clock.advance(by: .seconds(10 * 3_600))
    try app.app.mappingDays.finish()
    #expect(try state(id) == "over")
    #expect(try app.get(TestApp.day(id, "progress")).json["added"]?.intValue == 1)
  }

  @Test(.onlySQLite("the fault is a trigger in its dialect"))
  func `a day that fails does not stop the others`() throws {
    let days = try [ana, try app.account("rui")].map { try app.day(of: $0) }
    try app.database.write {
      try $0.execute(
        """
        CREATE TRIGGER failing BEFORE UPDATE ON mapping_day WHEN NEW.rowid = 1
        BEGIN SELECT RAISE(ABORT, 'a test'); END
        """)
    }
    app.clock.advance(by: .seconds(3 * 3_600))
    try app.app.mappingDays.finish()
    #expect(try days.map(state) == ["approved", "running"])
    try app.database.write { try $0.execute("DROP TRIGGER failing") }
    try app.app.mappingDays.finish()
    #expect(try days.map(state) == ["running", "running"])
  }

  @Test func `a cancelled day tells everyone, those on the waiting list too`() throws {
    let id = try app.day(of: ana, .approved, ["maximum": 1])
    let (rui, eva) = (try app.account("rui"), try app.account("eva"))
    app.join(id, rui)
    app.join(id, eva)
    let answer = app.post(TestApp.day(id, "cancellation"), ["reason": "Rain"], as: ana.identity)
    #expect(answer.status == .ok, "\(answer.text)")
    try app.app.mappingDays.finish()
    #expect(
      try app.dayMails().filter { $0.hasPrefix("mapping_day_cancelled") }
        == ["mapping_day_cancelled rui", "mapping_day_cancelled eva"])
    #expect(app.join(id, try app.account("zeca")).status == .conflict)
    #expect(try app.get(TestApp.day(id)).json["reason"]?.stringValue == "Rain")
  }

  @Test func `only the organiser and moderators cancel a day`() throws {
    let id = try app.day(of: ana)
    let rui = try app.account("rui")
    #expect(
      app.post(TestApp.day(id, "cancellation"), ["reason": "No"], as: rui.identity).status
        == .forbidden)
    let moderator = try app.account("mod", role: .moderator)
    #expect(
      app.post(TestApp.day(id, "cancellation"), ["reason": "Spam"], as: moderator.identity).status
        == .ok)
    #expect(try app.dayMails().contains("mapping_day_decided ana"))
    #expect(
      try app.text("SELECT action FROM audit ORDER BY rowid DESC LIMIT 1") == "cancel_mapping_day")
  }

  // Files

  @Test func `the calendar, the feeds and the page show a public day`() throws {
    let id = try app.day(of: ana, .approved, ["title": "Old town, part; 1"])
    let calendar = app.get(TestApp.day(id, "calendar"))
    #expect(calendar.headers["Content-Type"]?.hasPrefix("text/calendar") == true)
    #expect(calendar.text.contains("DTSTART:20261121T150000Z\r\n"))
    #expect(calendar.text.contains("SUMMARY:Old town\\, part\\; 1\r\n"))
    let atom = app.get("/api/feeds/mapping-days.atom").text
    #expect(atom.contains("2026-11-21 15:00 · Old town, part; 1"))
    let json = try app.get("/api/feeds/mapping-days.json").json
    #expect(json["items"]?[0]?["url"]?.stringValue == "\(TestApp.address)/mapping-days/\(id)")
    let page = app.get("/mapping-days/\(id)")
    #expect(page.text.contains("/api/cards/mapping-days/\(id).png"))
    #expect(app.get("/api/cards/mapping-days/\(id).png").headers["Content-Type"] == "image/png")
    let secret = try app.day(of: ana, .draft, ["title": "Secret plan"])
    #expect(!app.get("/mapping-days/\(secret)").text.contains("Secret plan"))
    #expect(app.get("/api/cards/mapping-days/\(secret).png").status == .notFound)
    #expect(app.get(TestApp.day(secret, "calendar")).status == .notFound)
    #expect(app.get(TestApp.day(secret, "progress")).status == .notFound)
  }
}
