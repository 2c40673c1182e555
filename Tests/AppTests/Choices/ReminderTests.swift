@testable import App
import JSON
import PrivacyMap
@testable import Rights
import SpatialDatabase
import Testing
import WebServer

/// Reminders by mail, with a clock that the test moves.
@Suite struct ReminderTests {
  let app: TestApp
  let ana: TestAccount
  /// Due on 21 December 2026.
  let id: String

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    let device = try app.added(as: try app.account("ben"))
    id = try app.choice(of: ana, about: device)
    app.event(id, "sent", ["channel": "email"], as: ana)
  }

  /// The templates of the mails queued since the last call, after the job has run.
  private func reminded(_ moment: String) throws -> [String] {
    app.clock.set(moment)
    try ChoiceReminders(choices: app.app.choices).run()
    try ChoiceReminders(choices: app.app.choices).run()
    return try app.database.write { connection in
      let found = try connection.rows("SELECT template FROM mail ORDER BY rowid") { $0.text(0) }
      try connection.execute("DELETE FROM mail")
      return found
    }
  }

  @Test func `one reminder is sent before, on and after the day each`() throws {
    #expect(try reminded("2026-12-17T23:00:00Z") == [])
    #expect(try reminded("2026-12-18T00:00:00Z") == ["choice_before"])
    #expect(try reminded("2026-12-20T23:00:00Z") == [])
    #expect(try reminded("2026-12-21T00:00:00Z") == ["choice_on"])
    #expect(try reminded("2026-12-21T23:59:59Z") == [])
    #expect(try reminded("2026-12-22T00:00:00Z") == ["choice_after"])
    #expect(try reminded("2027-01-22T00:00:00Z") == [])
  }

  @Test func `a reminder missed while the server was down is sent later, once`() throws {
    #expect(try reminded("2026-12-19T10:00:00Z") == ["choice_before"])
    #expect(try reminded("2026-12-29T10:00:00Z") == ["choice_after"])
    #expect(try reminded("2026-12-30T10:00:00Z") == [])
  }

  @Test func `finished and muted choices get no reminder`() throws {
    app.event(id, "honoured", as: ana)
    #expect(try reminded("2026-12-22T00:00:00Z") == [])
  }

  @Test func `users who switch reminders off get none`() throws {
    let change: JSONValue = ["reminders": false]
    #expect(app.send(.patch, "/api/choices/\(id)", json: change, as: ana.identity).status == .ok)
    #expect(try reminded("2026-12-22T00:00:00Z") == [])
  }

  @Test func `an extension has reminders for its own day`() throws {
    #expect(try reminded("2026-12-18T10:00:00Z") == ["choice_before"])
    app.event(id, "extended", ["reason": "number"], as: ana)
    #expect(try reminded("2026-12-22T10:00:00Z") == [])
    #expect(try reminded("2027-02-20T10:00:00Z") == ["choice_before"])
    #expect(try reminded("2027-02-22T10:00:00Z") == ["choice_on"])
    #expect(try reminded("2027-02-23T10:00:00Z") == ["choice_after"])
  }

  @Test func `the job is one of the program's repeated jobs`() {
    #expect(app.app.works[ChoiceReminders.job] != nil)
    #expect(app.app.repeatedWorks[ChoiceReminders.job] == .seconds(3_600))
  }
}
