@testable import Devices
import JSON
@testable import Operations
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Reverting all contributions of one person.
@Suite struct PersonRevertTests {
  let app: TestApp
  let moderator: TestAccount
  let spammer: TestAccount
  let rui: TestAccount

  init() throws {
    app = try TestApp()
    moderator = try app.account("mod", role: .moderator)
    spammer = try app.account("spammer")
    rui = try app.account("rui")
  }

  private func revert(dryRun: Bool = false) -> TestAnswer {
    app.act(
      "revert", "account", spammer.id, more: [("all", true)], dryRun: dryRun,
      as: moderator.identity)
  }

  private func text(_ column: String, of device: TestDevice) throws -> String? {
    try app.text("SELECT \(column) FROM device WHERE rowid = ?", [.integer(device.rowid)])
  }

  /// Three devices: one of the spammer's, one of theirs that another person has edited, and another
  /// person's that they changed between two edits of others.
  private func world() throws -> (own: TestDevice, shared: TestDevice, foreign: TestDevice) {
    let own = try app.device(by: spammer, name: "Buy here")
    let shared = try app.device(by: spammer, name: "Real camera")
    try app.edit(shared, by: rui, "model", "M1")
    try app.edit(shared, by: spammer, "description", "Buy here")
    let foreign = try app.device(by: rui, name: "Gate")
    try app.edit(foreign, by: rui, "manufacturer", "Acme")
    try app.edit(foreign, by: spammer.rowid) { edit in
      edit.columns += [("name", "Spam"), ("manufacturer", "Spam"), ("model", "Spam")]
    }
    try app.edit(foreign, by: rui, "model", "M2")
    try app.edit(foreign, by: spammer, "name", "More spam")
    return (own, shared, foreign)
  }

  @Test func `later changes of others are kept`() throws {
    let (own, shared, foreign) = try world()

    let answer = revert()

    #expect(answer.status == .ok)
    #expect(
      try answer.json["counts"]
        == [
          "devices": 3, "revisions": 5, "withdrawn": 1, "restored": 1, "kept": 1, "photos": 0,
          "verdicts": 0,
        ])
    #expect(try Set(app.get(Path.items).ids) == [shared.id, foreign.id])
    #expect(try text("name", of: shared) == "Real camera")
    #expect(try text("model", of: shared) == "M1")
    #expect(try text("description", of: shared) == nil)
    #expect(try text("name", of: foreign) == "Gate")
    #expect(try text("manufacturer", of: foreign) == "Acme")
    #expect(try text("model", of: foreign) == "M2")
    #expect(try text("hidden", of: own) == "1")
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
  }

  @Test func `a preview reports the same and changes nothing`() throws {
    _ = try world()
    let sequence = try app.sequence
    let preview = revert(dryRun: true)
    #expect(preview.status == .ok)
    #expect(try app.sequence == sequence)
    #expect(try app.integer("SELECT count(*) FROM moderation_action") == 0)
    let done = revert()
    #expect(try preview.json["counts"] == done.json["counts"])
  }

  @Test func `photos and verdicts are reverted too, and pending ones refused`() throws {
    let device = try app.device(by: rui)
    let photo = try app.photo(of: device, by: spammer)
    let waiting = try app.photo(of: device, by: spammer, state: "waiting")
    let others = try app.photo(of: device, by: rui)
    let verdict = try app.verdict(on: device, by: spammer)
    try app.review("photo", of: device, by: spammer, photo: waiting)
    app.flag("account", spammer.id, as: rui.identity)

    let answer = revert()

    func state(_ id: String) throws -> String? {
      try app.text("SELECT state FROM photo WHERE id = ?", [.text(id)])
    }
    func counts() throws -> Int64? {
      try app.integer("SELECT counts FROM verdict WHERE rowid = ?", [.integer(verdict)])
    }
    #expect(try [photo, waiting, others].map(state) == ["hidden", "hidden", "public"])
    // Verdicts follow at random moments (ModerationAttackTests).
    #expect(try counts() == 1)
    #expect(try app.integer("SELECT count(*) FROM job WHERE kind = 'settle_verdict'") == 1)
    #expect(try app.text("SELECT outcome FROM review") == "refused")
    #expect(try app.text("SELECT outcome FROM flag") == "upheld")
    #expect(try app.undo(answer, as: moderator.identity).status == .ok)
    #expect(try [photo, waiting, others].map(state) == ["public", "waiting", "public"])
    #expect(try counts() == 1)
    #expect(try app.text("SELECT outcome FROM review") == nil)
  }

  @Test func `it is undone completely, except later changes`() throws {
    let (own, shared, foreign) = try world()
    let answer = revert()
    try app.edit(foreign, by: rui, "name", "The gate")

    let undone = try app.undo(answer, as: moderator.identity)

    #expect(undone.status == .ok)
    #expect(try Set(app.get(Path.items).ids) == [own.id, shared.id, foreign.id])
    #expect(try text("name", of: foreign) == "The gate")
    #expect(try text("manufacturer", of: foreign) == "Spam")
    #expect(try text("description", of: shared) == "Buy here")
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
  }

  @Test func `a device that was hidden separately stays hidden`() throws {
    let device = try app.device(by: spammer)
    let answer = revert()
    let restored = app.act("restore", "device", device.id, as: moderator.identity)
    #expect(restored.status == .ok)
    #expect(app.act("hide", "device", device.id, as: moderator.identity).status == .ok)
    #expect(try app.undo(answer, as: moderator.identity).status == .ok)
    #expect(try app.get(Path.items).ids.isEmpty)
  }

  @Test func `more devices than fit one transaction are all reverted, and all restored`() throws {
    for number in 0..<230 { _ = try app.device(by: spammer, name: "Spam \(number)") }
    let answer = revert()
    #expect(try answer.json["counts"]?["withdrawn"]?.intValue == 230)
    #expect(try app.get(Path.items).matched == 0)
    #expect(try app.integer("SELECT count(*) FROM moderation_revision") == 230)
    try app.undo(answer, as: moderator.identity)
    #expect(try app.get(Path.items).matched == 230)
    #expect(try app.audit().map { $0[0] } == ["revert", "undo"])
  }

  @Test func `the second revert has no further effect`() throws {
    _ = try world()
    #expect(revert().status == .ok)
    let again = revert()
    #expect(try again.json["counts"]?["withdrawn"]?.intValue == 0)
    #expect(try again.json["counts"]?["restored"]?.intValue == 0)
  }

  @Test func `a revert can be repeated after it was undone`() throws {
    let (own, _, foreign) = try world()
    try app.undo(revert(), as: moderator.identity)
    #expect(try text("name", of: foreign) == "More spam")
    #expect(revert().status == .ok)
    #expect(try text("hidden", of: own) == "1")
    #expect(try text("name", of: foreign) == "Gate")
  }
}
