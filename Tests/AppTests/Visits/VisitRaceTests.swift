@testable import App
import JSON
import Locking
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import Visits
import WebServer

/// People and servers that act at the same moment, and servers that are killed.
@Suite struct VisitRaceTests {
  let app: TestApp
  let ana: TestAccount
  let helpers: [TestAccount]

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    helpers = try (0..<4).map { [app] in try app.account("helper\($0)") }
  }

  private func statuses(_ count: Int, _ work: @escaping @Sendable (Int) -> TestAnswer) -> [Int] {
    let found = Locked<[Int]>([])
    Race.run(count) { place in
      let code = work(place).status.code
      found.withLock { $0.append(code) }
    }
    return found.withLock { $0.sorted() }
  }

  @Test func `of two who take an open visit at once, one gets it`() throws {
    let id = try app.asked(try app.visitedDevice(), as: ana)
    let (app, helpers) = (app, helpers)
    #expect(
      statuses(4) { app.visit(id, "take", as: helpers[$0], [:]) } == [200, 409, 409, 409])
    try app.checkVisits()
  }

  @Test func `an offer that is accepted and declined at once has one answer`() throws {
    try app.volunteer(helpers[0])
    _ = try app.asked(try app.visitedDevice(), as: ana)
    let offer = try app.offer(to: helpers[0])
    let (app, helper) = (app, helpers[0])
    let found = statuses(2) { place in
      place == 0
        ? app.answer(offer, "accept", as: helper, [:]) : app.answer(offer, "decline", as: helper)
    }
    #expect(found == [200, 409] || found == [204, 409])
    try app.checkVisits()
  }

  @Test func `an answer and the deadline at once leave one offer at most`() throws {
    for helper in helpers { try app.volunteer(helper) }
    let id = try app.asked(try app.visitedDevice(), as: ana)
    let (app, helpers) = (app, helpers)
    let offer = try app.offer(to: helpers[0])
    app.clock.advance(by: .seconds(VisitRules.usualAnswer))
    Race.run(4) { place in
      switch place {
      case 0: _ = app.answer(offer, "decline", as: helpers[0])
      case 1: _ = app.answer(offer, "accept", as: helpers[0], [:])
      default: try? app.app.visits.finish()
      }
    }
    try app.app.visits.finish()
    #expect(try app.state(id) == "offered")
    #expect(try app.integer("SELECT count(*) FROM visit_offer WHERE state = 'pending'") == 1)
    #expect(try app.offer(to: helpers[0]) == nil)
    try app.checkVisits()
  }

  @Test func `many searches at once make one offer of each request`() throws {
    let app = app
    for helper in helpers { try app.volunteer(helper) }
    let devices = try (0..<4).map { try app.visitedDevice("Gate \($0)") }
    for device in devices { #expect(app.ask(device, as: ana).status == .created) }
    Race.run(4) { _ in try? app.app.visits.finish() }
    app.clock.advance(by: .seconds(1))
    try app.app.visits.finish()
    #expect(try app.integer("SELECT count(*) FROM visit_offer") == 4)
    #expect(try app.integer("SELECT count(DISTINCT account_rowid) FROM visit_offer") == 4)
    try app.checkVisits()
  }

  @Test func `a server that is killed while it makes an offer leaves nothing of it`() throws {
    struct Killed: Error {}
    try app.volunteer(helpers[0])
    let answer = app.ask(try app.visitedDevice(), as: ana)
    let workflow = app.app.visits.workflow
    let id = try #require(try answer.json["id"]?.stringValue)
    #expect(throws: Killed.self) {
      try app.database.write { connection in
        let visit = try workflow.store.one(id, connection)
        #expect(try workflow.offer(visit.rowid, to: helpers[0].rowid, connection))
        throw Killed()
      }
    }
    #expect(try app.state(id) == "waiting")
    #expect(try app.mails.isEmpty)
    try app.app.visits.finish()
    #expect(try app.offer(to: helpers[0]) != nil)
    try app.checkVisits()
  }

  @Test func `a volunteer who has changed since the search is not asked`() throws {
    let helper = helpers[0]
    try app.volunteer(helper)
    let answer = app.ask(try app.visitedDevice(), as: ana)
    let id = try #require(try answer.json["id"]?.stringValue)
    let workflow = app.app.visits.workflow
    func offer(after change: (Connection) throws -> Void) throws -> Bool {
      struct Undone: Error { let isMade: Bool }
      do {
        try app.database.write { connection in
          try change(connection)
          let visit = try workflow.store.one(id, connection)
          throw Undone(isMade: try workflow.offer(visit.rowid, to: helper.rowid, connection))
        }
      } catch let undone as Undone { return undone.isMade }
      return false
    }
    #expect(try offer { _ in })
    let far = VisitCell(.clamped(longitude: 1, latitude: 1))
    for settings in [
      TestApp.settings { $0.isPaused = true }, TestApp.settings { $0.kinds = ["microphone"] },
      TestApp.settings(far),
    ] {
      #expect(try !offer { try workflow.volunteers.put(settings, of: helper.rowid, $0) })
    }
    for statement in [
      "UPDATE account SET suspended_at = created_at WHERE rowid = ?",
      "UPDATE account SET confirmed_at = NULL WHERE rowid = ?",
      "UPDATE visit_volunteer SET offers_per_day = offers_per_day - 4, free_until = free_from WHERE account_rowid = ?",
    ] {
      #expect(try !offer { try $0.execute(statement, [.integer(helper.rowid)]) }, "\(statement)")
    }
    // The volunteer has taken another visit.
    let other = try app.visitedDevice("Other", longitude: 0.002)
    let taken = app.post(
      TestApp.visits + "/take", ["device": .string(other.id)], as: helper.identity)
    #expect(taken.status == .created, "\(taken.text)")
    #expect(try !offer { _ in })
    try app.checkVisits()
  }

  @Test func `a clock that jumps back delays no offer for longer than its time`() throws {
    for helper in helpers { try app.volunteer(helper) }
    let id = try app.asked(try app.visitedDevice(), as: ana)
    app.clock.set("2026-12-11T12:00:00Z")
    try app.app.visits.finish()
    app.clock.set("2026-11-21T12:00:00Z")
    try app.app.visits.finish()
    app.clock.advance(by: .seconds(VisitRules.usualAnswer + VisitRules.maxPause))
    try app.app.visits.finish()
    #expect(try ["offered", "open"].contains(app.state(id)))
    #expect((try app.integer("SELECT count(*) FROM visit_offer") ?? 0) >= 2)
    try app.checkVisits()
  }

  @Test func `an account that is deleted while an offer waits passes it on`() throws {
    for helper in helpers.prefix(2) { try app.volunteer(helper) }
    let id = try app.asked(try app.visitedDevice(), as: ana)
    #expect(try app.offer(to: helpers[0]) != nil)
    let gone = app.send(
      .delete, "/api/account", json: ["password": .string(TestAccount.password)],
      as: helpers[0].identity)
    #expect(gone.status == .noContent, "\(gone.text)")
    #expect(try app.state(id) == "waiting")
    try app.app.visits.finish()
    #expect(try app.offer(to: helpers[1]) != nil)
    try app.checkVisits()
  }

  @Test func `random people, kills and jumps of the clock lose no request`() throws {
    var random = SeededNumbers(seed: 5)
    for helper in helpers { try app.volunteer(helper) }
    let devices = try (0..<6).map { try app.visitedDevice("Gate \($0)") }
    for _ in 0..<400 {
      let helper = try #require(helpers.randomElement(using: &random))
      let open = try app.text(
        "SELECT id FROM visit_request WHERE closed_at IS NULL ORDER BY rowid DESC LIMIT 1")
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1: _ = app.ask(try #require(devices.randomElement(using: &random)), as: ana)
      case 2, 3: _ = app.answer(try app.offer(to: helper), "decline", as: helper)
      case 4: _ = app.answer(try app.offer(to: helper), "accept", as: helper, [:])
      case 5: _ = app.visit(open ?? "", "take", as: helper, [:])
      case 6: _ = app.visit(open ?? "", "cancel", as: helper)
      case 7: _ = app.visit(open ?? "", "outcome", as: helper, ["outcome": "confirmed"])
      case 8: app.clock.advance(by: .seconds(Int64.random(in: 1...50_000, using: &random)))
      case 9: app.clock.advance(by: .seconds(-Int64.random(in: 1...9_000, using: &random)))
      case 10: _ = app.send(.delete, TestApp.visits + "/volunteer", as: helper.identity)
      default: try app.volunteer(helper)
      }
      if Bool.random(using: &random) { try app.app.visits.finish() }
      try app.checkVisits()
    }
    for helper in helpers { try app.volunteer(helper) }
    for _ in 0..<200 {
      app.clock.advance(by: .seconds(3_600))
      try app.app.visits.finish()
      for helper in helpers {
        _ = app.answer(try app.offer(to: helper), "accept", as: helper, [:])
        for visit in try app.get(TestApp.visits + "/now", as: helper.identity)
          .json["visits"]?.arrayValue ?? []
        {
          _ = app.visit(
            visit["id"]?.stringValue ?? "", "outcome", as: helper, ["outcome": "confirmed"])
        }
        let open = try app.text("SELECT id FROM visit_request WHERE state = 'open'")
        if let open { _ = app.visit(open, "take", as: helper, [:]) }
      }
    }
    #expect(try app.integer("SELECT count(*) FROM visit_request WHERE closed_at IS NULL") == 0)
    #expect((try app.integer("SELECT count(*) FROM visit_request WHERE state = 'done'") ?? 0) > 5)
  }
}

