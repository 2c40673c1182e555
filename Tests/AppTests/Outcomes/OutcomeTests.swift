@testable import Accounts
@testable import App
import JSON
import PrivacyMap
@testable import Rights
import SpatialDatabase
import Testing
import WebServer

/// The published figures about the outcomes of requests.
@Suite struct OutcomeTests {
  let town: Town
  let camera: String

  init() throws {
    town = try Town()
    camera = try town.device("camera_fixed", of: "Metro")
  }

  @Test func `groups of none and nine people are absent alike, ten are published`() throws {
    let nobody = try town.everything()
    try town.ask(town.people(9), about: camera)
    try town.publish()
    #expect(try town.everything() == nobody)
    try town.ask(town.people(1), about: camera)
    try town.publish()
    #expect(try town.asked("Metro") == 10)
    #expect(try town.asked("camera_fixed", by: "category") == 10)
  }

  @Test(arguments: [(12, 10), (13, 15)])
  func `figures are rounded to five`(people: Int, shown: Int) throws {
    try town.ask(town.people(people), about: camera)
    try town.publish()
    #expect(try town.asked("Metro") == shown)
  }

  @Test func `only the latest request of each person is counted`() throws {
    let people = try town.people(20)
    try town.ask(Array(people.prefix(10)), about: camera, "honoured")
    try town.ask(Array(people.suffix(10)), about: camera, "refused")
    // The first ten send another request, which is refused.
    try town.ask(Array(people.prefix(10)), about: camera, "refused")
    try town.publish()
    let outcome = try #require(try town.outcomes(by: "operator")["Metro"])
    #expect(outcome["asked"] == 20)
    #expect(outcome["honoured"] == 0)
    #expect(outcome["refused"] == 20)
    #expect(outcome["overdue"] == 0)
    #expect(outcome["median_days"] == 0)
    #expect(outcome["as_of"] == "2026-11-28")
  }

