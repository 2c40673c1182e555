@testable import App
import JSON
import Logging
@testable import Operations
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct OverviewTests {
  let app: TestApp
  let admin: TestAccount

  init() throws {
    app = try TestApp()
    admin = try app.account("root", role: .admin)
  }

  private func overview() throws -> JSONValue {
    let answer = app.get("/api/admin/overview", as: admin.identity)
    #expect(answer.status == .ok)
    return try answer.json
  }

  @Test func `devices and accounts are counted by state and over time`() throws {
    let ana = try app.account("ana", isNew: true)
    _ = try app.account("eva", isConfirmed: false)
    _ = try app.device(by: ana)
    app.clock.advance(by: .seconds(86_400))
    _ = try app.device { $0.status = .removed }
    try app.hide(try app.device(by: ana))
    let shown = try overview()
    #expect(
      shown["devices"]?["by_status"]
        == [
          "reported": 1, "confirmed": 0, "disputed": 0, "removed": 1, "not_a_device": 0,
          "hidden": 1, "deleted": 0,
        ])
    let days = shown["devices"]?["per_day"]?.arrayValue ?? []
    #expect(days.count == 30)
    #expect(days.last == ["day": "2026-11-22", "count": 2])
    #expect(days.dropLast().last == ["day": "2026-11-21", "count": 1])
    let months = shown["devices"]?["per_month"]?.arrayValue ?? []
    #expect(months.count == 12)
    #expect(months.first?["month"]?.stringValue == "2025-12")
    #expect(months.last == ["month": "2026-11", "count": 3])
    #expect(
      shown["accounts"]?["by_state"]
        == [
          "confirmed": 2, "unconfirmed": 1, "suspended": 0, "operators": 0, "moderators": 0,
          "admins": 1,
        ])
  }

  @Test func `waiting and abandoned jobs are reported`() throws {
    let device = try app.device()
    app.flag("device", device.id, as: admin.identity)
    try app.database.write { connection in
      try connection.execute(
        """
        INSERT INTO job (kind, due_at, failed_at) VALUES
          ('mail', '2026-11-21T12:00:00Z', '2026-11-21T12:00:00Z'),
          ('export', '2026-11-21T12:00:00Z', NULL)
        """)
    }
    let shown = try overview()
    #expect(shown["queue"]?["open"]?.intValue == 1)
    #expect(shown["queue"]?["oldest_at"]?.stringValue == "2026-11-21T12:00:00Z")
    #expect(shown["mail"]?["failed"]?.intValue == 1)
    #expect(shown["jobs"]?["failed"]?.intValue == 1)
    #expect(shown["jobs"]?["given_up"]?[0]?["kind"]?.stringValue == "mail")
    #expect((shown["storage"]?["database"]?.intValue ?? 0) > 100_000)
    #expect((shown["storage"]?["free"]?.intValue ?? 0) > 0)
  }

  @Test func `proposed lists count as waiting, but are no items of the queue`() throws {
    let moderator = try app.account("mia", role: .moderator)
    #expect(app.propose(TestProposal.list(2), as: moderator.identity).status == .created)
    let queue = try overview()["queue"]
    #expect(queue?["open"]?.intValue == 1)
    #expect(queue?["by_kind"]?["list"]?.intValue == 1)
    let page = try app.get("/api/moderation/queue", as: moderator.identity).json
    #expect(page["items"]?.arrayValue == [])
    #expect(page["counts"]?.objectValue?["list"] == nil)
    let only = app.get("/api/moderation/queue", ["kind": "list"], as: moderator.identity)
    #expect(only.status == .badRequest)
  }

  @Test func `errors of the log are shown, the latest first and each once`() throws {
    app.app.logger.error("one thing", metadata: ["error": "went wrong"])
    app.app.logger.warning("no error")
    app.clock.advance(by: .seconds(60))
    app.app.logger.error("another")
    app.app.logger.error("one thing", metadata: ["error": "went wrong"])
    let errors = try overview()["errors"]?.arrayValue
    #expect(
      errors == [
        ["at": "2026-11-21T12:01:00Z", "message": "one thing: went wrong", "count": 2],
        ["at": "2026-11-21T12:01:00Z", "message": "another", "count": 1],
      ])
  }

  @Test func `the last fifty errors are kept, each shortened`() {
    let errors = RecentErrors(now: { Timestamp(secondsSinceEpoch: 0) })
    for number in 0..<60 { errors.note("error \(number)") }
    #expect(errors.all.count == 50)
    #expect(errors.all.first?.message == "error 59" && errors.all.last?.message == "error 10")
    errors.note(String(repeating: "x", count: 1_000))
    #expect(errors.all.first?.message.count == 300)
  }

  @Test func `only admins can read the overview`() throws {
    let moderator = try app.account("mod", role: .moderator)
    #expect(app.get("/api/admin/overview", as: moderator.identity).status == .forbidden)
    #expect(app.get("/api/admin/overview").status == .unauthorized)
    let token = try app.token(admin.rowid, [.admin])
    #expect(app.get("/api/admin/overview", as: token).status == .ok)
  }
}
