@testable import App
@testable import Devices
import JSON
@testable import Moderation
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Attempts to learn from moderation who flagged, what moderators noted, and whose verdicts were reverted.
@Suite struct ModerationAttackTests {
  let app: TestApp
  let mia: TestAccount
  let ana: TestAccount
  let ben: TestAccount

  init() throws {
    app = try TestApp()
    mia = try app.account("mia", role: .moderator)
    ana = try app.account("ana")
    ben = try app.account("ben")
  }

  // Flags

  private func flags(_ app: TestApp, of account: TestAccount) throws -> [JSONValue] {
    let answer = app.get("/api/account/export", as: try app.signIn(account.rowid))
    try #require(answer.status == .ok, "\(answer.text)")
    return try answer.json["flags_received"]?.arrayValue ?? []
  }

  @Test func `an export does not reveal a flag before the decision`() throws {
    let worlds = try TwoWorlds { app, world in
      let (ana, ben) = (try app.account("ana"), try app.account("ben"))
      let device = try app.device(by: ana)
      if world == 0 {
        app.flag("account", ana.id, reason: "spam", as: ben.identity)
        app.flag("device", device.id, reason: "gone", as: ben.identity)
        try #require(try app.count("flag") == 2)
      }
    }
    func sections(_ app: TestApp) throws -> [JSONValue?] {
      let ana = try #require(
        try app.integer("SELECT rowid FROM account WHERE username = 'ana'"))
      let export = app.get("/api/account/export", as: try app.signIn(ana))
      try #require(export.status == .ok, "\(export.text)")
      let json = try export.json
      return ["flags_received", "decisions", "reviews"].map { json[$0] }
    }
    #expect(try sections(worlds.one) == sections(worlds.other))
    #expect(try (sections(worlds.one)[0]?.arrayValue ?? []).isEmpty)
  }

  @Test func `after the decision an export has the reason and the day, and nothing of the flagger`()
    throws
  {
    app.flag("account", ana.id, reason: "spam", note: "My neighbour", as: ben.identity)
    #expect(try flags(app, of: ana).isEmpty)
    let decided = app.act("warn", "account", ana.id, as: mia.identity)
    try #require(decided.status == .ok, "\(decided.text)")
    let flag = try #require(try flags(app, of: ana).first)
    #expect(flag["reason"] == "spam" && flag["outcome"] == "upheld")
    #expect(flag["flagged_on"]?.stringValue == app.clock.now.day.text)
    #expect(flag["created_at"] == nil && flag["note"] == nil)
    #expect(!flag.text.contains("neighbour") && !flag.text.contains("ben"))
    // An undone decision is open again.
    try #require(try app.undo(decided, as: mia.identity).status == .ok)
    #expect(try flags(app, of: ana).isEmpty)
  }

  // Notes

  @Test func `a note for moderators about a deletion is never mailed nor exported`() throws {
    let root = try app.account("root", role: .admin)
    for (path, message) in [("queue", nil), ("item", "You may add it as a coarse one.")] {
      let device = try app.device(by: ana, name: "Gate \(path)")
      app.flag("device", device.id, as: ben.identity)
      var body: JSONObject = ["reason": "Her neighbour called us", "code": "personal_data"]
      if let message { body["message"] = .string(message) }
      let answer: TestAnswer
      if path == "queue" {
        body["id"] = .string(device.id)
        body["confirm"] = true
        answer = app.post("/api/admin/deletions", .object(body), as: root.identity)
      } else {
        answer = app.send(
          .delete, Path.item(device.id), headers: ["If-Match": try app.tag(device.id)],
          json: .object(body), as: root.identity)
      }
      try #require(answer.status.code < 300, "\(answer.text)")
      let mail = try #require(try app.mails.last { $0.account == ana.rowid })
      #expect(mail.template == "moderation_decided")
      #expect(
        mail.arguments["reason"]?.stringValue
          == ["It showed personal data", message].compactMap { $0 }.joined(separator: "\n"))
      // Put back, so that the export lists the decision.
      let act = try #require(
        try app.text("SELECT id FROM moderation_action ORDER BY rowid DESC LIMIT 1"))
      let undone = app.post(
        "/api/moderation/actions/\(act)/undo", ["reason": "A mistake"], as: root.identity)
      try #require(undone.status == .ok, "\(undone.text)")
    }
    for mail in try app.mails {
      #expect(!mail.arguments.text.contains("neighbour"), "\(mail.template)")
    }
    let export = app.get("/api/account/export", as: try app.signIn(ana.rowid))
    #expect(try export.json["decisions"]?.arrayValue?.isEmpty == false)
    #expect(!export.text.contains("neighbour"))
    // Moderators read it in the log.
    #expect(app.get("/api/moderation/log", as: mia.identity).text.contains("neighbour"))
  }

  @Test func `every code of a deletion has words in both languages`() throws {
    let catalogue = try Catalogue(folders: Repository.words)
    for code in DeletionRoutes.codes {
      for language in catalogue.languages {
        #expect(catalogue.has("mail.deletion.\(code)", in: language), "\(code) \(language)")
      }
    }
  }

  // Verdicts of a reverted person

  private func counts(_ verdict: Int64) throws -> Int64? {
    try app.integer("SELECT counts FROM verdict WHERE rowid = ?", [.integer(verdict)])
  }

  /// Devices of another person with verdicts of Ana, and one device of Ana's.
  private func judged(_ number: Int) throws -> (
    own: TestDevice, verdicts: [Int64], others: [TestDevice]
  ) {
    let own = try app.device(by: ana)
    let others = try (0..<number).map {
      try app.device(by: ben, longitude: Double($0 + 1), latitude: 40)
    }
    let verdicts = try others.map { device in
      let verdict = try app.verdict(on: device, by: ana, "dispute")
      try app.app.write { connection in
        try app.app.moderation.moderation.claims.settle(device.rowid, connection)
      }
      return verdict
    }
    return (own, verdicts, others)
  }

  @Test func `the revert of a person does not reveal their verdicts`() throws {
    let (own, verdicts, others) = try judged(20)
    let sequence = try app.sequence
    let before = try others.map { try app.get(Path.item($0.id)).json }
    let reverted = app.act(
      "revert", "account", ana.id, more: [("all", true)], as: mia.identity)
    try #require(reverted.status == .ok, "\(reverted.text)")
    #expect(try reverted.json["counts"]?["verdicts"] == 20)
    #expect(app.get(Path.item(own.id)).status == .notFound)
    // Only the own device changed in this batch.
    let changed = try app.database.read { connection in
      try connection.rows(
        "SELECT DISTINCT device_rowid FROM change WHERE sequence > ?", [.integer(sequence)]
      ) { $0.int(0) }
    }
    #expect(changed == [own.rowid])
    #expect(try others.map { try app.get(Path.item($0.id)).json } == before)
    // Nor in the hour after it.
    app.clock.advance(by: .seconds(3_590))
    try app.work()
    #expect(try verdicts.allSatisfy { try counts($0) == 1 })
    // They change at different times, and all of them within three days.
    let due = try app.database.read { connection in
      try connection.rows("SELECT due_at FROM job WHERE kind = 'settle_verdict'") { $0.text(0) }
    }
    #expect(Set(due).count > 15)
    app.clock.advance(by: .seconds(3 * 86_400))
    try app.work()
    #expect(try verdicts.allSatisfy { try counts($0) == 0 })
    for device in others {
      #expect(try app.get(Path.item(device.id)).property("status") == "reported")
    }
    #expect(try app.integer("SELECT count(*) FROM job WHERE kind = 'settle_verdict'") == 0)
  }

  @Test func `undoing the revert soon is not visible in verdicts at all`() throws {
    let (_, verdicts, _) = try judged(3)
    let reverted = app.act("revert", "account", ana.id, more: [("all", true)], as: mia.identity)
    try #require(try app.undo(reverted, as: mia.identity).status == .ok)
    #expect(try app.integer("SELECT count(*) FROM job WHERE kind = 'settle_verdict'") == 0)
    app.clock.advance(by: .seconds(4 * 86_400))
    try app.work()
    #expect(try verdicts.allSatisfy { try counts($0) == 1 })
  }

  @Test func `undoing the revert later makes the verdicts count again, at random times too`() throws
  {
    let (_, verdicts, _) = try judged(3)
    let reverted = app.act("revert", "account", ana.id, more: [("all", true)], as: mia.identity)
    app.clock.advance(by: .seconds(4 * 86_400))
    try app.work()
    #expect(try verdicts.allSatisfy { try counts($0) == 0 })
    let moderator = TestAccount(
      rowid: mia.rowid, id: mia.id, username: mia.username, email: mia.email,
      identity: try app.signIn(mia.rowid))
    try #require(try app.undo(reverted, as: moderator.identity).status == .ok)
    #expect(try verdicts.allSatisfy { try counts($0) == 0 })
    app.clock.advance(by: .seconds(4 * 86_400))
    try app.work()
    #expect(try verdicts.allSatisfy { try counts($0) == 1 })
  }

  @Test func `a verdict that replaced a reverted one keeps counting`() throws {
    let (_, verdicts, others) = try judged(1)
    _ = app.act("revert", "account", ana.id, more: [("all", true)], as: mia.identity)
    app.clock.advance(by: .seconds(10))
    // SQLite gives the row of a deleted verdict to the next one.
    try app.database.write { try $0.execute("DELETE FROM verdict") }
    let eva = try app.account("eva")
    let later = try app.verdict(on: others[0], by: eva, "dispute")
    app.clock.advance(by: .seconds(4 * 86_400))
    try app.work()
    #expect(try counts(later) == 1)
    #expect(verdicts.count == 1)
  }
}
