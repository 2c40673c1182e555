import App
import JSON
@testable import Operations
import PrivacyMap
@testable import Service
@testable import Rights
import SpatialDatabase
import Testing

/// Metrics that need the database are read rarely and quickly.
@Suite struct StoredFigureTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private func reader(_ lifetime: Duration) throws -> StoredFigureReader {
    try StoredFigureReader(
      app.database, pending: app.app.instance.part(), now: app.environment.now,
      lifetime: lifetime)
  }

  @Test func `nothing is read before the first request, nor while it is fresh`() throws {
    let reader = try reader(.seconds(60))
    #expect(reader.latest == nil)
    reader.refresh()
    #expect(try #require(reader.latest).mail.count == 0)
    try app.add(.example(.warned))
    reader.refresh()
    #expect(try #require(reader.latest).mail.count == 0)
  }

  @Test func `outdated values are read again`() throws {
    let reader = try reader(.zero)
    reader.refresh()
    try app.add(.example(.warned))
    app.clock.advance(by: .seconds(30))
    reader.refresh()
    let figures = try #require(reader.latest)
    #expect(figures.mail.count == 1)
    #expect(figures.mail.oldestAge == 30)
    #expect(figures.jobs["mail"]?.overdue == 30)
  }

  @Test func `a choice is overdue from the day after its deadline`() throws {
    let count = try app.database.write { try ChoiceFigures.overdue(on: app.clock.now.day, $0) }
    #expect(count == 0)
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `overdue choices are counted with an index`() throws {
    let day = app.clock.now.day.text
    try app.database.write { connection in
      let plan = try connection.explain(ChoiceFigures.overdueQuery, [.text(day)])
      #expect(plan.joined().contains("INDEX choice_running"), "\(plan)")
    }
  }

  @Test func `watches are counted that are not paused, without comparing changes`() throws {
    let ana = try app.account("ana")
    try app.watch(["mail": "at_once"], of: ana)
    try app.watch(["mail": "daily"], of: ana)
    let count = { [app] in
      try app.database.read { try StoredFigures(at: app.clock.now, app.app.instance.part(), $0) }
        .watches
    }
    #expect(try count() == 2)
    try app.database.write {
      try $0.execute("UPDATE watch SET paused = 1 WHERE mail = 'daily'")
    }
    #expect(try count() == 1)
  }

  @Test func `an abandoned job is no longer overdue`() throws {
    try app.database.write { connection in
      try connection.execute(
        """
        INSERT INTO job (kind, due_at, attempts, failed_at)
        VALUES ('note', '2026-01-01T00:00:00Z', 8, '2026-01-02T00:00:00Z')
        """)
    }
    let figures = try app.database.read {
      try StoredFigures(at: app.clock.now, app.app.instance.part(), $0)
    }
    #expect(figures.jobs["note"]?.givenUp == 1)
    #expect(figures.jobs["note"]?.overdue == 0)
  }

  @Test(arguments: [(0, 10, true), (0, 0, false), (0, -10, false), (1, 10, false)])
  func `a success is known only of a job that is not being retried`(
    attempts: Int64, ahead: Int64, isKnown: Bool
  ) {
    let jobs = StoredFigures.Jobs(givenUp: 0, due: 1_000 + ahead, attempts: attempts, now: 1_000)
    #expect(jobs.lastSuccess(every: .seconds(100)) == (isKnown ? 900 + ahead : nil))
    #expect(jobs.lastSuccess(every: nil) == nil)
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `the last change is found at the end of its index`() throws {
    let plan = try app.database.read { try $0.explain(StoredFigures.lastChange) }
    #expect(plan.joined().contains("SEARCH"), "\(plan)")
  }
}