  @Test func `silence counts as overdue, also after a complaint`() throws {
    let ids = try town.ask(town.people(12), about: camera)
    town.app.clock.advance(by: .seconds(60 * 86_400))
    let owner = try town.app.integer(
      "SELECT account_rowid FROM choice WHERE id = ?", [.text(ids[0])])
    let identity = try town.app.signIn(try #require(owner))
    let complained = town.app.send(
      .post, "/api/choices/\(ids[0])/events", json: ["event": "complained"], as: identity)
    #expect(complained.status == .ok)
    try town.publish()
    let outcome = try #require(try town.outcomes(by: "operator")["Metro"])
    #expect(outcome["overdue"] == 10)
    #expect(outcome["median_days"] == .null)
  }

  @Test func `a request that the person does not regard as done does not count as honoured`() throws
  {
    let ids = try town.ask(town.people(20), about: camera, "honoured")
    for (place, id) in ids.enumerated() {
      let owner = try town.app.integer(
        "SELECT account_rowid FROM choice WHERE id = ?", [.text(id)])
      let reported = town.app.send(
        .post, "/api/choices/\(id)/events",
        json: ["event": place < 10 ? "confirmed" : "contested"],
        as: try town.app.signIn(try #require(owner)))
      #expect(reported.status == .ok, "\(reported.text)")
    }
    try town.publish()
    let outcome = try #require(try town.outcomes(by: "operator")["Metro"])
    #expect(outcome["asked"] == 20 && outcome["honoured"] == 10 && outcome["overdue"] == 0)
  }

  @Test func `the median of the days is published from ten responses on`() throws {
    let ids = try town.ask(town.people(12), about: camera)
    town.app.clock.advance(by: .seconds(7 * 86_400))
    func answer(_ ids: some Sequence<String>) throws {
      for id in ids {
        let owner = try town.app.integer(
          "SELECT account_rowid FROM choice WHERE id = ?", [.text(id)])
        let answer = town.app.send(
          .post, "/api/choices/\(id)/events", json: ["event": "honoured"],
          as: try town.app.signIn(try #require(owner)))
        try #require(answer.status == .ok)
      }
    }
    try answer(ids.prefix(9))
    try town.publish()
    #expect(try town.outcomes(by: "operator")["Metro"]?["median_days"] == .null)
    #expect(try town.outcomes(by: "operator")["Metro"]?["honoured"] == 10)
  }

  @Test func `all spellings of an operator count as one`() throws {
    let other = try town.device("camera_fixed", of: "  METRÓ ")
    try town.ask(town.people(5), about: camera)
    try town.ask(town.people(5), about: other)
    try town.publish()
    #expect(try town.outcomes(by: "operator").count == 1)
  }

  @Test func `a device has the outcomes of its operator and of its category`() throws {
    try town.ask(town.people(10), about: camera)
    let beacon = try town.device("beacon", of: "Nobody")
    try town.publish()
    let practice = try town.app.get("\(Path.item(camera))/choices").json["practice"]
    #expect(practice?["operator"]?["asked"] == 10)
    #expect(practice?["category"]?["asked"] == 10)
    let other = try town.app.get("\(Path.item(beacon))/choices").json["practice"]
    #expect(other == ["operator": .null, "category": .null])
  }

  @Test func `pages list every outcome once`() throws {
    let people = try town.people(10)
    for name in ["A", "B", "C"] {
      try town.ask(people, about: try town.device("camera_fixed", of: name))
    }
    try town.publish()
    var names: [String] = []
    var cursor: String?
    repeat {
      let answer = try town.app.get(
        "/api/outcomes", cursor.map { ["limit": "2", "cursor": $0] } ?? ["limit": "2"]
      ).json
      names += (answer["outcomes"]?.arrayValue ?? []).compactMap {
        $0["operator"]?["name"]?.stringValue
      }
      cursor = answer["next"]?.stringValue
    } while cursor != nil
    #expect(names == ["A", "B", "C"])
  }

  @Test func `a response explains its figures, and is cached until they change`() throws {
    let first = town.app.get("/api/outcomes")
    #expect(try first.json["minimum"] == 10)
    #expect(try first.json["rounded_to"] == 5)
    #expect(try first.json["definition"]?.stringValue?.contains("ten people") == true)
    let tag = try #require(first.headers["ETag"])
    let again = town.app.get("/api/outcomes", headers: ["If-None-Match": tag])
    #expect(again.status == .notModified)
    try town.ask(town.people(10), about: camera)
    try town.publish()
    let later = town.app.get("/api/outcomes", headers: ["If-None-Match": tag])
    #expect(later.status == .ok)
  }

  @Test func `the export names a person's figures, and erasure removes the link`() throws {
    let people = try town.people(11)
    let ids = try town.ask(people, about: camera)
    try town.publish()
    func shares() throws -> Int64? {
      try town.app.integer(
        "SELECT count(*) FROM outcome_member WHERE person = ?",
        [.integer(people[0].rowid)])
    }
    #expect(try shares() == 2)
    let erased = town.app.send(
      .delete, "/api/choices/\(ids[0])", as: try town.app.signIn(people[0].rowid))
    #expect(erased.status == .noContent)
    #expect(try shares() == 0)
    // The figures keep their counts: nothing links the anonymous row to its former owner.
    #expect(try town.app.integer("SELECT count(*) FROM outcome_member") == 22)
    #expect(try town.app.integer("SELECT count(DISTINCT person) FROM outcome_member") == 11)
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `the most frequent queries use an index`() throws {
    try town.app.database.read { connection in
      let page = try connection.explain(OutcomeStore.page, ["operator", "", 10])
      #expect(page.contains { $0.contains("SEARCH outcome USING INDEX") }, "\(page)")
      #expect(!page.contains { $0.contains("TEMP B-TREE") }, "\(page)")
      let one = try connection.explain(OutcomeStore.one, ["operator", "metro"])
      #expect(one.contains { $0.contains("SEARCH outcome USING INDEX") }, "\(one)")
      let portion = try connection.explain(
        OutcomeRequests.portionQuery, [0, 0, "2026", "2026", 10])
      #expect(portion.contains { $0.contains("choice_event_by_choice") }, "\(portion)")
      #expect(!portion.contains { $0.contains("SCAN choice_event") }, "\(portion)")
    }
  }

  @Test func `the job is repeated, and publishes on Mondays`() throws {
    #expect(town.app.app.works[OutcomePublication.job] != nil)
    #expect(town.app.app.repeatedWorks[OutcomePublication.job] == .seconds(3_600))
    try town.app.app.outcomes.run()
    try town.ask(town.people(10), about: camera)
    town.app.clock.set("2026-11-23T12:00:00Z")
    try town.app.app.outcomes.run()
    #expect(try town.asked("Metro") == 10)
    try town.ask(town.people(10), about: camera)
    let first = try town.everything()
    town.app.clock.set("2026-11-29T23:59:59Z")
    try town.app.app.outcomes.run()
    #expect(try town.everything() == first)
    town.app.clock.set("2026-11-30T00:00:00Z")
    try town.app.app.outcomes.run()
    #expect(try town.everything() != first)
    #expect(try town.asked("Metro") == 20)
  }

  @Test func `every publication updates the day of all figures, changed or not`() throws {
    try town.ask(town.people(10), about: camera)
    try town.publish()
    let bank = try town.device("beacon", of: "Bank")
    try town.ask(town.people(10), about: bank)
    try town.publish()
    let days = try town.outcomes(by: "operator").values.map { $0["as_of"] }
    #expect(days == ["2026-12-05", "2026-12-05"])
  }

  @Test(arguments: [
    ("2026-11-23", "2026-11-23"), ("2026-11-29", "2026-11-23"), ("2026-11-30", "2026-11-30"),
    ("1970-01-01", "1969-12-29"), ("1970-01-05", "1970-01-05"),
  ])
  func `a week begins on Monday`(day: String, monday: String) throws {
    let day = try #require(Day(text: day))
    #expect(Publication.monday(day).text == monday)
  }
}
