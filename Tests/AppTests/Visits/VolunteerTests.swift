@testable import App
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import Visits
import WebServer

/// The settings of a volunteer, and what happens to personal data.
@Suite struct VolunteerTests {
  let app: TestApp
  let ana, ben: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    ben = try app.account("ben")
  }

  private static let path = TestApp.visits + "/volunteer"

  private func put(_ change: JSONObject = [:]) -> TestAnswer {
    var body: JSONObject = ["cell": .string("4500-9000")]
    for (name, value) in change.members { body[name] = value }
    return app.send(.put, Self.path, json: .object(body), as: ben.identity)
  }

  @Test func `settings are stored as they were sent`() throws {
    let sent: JSONObject = [
      "radius_km": 7, "kinds": ["microphone"], "offers_per_day": 3,
      "until": "2026-11-21T20:00:00Z",
      "weekly": [["weekday": 1, "from": "18:00", "to": "24:00"]], "time_zone": "Europe/Lisbon",
      "mail": false, "found": true, "paused": false,
    ]
    let answer = put(sent)
    #expect(answer.status == .ok, "\(answer.text)")
    let stored = try app.get(Self.path, as: ben.identity).json
    for (name, value) in sent.members { #expect(stored[name] == value, "\(name)") }
    #expect(stored["state"]?.stringValue == "free")
    #expect(stored["box"]?.arrayValue?.count == 4)
    #expect(stored["ends_on"]?.stringValue == "2027-11-21")
    // A change replaces everything.
    #expect(put().status == .ok)
    #expect(try app.get(Self.path, as: ben.identity).json["state"]?.stringValue == "resting")
  }

  @Test(
    arguments: [
      ("cell", .string("9000-0")), ("radius_km", 0), ("radius_km", 51), ("kinds", ["no kind"]),
      ("offers_per_day", 21), ("until", "2026-11-21T12:00:00Z"), ("until", "2026-11-22T12:00:01Z"),
      ("until", "now"), ("weekly", [["weekday": 8, "from": "18:00", "to": "20:00"]]),
      ("weekly", [["weekday": 1, "from": "20:00", "to": "18:00"]]),
      ("weekly", [["weekday": 1, "from": "18:00", "to": "24:01"]]), ("weekly", "always"),
      ("time_zone", "Nowhere/Land"), ("longitude", 1.5), ("mail", "yes"),
    ] as [(String, JSONValue)])
  func `a faulty setting is refused by its name`(name: String, value: JSONValue) throws {
    let answer = put([name: value])
    #expect([400, 422].contains(answer.status.code), "\(answer.text)")
    #expect(answer.text.contains(name))
    #expect(try app.count("visit_volunteer") == 0)
  }

  @Test func `no answer has a position of a person`() throws {
    _ = put()
    let text = app.get(Self.path, as: ben.identity).text
    #expect(!text.contains("longitude") && !text.contains("coordinates"))
  }

  @Test func `a poll with the tag of the last answer costs no body`() throws {
    _ = put()
    let first = app.get(TestApp.visits + "/now", as: ben.identity)
    let tag = try #require(first.headers["ETag"])
    let second = app.get(
      TestApp.visits + "/now", headers: ["If-None-Match": tag], as: ben.identity)
    #expect(second.status == .notModified)
    #expect(first.headers["Cache-Control"] == "private, no-cache")
  }

  @Test func `a volunteer who stops passes the offer on and leaves nothing`() throws {
    try app.volunteer(ben)
    let id = try app.asked(try app.visitedDevice(), as: ana)
    #expect(app.send(.delete, Self.path, as: ben.identity).status == .noContent)
    #expect(try app.state(id) == "waiting")
    #expect(try app.count("visit_volunteer") == 0)
    #expect(app.get(Self.path, as: ben.identity).status == .notFound)
    try app.checkVisits()
  }

  @Test func `settings that nobody uses end after a year`() throws {
    try app.volunteer(ben)
    app.clock.advance(by: .seconds(VisitSweep.life - 1))
    try app.app.works["visits_sweep"]?("{}")
    #expect(try app.count("visit_volunteer") == 1)
    app.clock.advance(by: .seconds(1))
    try app.app.works["visits_sweep"]?("{}")
    #expect(try app.count("visit_volunteer") == 0)
  }

  @Test func `a request names no people three months after its end`() throws {
    try app.volunteer(ben)
    let id = try app.asked(try app.visitedDevice(), as: ana)
    _ = app.answer(try app.offer(to: ben), "accept", as: ben, [:])
    _ = app.visit(id, "outcome", as: ben, ["outcome": "changed"])
    app.clock.advance(by: .seconds(VisitSweep.memory - 1))
    try app.app.works["visits_sweep"]?("{}")
    #expect(try app.integer("SELECT visitor_rowid FROM visit_request") == ben.rowid)
    app.clock.advance(by: .seconds(1))
    try app.app.works["visits_sweep"]?("{}")
    #expect(
      try app.integer("SELECT coalesce(asker_rowid, visitor_rowid, 0) FROM visit_request") == 0)
    #expect(try app.count("visit_offer") == 0)
    #expect(try app.text("SELECT outcome FROM visit_request") == "changed")
  }

  @Test func `an erased account leaves its request without a name`() throws {
    let id = try app.asked(try app.visitedDevice(), as: ana)
    try app.volunteer(ana)
    let gone = app.send(
      .delete, "/api/account", json: ["password": .string(TestAccount.password)],
      as: ana.identity)
    #expect(gone.status == .noContent, "\(gone.text)")
    #expect(try app.state(id) == "open")
    #expect(try app.integer("SELECT count(*) FROM visit_request WHERE asker_rowid IS NULL") == 1)
    #expect(try app.count("visit_volunteer") == 0)
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `hot queries use an index`() throws {
    try app.database.read { connection in
      for (query, count) in [
        (StoredQueues.queueQuery, 8), (StoredQueues.zonesQuery, 2), (VisitStore.dueQuery, 2),
        (QueueOverview.visitsQuery, 3),
      ] {
        let plan = try connection.explain(query, Array(repeating: .integer(1), count: count))
        #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(query) \(plan)")
      }
    }
  }
}
