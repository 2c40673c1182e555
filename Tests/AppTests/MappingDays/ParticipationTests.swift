@testable import Accounts
@testable import App
import Foundation
import JSON
import Locking
@testable import MappingDays
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Joining, leaving and the waiting list of mapping days.
@Suite struct ParticipationTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  private func people(_ names: String...) throws -> [TestAccount] {
    try names.map { try app.account($0) }
  }

  @Test func `the waiting list moves up by itself, in its order`() throws {
    let id = try app.day(of: ana, .approved, ["maximum": 2])
    let all = try people("one", "two", "three", "four")
    for account in all { #expect(app.join(id, account).status == .ok) }
    #expect(try all.map { try app.place(id, $0) } == ["joined", "joined", "waiting", "waiting"])
    #expect(
      try app.get(TestApp.day(id), as: all[3].identity).json["participation"]?["position"]?
        .intValue == 2)
    let left = app.send(.delete, TestApp.day(id, "participation"), as: all[0].identity)
    #expect(left.status == .ok)
    #expect(try all.map { try app.place(id, $0) } == [nil, "joined", "joined", "waiting"])
    #expect(try app.dayMails().suffix(1) == ["mapping_day_promoted three"])
    // A person on the waiting list leaves: no other person moves up.
    _ = app.send(.delete, TestApp.day(id, "participation"), as: all[3].identity)
    #expect(try app.dayMails().filter { $0.hasPrefix("mapping_day_promoted") }.count == 1)
  }

  @Test func `joining or leaving twice changes nothing more`() throws {
    let id = try app.day(of: ana)
    let rui = try app.account("rui")
    for _ in 0..<2 { #expect(app.join(id, rui).status == .ok) }
    #expect(try app.count("mapping_day_participant") == 1)
    for _ in 0..<2 {
      #expect(app.send(.delete, TestApp.day(id, "participation"), as: rui.identity).status == .ok)
    }
    #expect(try app.count("mapping_day_participant") == 0)
  }

  @Test func `twenty who join the last place at once share it among one`() throws {
    let id = try app.day(of: ana, .approved, ["maximum": 3])
    for one in try people("one", "two") { app.join(id, one) }
    let many = try (0..<20).map { try app.account("person\($0)") }
    let statuses = Locked<[Status]>([])
    Race.run(many.count) { [app] place in
      let status = app.join(id, many[place]).status
      statuses.withLock { $0.append(status) }
    }
    #expect(statuses.withLock { $0 }.allSatisfy { $0 == .ok })
    let joined = try app.integer(
      "SELECT count(*) FROM mapping_day_participant WHERE state = 'joined'")
    #expect(joined == 3)
    #expect(try app.count("mapping_day_participant") == 22)
  }

  @Test func `those who leave at once give their places to as many`() throws {
    let id = try app.day(of: ana, .approved, ["maximum": 5])
    let many = try (0..<12).map { try app.account("person\($0)") }
    for one in many { app.join(id, one) }
    Race.run(5) { [app] place in
      _ = app.send(.delete, TestApp.day(id, "participation"), as: many[place].identity)
    }
    let joined = try app.database.read { connection in
      try connection.rows(
        """
        SELECT account.username FROM mapping_day_participant AS part
        JOIN account ON account.rowid = part.account_rowid WHERE part.state = 'joined'
        ORDER BY part.rowid
        """
      ) { $0.text(0) }
    }
    #expect(joined == (5..<10).map { "person\($0)" })
    #expect(try app.dayMails().filter { $0.hasPrefix("mapping_day_promoted") }.count == 5)
  }

  @Test func `names are shown with consent, and numbers from ten on`() throws {
    let id = try app.day(of: ana)
    let many = try (0..<10).map { try app.account("person\($0)") }
    for (place, one) in many.enumerated() where place < 9 {
      app.join(id, one, showsName: place == 3)
    }
    var shown = try app.get(TestApp.day(id)).json
    #expect(shown["people"] == .null)
    #expect(shown["names"] == ["person3"])
    app.join(id, many[9])
    shown = try app.get(TestApp.day(id)).json
    #expect(shown["people"]?.intValue == 10)
    // The consent can be withdrawn.
    app.join(id, many[3], showsName: false)
    #expect(try app.get(TestApp.day(id)).json["names"] == [])
    #expect(
      try app.get(TestApp.day(id), as: ana.identity).json["own"]?["participants"]?.intValue == 10)
  }

  @Test func `the organiser writes three mails, and sees no address`() throws {
    let id = try app.day(of: ana)
    let all = try people("one", "two", "three")
    for one in all { app.join(id, one) }
    for _ in 0..<3 {
      let answer = app.post(TestApp.day(id, "mails"), ["text": "Bring water"], as: ana.identity)
      #expect(answer.status == .accepted, "\(answer.text)")
      #expect(!answer.text.contains("@"))
    }
    let fourth = app.post(TestApp.day(id, "mails"), ["text": "One more"], as: ana.identity)
    #expect(fourth.status == .conflict)
    #expect(try fourth.type == "/problems/too-many-mails")
    try app.app.mappingDays.finish()
    let mails = try app.dayMails().filter { $0.hasPrefix("mapping_day_message") }
    #expect(mails.count == 9)
    #expect(
      app.post(TestApp.day(id, "mails"), ["text": "Spam"], as: all[0].identity).status
        == .forbidden)
    #expect(!app.get(TestApp.day(id), as: ana.identity).text.contains("@"))
  }

  @Test func `mails to many are queued in portions, each once, also after a kill`() throws {
    let id = try app.day(of: ana, .approved, ["maximum": 200])
    let many = try (0..<120).map { try app.account("person\($0)") }
    for one in many { app.join(id, one) }
    _ = app.post(TestApp.day(id, "mails"), ["text": "Bring water"], as: ana.identity)
    let mails = app.app.mappingDays.mails
    // A server that is killed in the middle of a portion loses the portion and its progress together.
    struct Killed: Error {}
    _ = try? app.database.write { connection in
      _ = try mails.queueNext(connection)
      throw Killed()
    }
    #expect(try app.database.write { try mails.queueNext($0) })
    try app.app.mappingDays.finish()
    let found = try app.dayMails().filter { $0.hasPrefix("mapping_day_message") }
    #expect(found.count == 120)
    #expect(Set(found).count == 120)
  }

  @Test func `an erased account gives its place to the waiting list`() throws {
    let id = try app.day(of: ana, .approved, ["maximum": 1])
    let all = try people("one", "two")
    for one in all { app.join(id, one) }
    try erase(all[0])
    #expect(try app.place(id, all[1]) == "joined")
    #expect(try app.dayMails().contains("mapping_day_promoted two"))
  }

  @Test func `an account joins thirty times in an hour`() throws {
    let id = try app.day(of: ana, .approved)
    let rui = try app.account("rui")
    for _ in 0..<30 {
      #expect(app.join(id, rui).status == .ok)
      // The name is no new part.
      #expect(app.join(id, rui, showsName: true).status == .ok)
      #expect(
        app.send(.delete, TestApp.day(id, "participation"), as: rui.identity).status == .ok)
    }
    #expect(app.join(id, rui).status == .tooManyRequests)
    app.clock.advance(by: .seconds(3_600))
    #expect(app.join(id, rui).status == .ok)
  }

  @Test func `days of an erased organiser`() throws {
    let draft = try app.day(of: ana, .draft)
    let coming = try app.day(of: ana)
    let rui = try app.account("rui")
    app.join(coming, rui)
    try erase(ana)
    #expect(app.get(TestApp.day(draft)).status == .notFound)
    let shown = try app.get(TestApp.day(coming)).json
    #expect(shown["state"]?.stringValue == "cancelled")
    #expect(shown["organiser"] == .null)
    try app.app.mappingDays.finish()
    #expect(try app.dayMails() == ["mapping_day_cancelled rui"])
  }

  @Test func `a running day goes on without its organiser`() throws {
    let id = try app.day(of: ana, .running)
    try erase(ana)
    #expect(try app.get(TestApp.day(id)).json["state"]?.stringValue == "running")
    app.clock.advance(by: .seconds(4 * 3_600))
    try app.app.mappingDays.finish()
    #expect(try app.get(TestApp.day(id)).json["state"]?.stringValue == "over")
  }

  @Test func `participation is forgotten thirty days after the end`() throws {
    let id = try app.day(of: ana)
    app.join(id, try app.account("rui"))
    app.clock.advance(by: .seconds(7 * 3_600))
    try app.app.mappingDays.finish()
    let sweep = DaySweep(days: app.app.mappingDays.days, database: app.database)
    app.clock.advance(by: .seconds(30 * 86_400 - 1))
    try sweep.run()
    #expect(try app.count("mapping_day_participant") == 1)
    app.clock.advance(by: .seconds(1))
    try sweep.run()
    #expect(try app.count("mapping_day_participant") == 0)
    #expect(try app.count("mapping_day") == 1)
  }

  private func erase(_ account: TestAccount) throws {
    let now = app.clock.now
    try app.database.write { connection in
      let stored = try #require(try AccountStore().account(account.rowid, connection))
      try AccountErasure(now: now, features: App.kinds).erase(stored, connection)
    }
  }
}