/// Two servers on one database.
@Suite(.serialized) struct VisitServerTests {
  @Test func `two servers that search at once never offer a request twice`() throws {
    let one = try TestApp(onPostgreSQLBeside: nil)
    let two = try TestApp(onPostgreSQLBeside: one)
    let ana = try one.account("ana")
    let helpers = try (0..<10).map { try one.account("helper\($0)") }
    for helper in helpers { try one.volunteer(helper) }
    let devices = try (0..<5).map { try one.visitedDevice("Gate \($0)") }
    for device in devices { #expect(one.ask(device, as: ana).status == .created) }
    for round in 1...3 {
      Race.run(4) { place in try? (place % 2 == 0 ? one : two).app.visits.finish() }
      for app in [one, two] { app.clock.advance(by: .seconds(2)) }
      try two.app.visits.finish()
      #expect(try one.integer("SELECT count(*) FROM visit_offer WHERE state = 'pending'") == 5)
      try one.checkVisits()
      // All decline at once, half of them on each server.
      let offers = try helpers.map { try one.offer(to: $0) }
      Race.run(helpers.count) { place in
        guard let offer = offers[place] else { return }
        _ = (place % 2 == 0 ? one : two).answer(offer, "decline", as: helpers[place])
      }
      try one.checkVisits()
      #expect(try one.integer("SELECT count(*) FROM visit_offer") == Int64(5 * round))
    }
  }
}
