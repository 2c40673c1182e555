@testable import App
import Foundation
import JSON
@testable import Operations
@testable import Pictures
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// One backup each day, with a limited number kept.
@Suite(.onlySQLite("backups copy files"))
struct BackupScheduleTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private var schedule: Backups {
    var rules = BackupRules()
    rules.daily = 3
    rules.weekly = 2
    return Backups(
      backup: Backup(
        database: app.database, media: app.media.path, snapshots: app.folder.path,
        environment: app.environment), folder: app.backups, rules: rules,
      environment: app.environment)
  }

  private var days: [String] { app.backups.entries().map { $0.madeAt.day.text } }

  @Test func `one backup is made each day, and no second one`() throws {
    #expect(schedule.lastMadeAt == nil)
    try schedule.run()
    app.clock.advance(by: .seconds(3_600))
    try schedule.run()
    #expect(days == ["2026-11-21"])
    app.clock.set("2026-11-22T00:00:00Z")
    try schedule.run()
    #expect(days == ["2026-11-21", "2026-11-22"])
    #expect(schedule.lastMadeAt == app.clock.now)
  }

  @Test func `a clock that was ahead does not prevent the backup of any day`() throws {
    app.clock.set("2036-01-01T00:00:00Z")
    try schedule.run()
    app.clock.set("2026-11-21T12:00:00Z")
    try schedule.run()
    #expect(days == ["2026-11-21", "2036-01-01"])
  }

  @Test func `backups of the last days and of the last weeks are kept`() throws {
    let moments = (0..<40).map { Timestamp(secondsSinceEpoch: 1_795_262_400 + $0 * 43_200) }
    let all = moments.map { BackupFolder.Entry(name: BackupFolder.name(at: $0), madeAt: $0) }
    var rules = BackupRules()
    rules.daily = 3
    rules.weekly = 3
    let outdated = rules.outdated(all)
    let kept = all.filter { !outdated.contains($0) }.map(\.madeAt.text)
    // The last moment is 2026-12-11T00:00:00Z, a Friday; weeks end with Sundays 6 and 29.
    #expect(
      kept == [
        "2026-11-29T12:00:00Z", "2026-12-06T12:00:00Z", "2026-12-09T12:00:00Z",
        "2026-12-10T12:00:00Z", "2026-12-11T00:00:00Z",
      ])
    rules.weekly = 0
    #expect(rules.outdated(all).count == all.count - 3)
    #expect(rules.outdated([]) == [])
    #expect(rules.outdated(Array(all.prefix(1))) == [])
  }

  @Test func `old backups are deleted, and other folders kept`() throws {
    let other = app.backups.path + "/mine"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    for _ in 0..<5 {
      try schedule.run()
      app.clock.advance(by: .seconds(86_400))
    }
    #expect(days == ["2026-11-22", "2026-11-23", "2026-11-24", "2026-11-25"])
    #expect(FileManager.default.fileExists(atPath: other))
    let names = try FileManager.default.contentsOfDirectory(atPath: app.backups.path)
    #expect(names.allSatisfy { !$0.hasPrefix(".") })
  }

  @Test func `a failed backup deletes no earlier ones, and admins see it`() throws {
    for _ in 0..<4 {
      try schedule.run()
      app.clock.advance(by: .seconds(86_400))
    }
    let before = days
    try app.damage("tombstone_content")
    #expect(throws: BackupTrouble.self) { try schedule.run() }
    #expect(days == before)
  }

  @Test func `a backup with drifted data is made, and reports the drift`() throws {
    try app.database.write { connection in
      try connection.execute("INSERT INTO device_box VALUES (7, 0, 0, 0, 0, 1, 1)")
    }
    let made = try #require(try schedule.run())
    #expect(made.findings.map(\.description) == ["1 boxes belong to no device"])
    #expect(schedule.lastFindings() == ["1 boxes belong to no device"])
    #expect(days == ["2026-11-21"])
    #expect(try schedule.run()?.path == nil)
  }

  @Test func `admins see the time of the last backup, or nothing without backups`() throws {
    let admin = try app.account("root", role: .admin)
    let shown = try app.get("/api/admin/overview", as: admin.identity).json
    #expect(shown["backups"] == .null)
    #expect(app.app.repeatedWorks[Backups.job] == nil)
  }
}
