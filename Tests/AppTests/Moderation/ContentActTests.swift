@testable import App
@testable import Devices
import JSON
@testable import Operations
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct ContentActTests {
  let app: TestApp
  let moderator: TestAccount
  let ana: TestAccount
  let rui: TestAccount
  let device: TestDevice

  init() throws {
    app = try TestApp()
    moderator = try app.account("mod", role: .moderator)
    ana = try app.account("ana")
    rui = try app.account("rui")
    device = try app.device(by: ana, name: "Gate")
  }

  private func state(_ photo: String) throws -> String? {
    try app.text("SELECT state FROM photo WHERE id = ?", [.text(photo)])
  }

  @Test func `hiding removes a device from public responses, is logged and notified`() throws {
    app.flag("device", device.id, reason: "offensive", as: rui.identity)

    let answer = app.act(
      "hide", "device", device.id, reason: "Shows a face", as: moderator.identity)

    #expect(answer.status == .ok)
    #expect(try answer.json["action"]?.stringValue == "hide")
    #expect(try answer.json["undone"]?.boolValue == false)
    #expect(app.get(Path.item(device.id)).status == .notFound)
    #expect(try app.get(Path.items).ids.isEmpty)
    #expect(app.app.index.snapshot.count == 0)
    #expect(
      try app.audit() == [["hide", "device \(device.id)", "\(moderator.rowid)", "Shows a face"]])
    #expect(try app.text("SELECT outcome FROM flag") == "upheld")
    let mails = try app.mails
    #expect(mails.map(\.address).sorted() == ["ana@example.org", "rui@example.org"])
    let reported = try #require(mails.first { $0.address == "ana@example.org" })
    #expect(reported.template == "moderation_decided")
    #expect(reported.arguments["reason"]?.stringValue == "Shows a face")
    #expect(reported.arguments["device"]?.stringValue == "Gate")
    #expect(try app.integer("SELECT count(*) FROM revision") == 1)
  }

  @Test func `undoing a hiding reopens the items that it closed`() throws {
    app.flag("device", device.id, as: rui.identity)
    let hidden = app.act("hide", "device", device.id, as: moderator.identity)

    let undone = try app.undo(hidden, reason: "It was a dummy", as: moderator.identity)

    #expect(undone.status == .ok)
    #expect(try undone.json["undone"]?.boolValue == true)
    #expect(try app.get(Path.items).ids == [device.id])
    #expect(try app.text("SELECT outcome FROM flag") == nil)
    #expect(try app.queue(as: moderator.identity).count == 1)
    #expect(
      try app.audit().last
        == ["undo", "device \(device.id)", "\(moderator.rowid)", "It was a dummy"])
    let again = try app.undo(hidden, as: moderator.identity)
    #expect(again.status == .conflict)
  }

  @Test func `a device can be hidden once and restored once`() throws {
    #expect(app.act("restore", "device", device.id, as: moderator.identity).status == .conflict)
    app.act("hide", "device", device.id, as: moderator.identity)
    #expect(app.act("hide", "device", device.id, as: moderator.identity).status == .conflict)
    let restored = app.act("restore", "device", device.id, as: moderator.identity)
    #expect(restored.status == .ok)
    #expect(try app.get(Path.items).ids == [device.id])
    #expect(try app.undo(restored, as: moderator.identity).status == .ok)
    #expect(try app.get(Path.items).ids.isEmpty)
  }

  @Test func `an action superseded by later changes cannot be undone`() throws {
    let hidden = app.act("hide", "device", device.id, as: moderator.identity)
    app.act("restore", "device", device.id, as: moderator.identity)
    #expect(try app.undo(hidden, as: moderator.identity).status == .conflict)
    #expect(try app.get(Path.items).ids == [device.id])
    let count = try app.integer("SELECT count(*) FROM audit WHERE action = 'undo'")
    #expect(count == 0)
  }

  @Test func `a device withdrawn with its import cannot be restored by a moderator`() throws {
    try app.withdraw(device)
    #expect(app.act("restore", "device", device.id, as: moderator.identity).status == .conflict)
    #expect(app.act("hide", "device", device.id, as: moderator.identity).status == .conflict)
  }

  @Test func `a photo is hidden and restored to its earlier state`() throws {
    let photo = try app.photo(of: device, by: rui, state: "waiting")
    app.flag("photo", photo, as: moderator.identity)
    let review = try app.review("photo", of: device, by: rui, photo: photo)

    let hidden = app.act("hide", "photo", photo, as: moderator.identity)

    #expect(try state(photo) == "hidden")
    #expect(try app.text("SELECT outcome FROM review WHERE id = ?", [.text(review)]) == "refused")
    #expect(try app.text("SELECT outcome FROM flag") == "upheld")
    // A moderator gets no notification of their own flag.
    #expect(try app.mails.map(\.address) == ["rui@example.org"])
    try app.undo(hidden, as: moderator.identity)
    #expect(try state(photo) == "waiting")
    #expect(try app.text("SELECT outcome FROM review WHERE id = ?", [.text(review)]) == nil)
  }

  @Test func `reverting one revision keeps later changes`() throws {
    try app.edit(device, by: ana.rowid) { edit in
      edit.columns += [("name", "Spam"), ("model", "Spam 1")]
    }
    try app.edit(device, by: rui, "model", "M2")
    try app.review("contribution", of: device, by: ana, number: 2)

    let answer = app.act(
      "revert", "device", device.id, more: [("revision", 2)], as: moderator.identity)

    #expect(answer.status == .ok)
    #expect(try app.text("SELECT name FROM device") == "Gate")
    #expect(try app.text("SELECT model FROM device") == "M2")
    #expect(try app.text("SELECT kind FROM revision WHERE number = 4") == "revert")
    #expect(try app.integer("SELECT account_rowid FROM revision WHERE number = 4") == nil)
    #expect(try app.text("SELECT outcome FROM review") == "refused")
    #expect(try app.mails.map(\.address) == ["ana@example.org"])
    let undone = try app.undo(answer, as: moderator.identity)
    #expect(undone.status == .ok)
    #expect(try app.text("SELECT name FROM device") == "Spam")
    #expect(try app.text("SELECT model FROM device") == "M2")
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
  }

  @Test func `reverting an addition hides the device, unless others have edited it`() throws {
    let answer = app.act(
      "revert", "device", device.id, more: [("revision", 1)], as: moderator.identity)
    #expect(try app.get(Path.items).ids.isEmpty)
    try app.undo(answer, as: moderator.identity)
    #expect(try app.get(Path.items).ids == [device.id])

    try app.edit(device, by: rui, "model", "M2")
    let refused = app.act(
      "revert", "device", device.id, more: [("revision", 1)], as: moderator.identity)
    #expect(refused.status == .conflict)
    #expect(try app.get(Path.items).ids == [device.id])
  }

  @Test func `a revision without remaining effects cannot be reverted`() throws {
    try app.edit(device, by: ana, "name", "Spam")
    try app.edit(device, by: rui, "name", "The gate")
    let answer = app.act(
      "revert", "device", device.id, more: [("revision", 2)], as: moderator.identity)
    #expect(answer.status == .conflict)
    let unknown = app.act(
      "revert", "device", device.id, more: [("revision", 9)], as: moderator.identity)
    #expect(unknown.status == .notFound)
    let none = app.act("revert", "device", device.id, as: moderator.identity)
    #expect(none.status == .badRequest)
    #expect(try none.fields == ["target.revision"])
    #expect(try app.integer("SELECT count(*) FROM moderation_action") == 0)
    #expect(try app.audit().isEmpty)
  }

  @Test(arguments: [
    ("", 422), ("  ", 422), ("\u{202E}", 422), (String(repeating: "x", count: 500), 200),
    (String(repeating: "x", count: 501), 422), ("<script>alert(1)</script>", 200),
    ("two\nlines", 200),
  ])
  func `a reason is required and stored unchanged`(reason: String, status: Int) throws {
    let answer = app.act("hide", "device", device.id, reason: reason, as: moderator.identity)
    #expect(answer.status.code == status)
    #expect(try app.text("SELECT reason FROM audit") == (status == 200 ? reason : nil))
  }

  @Test(arguments: [
    ("hide", "account"), ("warn", "device"), ("merge", "photo"), ("redact", "device"),
    ("accept", "device"), ("revert", "photo"), ("delete", "device"), ("explode", "device"),
    ("hide", "moon"),
  ])
  func `an action is possible on its own kind of target only`(action: String, kind: String) throws {
    let part: JSONValue = ["x": 0, "y": 0, "width": 1, "height": 1]
    let more = action == "redact" ? [("regions", [part] as JSONValue)] : []
    let answer = app.act(action, kind, device.id, more: more, as: moderator.identity)
    #expect(answer.status == .unprocessableContent)
  }

  @Test func `only actions with a preview have a dry run`() throws {
    let answer = app.act("hide", "device", device.id, dryRun: true, as: moderator.identity)
    #expect(answer.status == .unprocessableContent)
    #expect(try app.get(Path.items).ids == [device.id])
  }
}
