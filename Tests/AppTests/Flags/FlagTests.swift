import JSON
@testable import Moderation
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct FlagTests {
  let app: TestApp
  let ana: TestAccount
  let rui: TestAccount
  let device: TestDevice

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    rui = try app.account("rui")
    device = try app.device(by: ana, name: "Gate")
  }

  private func id(_ answer: TestAnswer) throws -> String? { try answer.json["id"]?.stringValue }

  @Test func `a flag is stored with its text, and counts for the author`() throws {
    let answer = app.flag(
      "device", device.id, reason: "wrong_place", note: "Across the street", as: rui.identity)

    #expect(answer.status == .created)
    let row = try app.database.read { connection in
      try connection.first(
        "SELECT id, kind, reason, note, about_rowid, account_rowid, outcome FROM flag"
      ) { row in (0..<7).map { row.value($0) } }
    }
    #expect(
      row == [
        .text(try id(answer) ?? ""), "flag", "wrong_place", "Across the street",
        .integer(ana.rowid), .integer(rui.rowid), .null,
      ])
  }

  @Test func `flagging again updates an open flag under the same id`() throws {
    let first = app.flag("device", device.id, reason: "gone", note: "Not there", as: rui.identity)
    let again = app.flag("device", device.id, reason: "duplicate", as: rui.identity)

    #expect(again.status == .created)
    #expect(try id(again) == id(first))
    #expect(try app.integer("SELECT count(*) FROM flag") == 1)
    #expect(try app.text("SELECT reason FROM flag") == "duplicate")
    #expect(try app.text("SELECT note FROM flag") == nil)
    let eva = try app.account("eva")
    let another = app.flag("device", device.id, as: eva.identity)
    #expect(try id(another) != id(first))
  }

  @Test func `a decided flag does not prevent another`() throws {
    let first = app.flag("device", device.id, as: rui.identity)
    try app.database.write { try $0.execute("UPDATE flag SET outcome = 'dismissed'") }
    let again = app.flag("device", device.id, as: rui.identity)
    #expect(try id(again) != id(first))
    #expect(try app.integer("SELECT count(*) FROM flag") == 2)
  }

  @Test func `the address below a device accepts the same flag`() throws {
    let first = app.flag("device", device.id, as: rui.identity)
    let again = app.send(
      .post, Path.item(device.id) + "/flags", json: ["reason": "spam"], as: rui.identity)
    #expect(again.status == .created)
    #expect(try id(again) == id(first))
  }

  @Test func `photos and people can be flagged, people by id or by name`() throws {
    let photo = try app.photo(of: device, by: ana)
    #expect(app.flag("photo", photo, as: rui.identity).status == .created)
    let byID = app.flag("account", ana.id, as: rui.identity)
    let byName = app.flag("account", "Ana", as: rui.identity)
    #expect(byID.status == .created)
    #expect(try id(byID) == id(byName))
    #expect(
      try app.text("SELECT target_id FROM flag WHERE target_type = 'account'") == ana.id)
  }

  @Test func `users cannot flag themselves, and own devices do not count against them`() throws {
    #expect(app.flag("account", ana.id, as: ana.identity).status == .unprocessableContent)
    #expect(app.flag("device", device.id, as: ana.identity).status == .created)
    #expect(try app.integer("SELECT count(*) FROM flag WHERE about_rowid IS NULL") == 1)
  }

  @Test func `an unknown item returns 404 and a deleted one 410`() throws {
    #expect(app.flag("device", "nothing", as: rui.identity).status == .notFound)
    #expect(
      app.flag("device", "01890a5d-ac96-774b-bcce-b302099a8057", as: rui.identity).status
        == .notFound)
    #expect(app.flag("photo", device.id, as: rui.identity).status == .notFound)
    #expect(app.flag("account", "nobody", as: rui.identity).status == .notFound)
    try app.database.write { connection in
      try connection.execute(
        """
        INSERT INTO tombstone (id, deleted_at, role, reason)
        VALUES ('01890a5d-ac96-774b-bcce-b302099a8057', '2026-11-21T12:00:00Z', 'admin', 'spam')
        """)
    }
    let gone = app.flag("device", "01890A5D-AC96-774B-BCCE-B302099A8057", as: rui.identity)
    #expect(gone.status == .gone)
    #expect(try gone.json["reason"]?.stringValue == "spam")
  }

  @Test func `a hidden item can be flagged by moderators and its author only`() throws {
    let waiting = try app.photo(of: device, by: ana, state: "waiting")
    #expect(app.flag("photo", waiting, as: rui.identity).status == .notFound)
    #expect(app.flag("photo", waiting, as: ana.identity).status == .created)
    try app.hide(device)
    let moderator = try app.account("mod", role: .moderator)
    #expect(app.flag("device", device.id, as: rui.identity).status == .notFound)
    #expect(app.flag("device", device.id, as: ana.identity).status == .created)
    #expect(app.flag("device", device.id, as: moderator.identity).status == .created)
    let unconfirmed = try app.account("joe", isConfirmed: false)
    #expect(app.flag("account", unconfirmed.id, as: rui.identity).status == .notFound)
    #expect(app.flag("account", unconfirmed.id, as: moderator.identity).status == .created)
  }

  @Test func `only confirmed users who are not suspended can flag`() throws {
    #expect(app.flag("device", device.id, as: .visitor).status == .unauthorized)
    let unconfirmed = try app.account("eva", isConfirmed: false)
    #expect(app.flag("device", device.id, as: unconfirmed.identity).status == .forbidden)
    let suspended = try app.account("joe", isSuspended: true)
    #expect(app.flag("device", device.id, as: suspended.identity).status == .forbidden)
    let reading = try app.token(rui.rowid, [.read])
    #expect(app.flag("device", device.id, as: reading).status == .forbidden)
    let contributing = try app.token(rui.rowid, [.contribute])
    #expect(app.flag("device", device.id, as: contributing).status == .created)
  }

  @Test func `a new user may flag ten times an hour, others more often`() throws {
    let new = try app.account("new", isNew: true)
    for _ in 0..<FlagRoutes.hourlyLimitOfNew {
      #expect(app.flag("device", device.id, as: new.identity).status == .created)
      #expect(app.flag("device", device.id, as: rui.identity).status == .created)
    }
    let refused = app.flag("device", device.id, as: new.identity)
    #expect(refused.status == .tooManyRequests)
    #expect(refused.headers["Retry-After"] == "3600")
    #expect(app.flag("device", device.id, as: rui.identity).status == .created)
    app.clock.advance(by: .seconds(3_600))
    #expect(app.flag("device", device.id, as: new.identity).status == .created)
  }

  @Test(arguments: [
    ("nonsense", JSONValue.null, 422), ("", .null, 422), ("gone", "\u{202E}evil", 422),
    ("gone", .string(String(repeating: "x", count: 1_000)), 201),
    ("gone", .string(String(repeating: "x", count: 1_001)), 422), ("gone", 3, 400),
    ("gone", "line\nline", 201), ("gone", "tag \u{E0041}", 422),
    ("gone", "<img src=x onerror=alert(1)>", 201),
  ])
  func `texts are stored unchanged or refused`(
    reason: String, note: JSONValue, status: Int
  ) throws {
    let answer = app.flag("device", device.id, reason: reason, note: note, as: rui.identity)
    #expect(answer.status.code == status)
    if status == 201 {
      #expect(try app.text("SELECT note FROM flag") == note.stringValue)
    } else {
      #expect(try app.integer("SELECT count(*) FROM flag") == 0)
    }
  }

  @Test func `a body with a missing member names it`() throws {
    let bare = app.send(.post, "/api/flags", json: ["note": "x", "more": 1], as: rui.identity)
    #expect(bare.status == .badRequest)
    #expect(try Set(bare.fields) == ["more", "target", "reason"])
    let target = app.send(
      .post, "/api/flags", json: ["target": ["type": "moon"], "reason": "gone"], as: rui.identity)
    #expect(try Set(target.fields) == ["target.type", "target.id"])
  }
}
