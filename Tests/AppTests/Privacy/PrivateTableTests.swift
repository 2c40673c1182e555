@testable import App
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// The connections for public responses cannot read true points.
@Suite struct PrivateTableTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  @Test(arguments: [
    "SELECT longitude FROM device_location", "SELECT device_rowid FROM device_location",
    "SELECT count(*) FROM device_location", "SELECT * FROM revision_location",
    "SELECT 1 FROM device JOIN device_location ON device_rowid = device.rowid",
    "SELECT EXISTS (SELECT 1 FROM revision_location WHERE longitude > 7)",
    "WITH away AS (SELECT * FROM device_location) SELECT longitude FROM away",
    "SELECT content FROM tombstone_content",
    "SELECT name FROM device WHERE rowid IN (SELECT device_rowid FROM device_location)",
  ])
  func `a statement that reads a true point is refused before it runs`(sql: String) throws {
    #expect(throws: DatabaseFault.self) {
      try app.database.read { try $0.forEach(sql) { _ in } }
    }
    // The same statement is valid where it is allowed.
    try app.database.readPrivate { try $0.forEach(sql) { _ in } }
    try app.app.write { try $0.forEach(sql) { _ in } }
  }

  @Test(.onlySQLite("PostgreSQL has no second name for a key"))
  func `a statement that reads a key by its second name is refused too`() throws {
    #expect(throws: DatabaseFault.self) {
      try app.database.read { try $0.forEach("SELECT rowid FROM device_location") { _ in } }
    }
  }

  @Test func `no public response needs true points`() throws {
    let ana = try app.account("ana")
    let mia = try app.account("mia", role: .moderator)
    let id = try app.added(["precision": "1km"], as: ana)
    _ = try app.patch(id, ["geometry": ["coordinates": [7.5, 47]]], as: ana.identity)
    for endpoint in app.app.endpoints where endpoint.method == .get {
      let path = endpoint.path.replacing("{id}", with: id).replacing("{revision}", with: "1")
        .replacing("{scheme}", with: "data").replacing("{collectionId}", with: "devices")
        .replacing("{z}", with: "0").replacing("{x}", with: "0").replacing("{y}", with: "0")
        .replacing("{tileMatrix}", with: "0").replacing("{tileRow}", with: "0")
        .replacing("{tileCol}", with: "0")
      for identity in [Identity.visitor, ana.identity, mia.identity] {
        let answer = app.get(path, as: identity)
        #expect(answer.status.code < 500, "\(path)")
      }
    }
    #expect(app.log.lines.isEmpty)
  }

  @Test func `a revision contains no true point`() throws {
    let ana = try app.account("ana")
    let id = try app.added(
      ["precision": "1km"], longitude: 7.4391827, latitude: 46.9518273, as: ana)
    _ = try app.patch(id, ["geometry": ["coordinates": [8.5391827, 46.9618273]]], as: ana.identity)
    let kept = try app.database.read { connection in
      try connection.rows("SELECT before FROM revision") { $0.optionalText(0) ?? "" }.joined()
    }
    #expect(!kept.contains("7.43918") && !kept.contains("8.53918"))
    #expect(throws: DatabaseFault.self) {
      try app.app.write { connection in
        try connection.execute("UPDATE revision SET before = '{\"place\":[7,46]}'")
      }
    }
  }
}
