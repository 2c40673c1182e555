@testable import App
@testable import Devices
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Attempts to learn from roles which account represents an organisation.
@Suite struct OrganisationAttackTests {
  /// Two worlds: Ana represents an approved organisation in the first, Ben in the second.
  private func represented() throws -> TwoWorlds {
    try TwoWorlds { app, world in
      let people = try ["ana", "ben"].map { try app.account($0) }
      _ = try app.added(as: people[0])
      _ = try app.added(longitude: 8, as: people[1])
      _ = try app.approved(as: people[world])
    }
  }

  @Test func `public responses do not reveal which account represents an organisation`() throws {
    let worlds = try represented()
    for name in ["ana", "ben"] {
      worlds.expectAlike("profile") { $0.get("/api/people/\(name)") }
      worlds.expectAlike("page") { $0.get("/people/\(name)") }
    }
    for path in TestApp.publicPaths + ["/api/feeds/changes.atom", "/api/statistics/people"] {
      #expect(!worlds.one.get(path).text.contains("\"role\""), "\(path)")
    }
    for app in [worlds.one, worlds.other] {
      let devices = try app.database.read { connection in
        try connection.rows("SELECT id FROM device ORDER BY id") { $0.text(0) }
      }
      for device in devices {
        for path in ["", "/history", "/claims", "/photos"] {
          #expect(!app.get(Path.item(device) + path).text.contains("\"role\""), "\(path)")
        }
      }
    }
  }

  @Test func `the profile of an account stays the same as its organisation is approved`() throws {
    let app = try TestApp()
    let ana = try app.account("ana")
    let before = app.get("/api/people/ana")
    let speaker = try app.approved(as: ana)
    let after = app.get("/api/people/ana")
    #expect(after.bytes == before.bytes)
    #expect(after.headers["ETag"] == before.headers["ETag"])
    // The account itself sees its role.
    #expect(
      try app.get("/api/session", as: speaker.identity).json["account"]?["role"] == "operator")
  }

  @Test func `roles of moderators and admins are public`() throws {
    let app = try TestApp()
    for role in Role.allCases {
      _ = try app.account("one-\(role.rawValue)", role: role)
      let shown = try app.get("/api/people/one-\(role.rawValue)").json["role"]?.stringValue
      #expect(shown == (role == .operator ? "contributor" : role.rawValue))
    }
  }

  @Test func `moderators do not learn which account represents an organisation`() throws {
    for world in 0...1 {
      let app = try TestApp()
      let people = try ["ana", "ben"].map { try app.account($0) }
      _ = try app.approved(as: people[world])
      let flagged = app.post(
        "/api/flags",
        ["target": ["type": "account", "id": .string(people[0].id)], "reason": "spam"],
        as: try app.signIn(people[1].rowid))
      try #require(flagged.status == .created, "\(flagged.text)")
      let mia = try app.account("mia", role: .moderator)
      let queue = app.get("/api/moderation/queue", as: mia.identity)
      try #require(queue.status == .ok, "\(queue.text)")
      #expect(queue.text.contains("\"username\":\"ana\""))
      #expect(queue.text.contains("\"role\":\"contributor\""))
      #expect(!queue.text.contains("\"role\":\"operator\""))
    }
  }

  @Test func `a deletion does not reveal that its author represents an organisation`() throws {
    let app = try TestApp()
    let id = try app.added(as: try app.account("ana"))
    let device = try #require(DeviceID(text: id))
    let rowid = try #require(try app.integer("SELECT rowid FROM device WHERE id = ?", [.text(id)]))
    try app.app.write { connection in
      _ = try DeviceRemoval(writer: app.writer).remove(
        rowid, device, DeviceRemoval.Reason(role: Role.operator.rawValue, code: "other"),
        purge: false, connection)
    }
    let gone = app.get(Path.item(id))
    #expect(gone.status == .gone)
    #expect(try gone.json["deleted_by"] == "contributor")
  }
}
