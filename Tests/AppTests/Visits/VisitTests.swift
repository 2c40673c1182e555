@testable import App
@testable import Devices
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import Visits
import WebServer

/// From the question to the answer: `/api/visits`.
@Suite struct VisitTests {
  let app: TestApp
  let ana, ben, eva: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    ben = try app.account("ben")
    eva = try app.account("eva")
  }

  @Test func `a request goes from the first volunteer to the second, who visits`() throws {
    try app.volunteer(ben)
    try app.volunteer(eva)
    let device = try app.visitedDevice()
    let id = try app.asked(device, as: ana)
    let first = try #require(try app.offer(to: ben))
    #expect(try app.offer(to: eva) == nil)
    #expect(try app.lastMail.template == "visit_offer")
    #expect(app.answer(first, "decline", as: ben).status == .noContent)
    try app.app.visits.finish()
    #expect(try app.offer(to: ben) == nil)
    let second = try #require(try app.offer(to: eva))
    let accepted = app.answer(second, "accept", as: eva, [:])
    #expect(try accepted.json["state"]?.stringValue == "accepted", "\(accepted.text)")
    #expect(try accepted.json["mine"]?.stringValue == "visitor")
    // The asker does not see that a volunteer accepted.
    let asked = try app.get("\(TestApp.visits)/\(id)", as: ana.identity).json
    #expect(asked["state"]?.stringValue == "waiting")
    #expect(asked["offers"]?.intValue == 0)
    let done = app.visit(id, "outcome", as: eva, ["outcome": "gone"])
    #expect(try done.json["state"]?.stringValue == "done", "\(done.text)")
    let mail = try app.lastMail
    #expect(mail.template == "visit_done" && mail.arguments["username"]?.stringValue == "ana")
    #expect(mail.arguments["outcome"]?.stringValue == "It is gone.")
    #expect(
      (mail.arguments.objectValue?.members ?? []).allSatisfy {
        $0.value.stringValue?.contains("eva") != true
      })
    try app.checkVisits()
  }

  @Test func `the list and the device page say why a device needs a visit`() throws {
    let device = try app.visitedDevice()
    let id = try app.asked(device, as: ana)
    let page = try app.get(TestApp.visits, ["bbox": "-0.1,-0.1,0.1,0.1"]).json["visits"]?[0]
    #expect(page?["device"]?["id"]?.stringValue == device.id)
    #expect(page?["reasons"] == ["still_there", "no_photo"])
    #expect(page?["request"]?["id"]?.stringValue == id)
    let near = try app.get(
      TestApp.visits, ["near": "0.001,0.002", "reason": "still_there"]
    ).json["visits"]?[0]
    #expect((110...112).contains(near?["metres"]?.numberValue ?? 0))
    #expect(
      try app.get(TestApp.visits, ["bbox": "-0.1,-0.1,0.1,0.1", "reason": "stale"]).json["visits"]
        == [])
    let one = try app.get("\(TestApp.visits)/devices/\(device.id)", as: ben.identity).json
    #expect(one["reasons"] == ["still_there", "no_photo"])
    #expect(one["may_ask"] == false)
  }

  @Test func `pages of a box follow each other without gaps`() throws {
    let ids = try (0..<5).map { try app.visitedDevice("Gate \($0)").id }
    var found: [String] = []
    var cursor: String?
    repeat {
      var query: [(String, String)] = [("bbox", "-0.1,-0.1,0.1,0.1"), ("limit", "2")]
      if let cursor { query.append(("cursor", cursor)) }
      let page = try app.send(target: Request.target(TestApp.visits, query)).json
      found += page["visits"]?.arrayValue?.compactMap { $0["device"]?["id"]?.stringValue } ?? []
      cursor = page["next"]?.stringValue
    } while cursor != nil
    #expect(found == ids.reversed())
  }

  @Test func `a box across the antimeridian has both sides`() throws {
    try app.visitedDevice("East", longitude: 179.99)
    try app.visitedDevice("West", longitude: -179.99)
    let found = try app.get(TestApp.visits, ["bbox": "179.9,-0.1,-179.9,0.1"]).json["visits"]
    #expect(found?.arrayValue?.count == 2)
  }

  @Test func `the reasons follow from the data`() throws {
    let novice = try app.account("novice", isNew: true)
    let stale = try app.visitedDevice { $0.observedOn = Day(text: "2010-01-01") }
    let single = try app.device(by: novice, name: "Single")
    func reasons(_ device: TestDevice) throws -> JSONValue? {
      try app.get("\(TestApp.visits)/devices/\(device.id)").json["reasons"]
    }
    #expect(try reasons(stale) == ["stale", "no_photo"])
    #expect(try reasons(single) == ["single_report", "no_photo"])
    try app.edit(single) { $0.columns.append(("approximate", 1)) }
    #expect(try reasons(single) == ["single_report", "approximate", "no_photo"])
    try app.edit(single) { $0.columns.append(("status", "disputed")) }
    #expect(try reasons(single)?[0]?.stringValue == "disputed")
  }

  @Test func `one sentence for each refusal`() throws {
    let device = try app.visitedDevice()
    let own = try app.device(by: ana, name: "Mine")
    let home = try app.visitedDevice("Home") {
      $0.answersFor = Operator(kind: .household)
      $0.setting = .indoor
    }
    let doorbell = try app.visitedDevice("Door") { $0.answersFor = Operator(kind: .household) }
    #expect(app.ask(own, as: ana).status == .unprocessableContent)
    #expect(app.ask(home, as: ana).status == .unprocessableContent)
    #expect(app.ask(home, as: ana).text.contains("private home"))
    #expect(app.ask(doorbell, "photo_notice", as: ana).status == .unprocessableContent)
    let street = app.ask(doorbell, as: ana)
    #expect(street.status == .created)
    #expect(try street.json["from_street"] == true)
    #expect(app.ask(device, "stale", as: ana).status == .unprocessableContent)
    #expect(app.ask(device, as: ana).status == .created)
    let second = app.ask(device, as: ben)
    #expect(second.status == .conflict)
    #expect(try second.json["type"]?.stringValue == "/problems/visit-exists")
    try app.hide(device)
    #expect(app.ask(device, as: eva).status == .notFound)
    #expect(app.get(TestApp.visits, ["bbox": "-9,-9,9,9"]).status == .badRequest)
    // A private home is in no list.
    let found = try app.get(TestApp.visits, ["bbox": "-0.1,-0.1,0.1,0.1"]).json["visits"]
    #expect(found?.arrayValue?.contains { $0["device"]?["id"]?.stringValue == home.id } == false)
  }

  @Test func `an account has five open requests, and a visited device rests`() throws {
    let devices = try (0..<6).map { try app.visitedDevice("Gate \($0)") }
    let ids = try devices.prefix(5).map { try app.asked($0, as: ana) }
    #expect(app.ask(devices[5], as: ana).status == .conflict)
    #expect(app.visit(ids[0], "withdraw", as: ana).status == .ok)
    #expect(app.ask(devices[5], as: ana).status == .created)
    // Open to all at once, because the zone has no volunteers.
    #expect(try app.state(ids[1]) == "open")
    #expect(app.visit(ids[1], "take", as: ana, [:]).status == .conflict)
    #expect(app.visit(ids[1], "take", as: ben, [:]).status == .ok)
    #expect(app.visit(ids[1], "take", as: eva, [:]).status == .conflict)
    #expect(app.visit(ids[1], "outcome", as: ben, ["outcome": "unsafe"]).status == .ok)
    let again = app.ask(devices[1], as: eva)
    #expect(try again.json["type"]?.stringValue == "/problems/visit-rest", "\(again.text)")
    app.clock.advance(by: .seconds(7 * 86_400))
    #expect(app.ask(devices[1], as: eva).status == .created)
  }

  @Test func `a planned visit is reminded of, and a missed one returns to the queue`() throws {
    try app.volunteer(ben)
    let id = try app.asked(try app.visitedDevice(), as: ana)
    let offer = try app.offer(to: ben)
    let early = app.answer(offer, "accept", as: ben, ["planned_for": "2026-11-21T13:59:59Z"])
    #expect(early.status == .unprocessableContent)
    let planned = app.answer(offer, "accept", as: ben, ["planned_for": "2026-11-21T14:00:00Z"])
    #expect(try planned.json["state"]?.stringValue == "planned", "\(planned.text)")
    app.clock.set("2026-11-21T13:49:59Z")
    try app.app.visits.finish()
    #expect(try app.mails.map(\.template) == ["visit_offer"])
    app.clock.set("2026-11-21T13:50:00Z")
    try app.app.visits.finish()
    #expect(try app.lastMail.template == "visit_reminder")
    try app.app.visits.finish()
    #expect(try app.mails.count == 2)
    #expect(app.visit(id, "cancel", as: ben).status == .conflict)
    app.clock.set("2026-11-21T16:00:00Z")
    try app.app.visits.finish()
    // Ben gets no second offer, and there are no other volunteers.
    #expect(try app.state(id) == "open")
    #expect(try app.offer(to: ben) == nil)
    try app.checkVisits()
  }

  @Test func `a planned visit can be moved and cancelled`() throws {
    try app.volunteer(ben)
    let id = try app.asked(try app.visitedDevice(), as: ana)
    _ = app.answer(
      try app.offer(to: ben), "accept", as: ben, ["planned_for": "2026-11-22T14:00:00Z"])
    let moved = app.visit(id, "plan", as: ben, ["planned_for": "2026-11-23T14:00:00Z"])
    #expect(try moved.json["planned_for"]?.stringValue == "2026-11-23T14:00:00Z")
    #expect(app.visit(id, "cancel", as: ben).status == .noContent)
    try app.app.visits.finish()
    #expect(try app.state(id) == "open")
    try app.checkVisits()
  }

  @Test(arguments: ["deleted", "hidden", "private", "merged"])
  func `a device that goes away closes the request with a reason`(why: String) throws {
    try app.volunteer(ben)
    let device = try app.visitedDevice {
      if why == "private" { $0.answersFor = Operator(kind: .household) }
    }
    let id = try app.asked(device, as: ana)
    _ = app.answer(try app.offer(to: ben), "accept", as: ben, [:])
    let moderator = try app.account("mod", role: .moderator)
    switch why {
    case "deleted": try app.withdraw(device)
    case "hidden": try app.hide(device)
    case "merged":
      let other = try app.visitedDevice("Other")
      let answer = app.post(
        "/api/moderation/actions",
        [
          "action": "merge", "reason": "The same.",
          "target": ["type": "device", "id": .string(device.id), "into": .string(other.id)],
        ], as: moderator.identity)
      #expect(answer.status == .ok, "\(answer.text)")
    default:
      try app.edit(device) { $0.columns.append(("setting", "indoor")) }
    }
    try app.app.visits.finish()
    #expect(try app.state(id) == "closed")
    let reported = try app.mails.filter { $0.template == "visit_ended" }
      .compactMap { $0.arguments["username"]?.stringValue }
    #expect(Set(reported) == ["ana", "ben"])
    try app.checkVisits()
  }

  @Test func `the mail about a visit does not name a device that was hidden meanwhile`() throws {
    try app.volunteer(ben)
    let device = try app.visitedDevice("Secret gate")
    let id = try app.asked(device, as: ana)
    _ = app.answer(try app.offer(to: ben), "accept", as: ben, [:])
    try app.hide(device)
    // Before the job that closes the request.
    #expect(app.visit(id, "outcome", as: ben, ["outcome": "unsafe"]).status == .ok)
    let mail = try app.lastMail
    #expect(mail.template == "visit_done")
    #expect(mail.arguments["device"]?.stringValue == "–")
  }

  @Test func `either side can flag the other without learning the name`() throws {
    try app.volunteer(ben)
    let id = try app.asked(try app.visitedDevice(), as: ana)
    #expect(app.visit(id, "flag", as: ana, ["reason": "other"]).status == .notFound)
    _ = app.answer(try app.offer(to: ben), "accept", as: ben, [:])
    #expect(app.visit(id, "flag", as: ana, ["reason": "other"]).status == .notFound)
    #expect(app.visit(id, "flag", as: ben, ["reason": "offensive"]).status == .created)
    _ = app.visit(id, "outcome", as: ben, ["outcome": "not_accessible"])
    #expect(app.visit(id, "flag", as: ana, ["reason": "other"]).status == .created)
    #expect(app.visit(id, "flag", as: eva, ["reason": "other"]).status == .notFound)
    #expect(
      try app.integer("SELECT count(*) FROM flag WHERE about_rowid = ?", [.integer(ben.rowid)])
        == 1)
  }

  @Test func `a moderator sees the queues and withdraws a request with a reason`() throws {
    try app.volunteer(ben)
    let id = try app.asked(try app.visitedDevice(), as: ana)
    let moderator = try app.account("mod", role: .moderator)
    app.clock.advance(by: .seconds(60))
    let queues = try app.get("/api/moderation/visits", as: moderator.identity).json
    #expect(queues["visits"]?[0]?["state"]?.stringValue == "offered")
    #expect(queues["visits"]?[0]?["waiting_seconds"]?.intValue == 60)
    #expect(queues["counts"]?["offered"]?.intValue == 1)
    #expect(queues["zones"]?[0]?["longest_wait_seconds"]?.intValue == 60)
    #expect(queues["zones"]?[0]?["volunteers"] == .null)
    let withdrawn = app.post(
      "/api/moderation/visits/\(id)/withdraw", ["reason": "Harassment."],
      as: moderator.identity)
    #expect(try withdrawn.json["closed_because"]?.stringValue == "moderated")
    #expect(try app.lastMail.arguments["reason"]?.stringValue?.contains("Harassment.") == true)
    #expect(try app.offer(to: ben) == nil)
    #expect(try app.text("SELECT action FROM audit") == "withdraw_visit")
    try app.checkVisits()
  }

  @Test func `other rooms ask for visits in their transactions`() throws {
    let devices = try (0..<3).map { try app.visitedDevice("Gate \($0)") }
    try app.hide(devices[0])
    try app.asked(devices[1], as: ana)
    let count = try app.database.write {
      try VisitRequests(environment: app.environment).ask(
        devices: devices.map(\.id) + ["no id"], reason: .mappingDay, by: ana.rowid, $0)
    }
    #expect(count == 1)
    #expect(
      try app.text("SELECT reason FROM visit_request ORDER BY rowid DESC LIMIT 1")
        == "mapping_day")
  }

  @Test func `a device without a request can be taken`() throws {
    let device = try app.visitedDevice()
    let taken = app.post(
      TestApp.visits + "/take", ["device": .string(device.id)], as: ben.identity)
    #expect(taken.status == .created, "\(taken.text)")
    #expect(try taken.json["reason"]?.stringValue == "no_photo")
    #expect(try taken.json["state"]?.stringValue == "accepted")
    #expect(
      app.post(TestApp.visits + "/take", ["device": .string(device.id)], as: eva.identity).status
        == .conflict)
    try app.checkVisits()
  }

  @Test func `only the asker learns the hour of a request, not even others from its id`() throws {
    let device = try app.visitedDevice()
    app.clock.advance(by: .seconds(1_234))
    let id = try app.asked(device, as: ana)
    try app.app.visits.finish()
    let day = Timestamp(startOf: app.clock.now.day)
    #expect((DeviceID(text: id)?.high ?? 0) >> 16 == UInt64(day.secondsSinceEpoch) * 1_000)
    let path = "\(TestApp.visits)/\(id)"
    #expect(try app.get(path, as: ana.identity).json["asked_at"]?.stringValue == app.clock.now.text)
    let seen = app.get(path, as: ben.identity)
    #expect(try seen.json["asked_at"]?.stringValue == day.text, "\(seen.text)")
    #expect(try app.get(path, as: ben.identity).json["state"] == "open")
  }

  @Test func `people are counted from ten on`() throws {
    for number in 0..<9 { try app.volunteer(try app.account("helper\(number)")) }
    try app.app.works["visits_sweep"]?("{}")
    #expect(try app.get("/api/statistics/visits").json["volunteers"] == .null)
    #expect(VisitFigures.next(9, after: 0) == 0)
    #expect(VisitFigures.next(10, after: 0) == 10)
    #expect(VisitFigures.next(19, after: 10) == 10)
    #expect(VisitFigures.next(20, after: 10) == 20)
    #expect(VisitFigures.next(9, after: 10) == 10, "one person has left")
    #expect(VisitFigures.next(9, after: 20) == 9)
    for (people, shown) in [(0, 0), (9, 0), (10, 10), (12, 10), (13, 15)] as [(Int64, Int64)] {
      #expect(VisitFigures.shown(people) == shown)
    }
    let figures = try app.get("/api/statistics/visits").json
    #expect(figures["hours_to_answer"]?["median"] == .null)
    #expect(figures["by_reason"]?["still_there"]?.intValue == 0)
  }
}
