@testable import Devices
import JSON
@testable import Operations
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// `POST /api/admin/deletions`: by id or by name, first a preview and then the confirmation.
@Suite struct DeletionAdminTests {
  let app: TestApp
  let admin: TestAccount
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    admin = try app.account("root", role: .admin)
    ana = try app.account("ana")
  }

  private func ask(_ body: JSONValue, as account: TestAccount? = nil) -> TestAnswer {
    app.send(.post, "/api/admin/deletions", json: body, as: (account ?? admin).identity)
  }

  private func ids(_ value: JSONValue?) -> [String] {
    (value?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
  }

  @Test func `without confirmation the response previews the deletion`() throws {
    let device = try app.device(by: ana, name: "Gate", longitude: 7, latitude: 46)
    for body: JSONValue in [
      ["name": "Gate"], ["id": .string(device.id)], ["name": "Gate", "confirm": false],
      ["id": .string(device.id.uppercased()), "name": "Gate"],
    ] {
      let answer = ask(body)
      #expect(answer.status == .ok)
      #expect(try ids(answer.json["candidates"]) == [device.id])
      #expect(try answer.json["candidates"]?[0]?["author"]?.stringValue == "ana")
      #expect(try answer.json["deleted"] == nil)
    }
    #expect(try app.get(Path.items).ids == [device.id])
  }

  @Test func `the preview distinguishes devices of one name, and counts their data`() throws {
    let ben = try app.account("ben")
    let devices = [
      try app.device(by: ana, name: "Gate", longitude: 7, latitude: 46),
      try app.device(by: ben, name: "Gate", longitude: 8, latitude: 47),
    ]
    try app.database.write { connection in
      for state in ["public", "deleted"] {
        try connection.execute(
          """
          INSERT INTO photo (id, device_rowid, position, alt, state, file, width, height, created_at)
          SELECT ?, rowid, 0, '', ?, ?, 9, 9, '2026-11-21T12:00:00Z' FROM device WHERE id = ?
          """,
          [
            .text("01890a5d-ac96-774b-bcce-b302099a80\(state.count)9"), .text(state),
            .text(state), .text(devices[0].id),
          ])
      }
      for person in [ana, ben] {
        try connection.execute(
          """
          INSERT INTO verdict (device_rowid, account_rowid, claim, verdict, basis, counts, made_at)
          SELECT rowid, ?, 'present', 'confirm', 'seen', 1, '2026-11-21T12:00:00Z'
          FROM device WHERE id = ?
          """, [.integer(person.rowid), .text(devices[0].id)])
      }
    }
    let found = try #require(try ask(["name": "Gate"]).json["candidates"]?.arrayValue)
    #expect(found.map { $0["author"] } == ["ana", "ben"])
    #expect(found.map { $0["photos"]?.intValue } == [1, 0])
    #expect(found.map { $0["verdicts"]?.intValue } == [2, 0])
    #expect(found[1]["geometry"]?["coordinates"] == [8.0, 47.0])
  }

  @Test func `confirmed, the device is deleted, logged, and its author notified`() throws {
    let device = try app.device(by: ana, name: "Gate")
    app.flag("device", device.id, as: admin.identity)
    let answer = ask(["name": "Gate", "confirm": true, "reason": "A home", "code": "personal_data"])
    #expect(answer.status == .ok)
    #expect(try answer.json["deleted"]?["id"]?.stringValue == device.id)
    #expect(try app.get(Path.items).ids.isEmpty)
    let gone = app.get(Path.item(device.id))
    #expect(gone.status == .gone)
    #expect(try gone.json["reason"]?.stringValue == "personal_data")
    #expect(
      try app.audit() == [["delete", "device \(device.id)", "\(admin.rowid)", "personal_data"]])
    #expect(try app.text("SELECT reason FROM moderation_action") == "A home")
    #expect(try app.text("SELECT outcome FROM flag") == "upheld")
    let mail = try #require(try app.mails.first)
    #expect(mail.address == "ana@example.org")
    #expect(mail.arguments["device"]?.stringValue == "Gate")
    #expect(mail.arguments["reason"]?.stringValue == "It showed personal data")
  }

  @Test func `a deletion can be undone from the log`() throws {
    let device = try app.device(by: ana, name: "Gate")
    try app.review("contribution", of: device, by: ana, number: 1)
    let answer = ask(["id": .string(device.id), "confirm": true, "reason": "A home"])
    let act = try answer.json["action"]?.stringValue ?? ""
    let undone = app.send(
      .post, "/api/moderation/actions/\(act)/undo", json: ["reason": "It was none"],
      as: admin.identity)
    #expect(undone.status == .ok)
    #expect(try app.get(Path.items).ids == [device.id])
    #expect(try app.text("SELECT outcome FROM review") == nil)
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
  }

  @Test func `purged or expired deletions cannot be undone`() throws {
    let device = try app.device(by: ana, name: "Gate")
    let answer = ask(["id": .string(device.id), "confirm": true, "reason": "x", "purge": true])
    #expect(answer.status == .ok)
    #expect(try app.mails.allSatisfy { $0.arguments["device"]?.stringValue == "–" })
    let act = try answer.json["action"]?.stringValue ?? ""
    let path = "/api/moderation/actions/\(act)/undo"
    let undone = app.send(.post, path, json: ["reason": "x"], as: admin.identity)
    #expect(undone.status == .conflict)
    #expect(try app.text("SELECT undone_at FROM moderation_action") == nil)
  }

  @Test func `a name of several devices is a conflict until an id is given`() throws {
    let devices = try (0..<3).map { _ in try app.device(by: ana, name: "Camera") }
    _ = try app.device(by: ana, name: "camera")
    let look = ask(["name": "Camera"])
    #expect(look.status == .ok)
    #expect(try ids(look.json["candidates"]) == devices.map(\.id))
    let shared = ask(["name": "Camera", "confirm": true, "reason": "x"])
    #expect(shared.status == .conflict)
    #expect(try ids(shared.json["candidates"]) == devices.map(\.id))
    #expect(try app.get(Path.items).matched == 4)
    let chosen = ask([
      "name": "Camera", "id": .string(devices[1].id), "confirm": true, "reason": "x",
    ])
    #expect(chosen.status == .ok)
    #expect(try app.get(Path.items).matched == 3)
    #expect(app.get(Path.item(devices[1].id)).status == .gone)
  }

  @Test func `a deleted device is 410 by id always and by name while retained`() throws {
    let device = try app.device(by: ana, name: "Gate")
    _ = ask(["id": .string(device.id), "confirm": true, "reason": "x"])
    for body: JSONValue in [
      ["id": .string(device.id)], ["name": "Gate"],
      ["id": .string(device.id), "confirm": true, "reason": "x"],
      ["name": "Gate", "confirm": true, "reason": "x"],
    ] {
      let answer = ask(body)
      #expect(answer.status == .gone)
      #expect(try answer.json["deleted_by"]?.stringValue == "admin")
      #expect(try answer.json["deleted_at"]?.stringValue == "2026-11-21T12:00:00Z")
    }
    app.clock.advance(by: .seconds(31 * 86_400))
    try DeviceErasure(database: app.database, environment: app.environment) { _ in }.run()
    let later = try TestAccount(
      rowid: admin.rowid, id: admin.id, username: "", email: "",
      identity: app.signIn(admin.rowid))
    #expect(ask(["id": .string(device.id)], as: later).status == .gone)
    #expect(ask(["name": "Gate"], as: later).status == .notFound)
  }

  @Test func `a reused name matches the existing device only`() throws {
    let first = try app.device(by: ana, name: "Gate")
    _ = ask(["id": .string(first.id), "confirm": true, "reason": "x"])
    let second = try app.device(by: ana, name: "Gate")
    #expect(try ids(ask(["name": "Gate"]).json["candidates"]) == [second.id])
  }

  @Test func `an unknown device is 404, and a hidden device is found`() throws {
    #expect(ask(["name": "Nothing"]).status == .notFound)
    #expect(ask(["id": "01890a5d-ac96-774b-bcce-b302099a8057"]).status == .notFound)
    let device = try app.device(by: ana, name: "Gate")
    try app.hide(device)
    let answer = ask(["name": "Gate"])
    #expect(try answer.json["candidates"]?[0]?["hidden"]?.boolValue == true)
  }

  @Test func `a deletion needs a reason, and the name must match the id`() throws {
    let device = try app.device(by: ana, name: "Gate")
    #expect(try ask([:]).fields == ["name"])
    #expect(ask(["name": "Gate", "confirm": true]).status == .badRequest)
    #expect(
      ask(["name": "Gate", "confirm": true, "reason": " "]).status == .unprocessableContent)
    #expect(ask(["name": "Gate", "confirm": "yes", "reason": "x"]).status == .badRequest)
    #expect(
      ask(["id": .string(device.id), "name": "Other"]).status == .unprocessableContent)
    #expect(try app.get(Path.items).ids == [device.id])
  }

  @Test func `only admins delete devices`() throws {
    let device = try app.device(by: ana, name: "Gate")
    let moderator = try app.account("mod", role: .moderator)
    for account in [ana, moderator] {
      let answer = ask(
        ["id": .string(device.id), "confirm": true, "reason": "x"], as: account)
      #expect(answer.status == .forbidden)
    }
    #expect(app.send(.post, "/api/admin/deletions", json: [:]).status == .unauthorized)
  }
}
