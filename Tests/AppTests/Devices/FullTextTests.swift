@testable import App
@testable import Devices
import Foundation
import Import
import JSON
@testable import Lists
@testable import Operations
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// The full-text index of a device equals the stored values, whatever way the device was added.
@Suite struct FullTextTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private var findings: [String] {
    get throws { try IndexCheck(database: app.database).findings().map(\.description) }
  }

  private func operators() throws -> [String] {
    try app.database.read { connection in
      try connection.rows("SELECT operator FROM device_text ORDER BY rowid") { $0.text(0) }
    }
  }

  private static func named(_ name: String, _ kind: String = "company") -> JSONValue {
    ["operator": ["name": .string(name), "kind": .string(kind)]]
  }

  @Test(arguments: [
    ("Acme Cameras", "ACME CAMERAS"), ("Straße AG", "STRASSE AG"), ("Ὀδυσσεύς", "ὈΔΥΣΣΕΎΣ"),
    ("İstanbul", "istanbul"), ("Câmara", "Ca\u{302}mara"), ("Ａｃｍｅ", "Acme"), ("駅 東京", "駅  東京"),
  ])
  func `two spellings of an operator are indexed as one`(first: String, second: String)
    throws
  {
    let people = try [app.account("ana"), app.account("bea")]
    _ = try app.added(Self.named(first), as: people[0])
    _ = try app.added(Self.named(second), longitude: 9, as: people[1])
    #expect(try findings == [])
  }

  @Test func `the operator of a single device is indexed as stored`() throws {
    let person = try app.account()
    _ = try app.added(Self.named("Acme Cameras"), as: person)
    _ = try app.added(Self.named("ACME CAMERAS"), longitude: 9, as: person)
    #expect(try operators() == ["Acme Cameras", "Acme Cameras"])
  }

  @Test func `an edit to another spelling changes nothing`() throws {
    let person = try app.account()
    _ = try app.added(Self.named("Acme Cameras"), as: person)
    let id = try app.added(Self.named("Other"), longitude: 9, as: person)
    let answer = try app.patch(
      id, ["properties": Self.named("acme cameras")], as: person.identity)
    #expect(answer.status == .ok, "\(answer.text)")
    #expect(try operators() == ["Acme Cameras", "Acme Cameras"])
    #expect(try findings == [])
  }

  @Test(arguments: [2, 1_200])
  func `rows with other spellings of an operator are indexed as stored`(count: Int)
    throws
  {
    let mapping = try TestApp.mapping(
      fields: #", "operator": "operator", "operator_kind": "company""#)
    let spellings = ["Walmart", "walmart", "WALMART", "Wálmart"]
    let rows = (0..<count).map { number in
      "\(number),Camera \(number),\(Double(number % 300) / 10),\(Double(number / 300) / 10 + 40),"
        + spellings[number % spellings.count]
    }
    let report = try app.importCSV(
      "id,name,lon,lat,operator\n" + rows.joined(separator: "\n") + "\n", mapping)
    #expect(report.added == count)
    #expect(Set(try operators()) == ["Walmart"])
    #expect(try findings == [])
    // Backups copy files.
    if !TestEngine.isPostgreSQL { #expect(try app.backUp().findings == []) }
  }

  @Test func `a restored device is indexed as stored`() throws {
    let admin = try app.account("root", role: .admin)
    _ = try app.added(Self.named("Acme Cameras"), as: admin)
    let id = try app.added(Self.named("ACME cameras"), longitude: 9, as: admin)
    let device = try #require(DeviceID(text: id))
    let removal = DeviceRemoval(writer: app.writer)
    try app.app.write { connection in
      let rowid = try connection.integer("SELECT rowid FROM device WHERE id = ?", [.text(id)])
      _ = try removal.remove(
        rowid ?? 0, device, DeviceRemoval.Reason(role: "admin", code: "other"), purge: false,
        connection)
      _ = try removal.undo(device, connection)
    }
    #expect(try operators() == ["Acme Cameras", "Acme Cameras"])
    #expect(try findings == [])
  }

  @Test func `a migration repairs outdated full texts`() throws {
    let folder = try TestFolder.make()
    defer { try? FileManager.default.removeItem(at: folder) }
    let early = folder.appendingPathComponent("migrations")
    try FileManager.default.createDirectory(at: early, withIntermediateDirectories: true)
    let all = Repository.root.appendingPathComponent("migrations")
    let names = try FileManager.default.contentsOfDirectory(atPath: all.path).sorted()
    for name in names where name.hasSuffix(".sql") && name < "0025" {
      try FileManager.default.copyItem(
        at: all.appendingPathComponent(name), to: early.appendingPathComponent(name))
    }
    let database = try Database(path: folder.appendingPathComponent("farol.db").path)
    defer { try? database.close() }
    _ = try database.migrate(directory: early.path)
    try database.write { connection in
      for sql in Self.drifted { try connection.execute(sql) }
    }
    _ = try database.migrate(directory: all.path)
    let texts = try database.read { connection in
      try connection.rows("SELECT name, operator, description FROM device_text ORDER BY rowid") {
        [$0.text(0), $0.text(1), $0.text(2)]
      }
    }
    #expect(
      texts == [
        ["Harbour", "Acme", ""], ["Station 駅 ", "Acme", "Over the door"], ["Untouched", "", ""],
      ])
    let found = try IndexCheck(database: database).findings().filter { $0.part == .texts }
    #expect(found == [])
  }

  /// Three devices of an early schema: one with a different spelling of its operator, one without
  /// its text, one that is correct.
  private static var drifted: [String] {
    let devices: [(name: String, operator: String, description: String)] = [
      ("Harbour", "1", "NULL"), ("Station駅", "1", "'Over the door'"), ("Untouched", "NULL", "NULL"),
    ]
    var statements = [
      """
      INSERT INTO category (code, number, position, icon, household, stale_months, collects, dpv,
        osm, origin) VALUES ('camera_fixed', 1, 1, 'camera', 0, 24, '[]', '[]', '{}', 'seed')
      """,
      "INSERT INTO operator (rowid, name, kind) VALUES (1, 'Acme', 'company')",
    ]
    for (place, device) in devices.enumerated() {
      let values = "'\(device.name)', \(device.operator), \(device.description)"
      statements.append(
        """
        INSERT INTO device (rowid, id, name, operator_rowid, description, category, longitude,
          latitude, precision, stale_on, created_at, updated_at, public_point)
        VALUES (\(place + 1), printf('%036d', \(place + 1)), \(values), 'camera_fixed', 7.5, 46.5,
          'exact', '2028-01-01', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z',
          MakePoint(7.5, 46.5, 4326))
        """)
    }
    statements.append(
      """
      INSERT INTO device_text (rowid, name, operator, description)
      VALUES (1, 'Harbour', 'ACME', ''), (3, 'Untouched', '', '')
      """)
    return statements
  }
}
