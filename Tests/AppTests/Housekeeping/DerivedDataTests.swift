@testable import App
import Foundation
@testable import Operations
import PrivacyMap
import Service
import SpatialDatabase
import Testing

/// Outdated derived rows stop no backup, and are computed again.
@Suite struct DerivedDataTests {
  let app: TestApp

  init() throws {
    app = try TestApp()
    try app.device(name: "Harbour camera", longitude: -16.9, latitude: 32.6)
    try app.device(name: "Town hall", longitude: -16.8, latitude: 32.7) { fields in
      fields.answersFor = Operator(name: "Council", kind: .public)
    }
    _ = try app.account("ana")
    _ = try TestCollection.load(TestCollection.points, into: app, id: "houses")
  }

  /// A statement that makes a part outdated.
  private static let drifts = [
    "DELETE FROM device_text WHERE rowid = 1",
    "INSERT INTO device_text (rowid, name) VALUES (9, 'x')",
    "UPDATE device_text SET name = 'Another'", "UPDATE device_text SET operator = 'COUNCIL'",
    "DELETE FROM device_box WHERE rowid = 1", "INSERT INTO device_box VALUES (9, 0, 0, 0, 0, 1, 1)",
    "UPDATE device_box SET west = west + 1, east = east + 1",
    "UPDATE device_box SET category_low = 99, category_high = 99",
    "DELETE FROM device_listing", "INSERT INTO device_listing VALUES (9, NULL, 'Ghost')",
    "UPDATE device_listing SET listed = replace(listed, 'Town', 'Down')",
    "UPDATE device_listing SET key = key + 4294967296",
    "UPDATE device SET public_point = MakePoint(1, 2, 4326) WHERE rowid = 1",
    "UPDATE account_number SET last = 0", "UPDATE collection SET feature_count = 9",
    "DELETE FROM collection_feature_box",
    "INSERT INTO collection_feature_box VALUES (99, 0, 0, 0, 0)",
    "UPDATE collection_feature_box SET west = west + 1, east = east + 1 WHERE rowid = 1",
  ]

  private func plant(_ sql: String) throws { try app.database.write { try $0.execute(sql) } }

  private func findings() throws -> [Finding] {
    try IndexCheck(database: app.database).findings()
  }

  @Test(arguments: drifts)
  func `drift is reported, backed up and repaired`(drift: String) throws {
    try plant(drift)
    let found = try findings()
    #expect(!found.isEmpty && found.allSatisfy(\.isWrittenAgain), "\(found)")
    // Backups copy files.
    if !TestEngine.isPostgreSQL {
      let made = try app.backUp()
      #expect(made.findings == found)
      #expect(made.manifest.findings == found.map(\.description))
    }
    #expect(try DerivedData(map: app.app.map).rebuild(Set(found.compactMap(\.part))) > 0)
    #expect(try findings() == [])
  }

  @Test(
    .onlySQLite("backups copy files"), arguments: drifts)
  func `a backup of drifted data is restored sound`(drift: String) throws {
    try plant(drift)
    let made = try app.backUp()
    let check = try BackupCheck(folder: made.path).run()
    #expect(check.damages == [] && !check.findings.isEmpty)
    let place = try RestoredPlace()
    _ = try place.restore(made.path, from: app)
    #expect(try place.findings() == [])
  }

  @Test(
    .onlySQLite("backups copy files"),
    arguments: [
      [".imposter device_by_name entry", "DELETE FROM entry WHERE name = 'Town hall'"],
      [".imposter device_by_name entry", "INSERT INTO entry VALUES ('Nobody', 99, 99)"],
      ["UPDATE device_box_rowid SET nodeno = 7 WHERE rowid = 1"],
      ["UPDATE collection_feature_box_rowid SET nodeno = 7 WHERE rowid = 1"],
      [
        "UPDATE device_text_data SET block = (SELECT block FROM device_text_data WHERE id = 1) WHERE id > 10"
      ],
    ])
  func `an internally damaged part stops no backup, and a restore rebuilds it`(
    damage: [String]
  ) throws {
    try app.shell(damage)
    let found = try findings()
    #expect(!found.isEmpty && !found.contains(where: \.stopsBackups), "\(found)")
    #expect(found.contains { if case .broken = $0.kind { true } else { false } }, "\(found)")
    let made = try app.backUp()
    let place = try RestoredPlace()
    _ = try place.restore(made.path, from: app)
    #expect(try place.findings() == [])
  }

  @Test(.onlySQLite("backups copy files"))
  func `contradicting rows are reported and stop no backup`() throws {
    try plant("DELETE FROM device_location WHERE device_rowid = 1")
    try plant("UPDATE device SET revision = 7 WHERE rowid = 1")
    let made = try app.backUp()
    #expect(made.findings.count == 2 && made.findings.allSatisfy { $0.kind == .content })
    #expect(try BackupCheck(folder: made.path).run().damages == [])
    // The correct values are unknown, so nothing is changed.
    #expect(try DerivedData(map: app.app.map).rebuild(Set(DerivedPart.allCases)) == 0)
  }

  @Test func `nothing is written without drift`() throws {
    let before = try app.integer("SELECT max(sequence) FROM change")
    #expect(try DerivedData(map: app.app.map).rebuild(Set(DerivedPart.allCases)) == 0)
    #expect(try app.integer("SELECT max(sequence) FROM change") == before)
  }

  @Test func `many rows are repaired in short transactions`() throws {
    _ = try RandomWorld(app, count: 700)
    try plant("UPDATE device_text SET description = 'Another'")
    #expect(try DerivedData(map: app.app.map).rebuild([.texts]) == 702)
    #expect(try findings() == [])
  }

  @Test func `the daily job reports its findings and schedules repairs`() throws {
    try plant("UPDATE device_text SET operator = 'COUNCIL' WHERE rowid = 2")
    try app.database.write {
      try DerivedData.schedule([.texts, .boxes], at: app.clock.now, $0)
      try DerivedData.schedule([.texts], at: app.clock.now, $0)
      try DerivedData.schedule([], at: app.clock.now, $0)
    }
    let job = "SELECT count(*) FROM job WHERE kind = '\(DerivedData.job)'"
    #expect(try app.integer(job) == 1)
    try app.doJobs()
    #expect(try findings() == [])
    #expect(try app.integer(job) == 0)
    #expect(try DerivedData(map: app.app.map).work("{}") == 0)
  }
}

extension TestApp {
  /// Runs commands of the `sqlite3` shell on the database, which has no restrictions.
  func shell(_ commands: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = ["-bail", folder.appendingPathComponent("farol.db").path] + commands
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let words = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ShellTrouble(description: String(decoding: words, as: UTF8.self))
    }
  }

  private struct ShellTrouble: Error, CustomStringConvertible { let description: String }
}
