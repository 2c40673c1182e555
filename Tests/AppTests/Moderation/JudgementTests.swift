@testable import App
import JSON
import Logging
@testable import Moderation
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Acceptance of contributions, by a moderator or by time.
@Suite struct JudgementTests {
  let app: TestApp
  let moderator: TestAccount
  let ana: TestAccount
  let rui: TestAccount
  let device: TestDevice

  init() throws {
    app = try TestApp()
    moderator = try app.account("mod", role: .moderator)
    ana = try app.account("ana", isNew: true)
    rui = try app.account("rui")
    device = try app.device(by: ana)
  }

  private func accepted() throws -> Int64? {
    try app.integer("SELECT accepted_edits FROM account WHERE username = 'ana'")
  }

  private func outcome(_ review: String) throws -> String? {
    try app.text("SELECT outcome FROM review WHERE id = ?", [.text(review)])
  }

  @Test func `dismissing closes every flag of an item and notifies each person once`() throws {
    app.flag("device", device.id, as: rui.identity)
    _ = app.send(
      .post, "/api/reports",
      json: [
        "target": ["type": "device", "id": .string(device.id)], "reason": "gone", "note": "Hm",
        "email": "jo@example.org", "locale": "pt",
      ])
    let before = try app.mails.count

    let answer = app.act("dismiss", "device", device.id, as: moderator.identity)

    #expect(answer.status == .ok)
    #expect(try app.queue(as: moderator.identity).isEmpty)
    let mails = try app.mails.dropFirst(before)
    #expect(mails.map(\.template) == ["flag_answered", "report_answered"])
    #expect(mails.map(\.address) == ["rui@example.org", "jo@example.org"])
    #expect(mails.last?.language == "pt")
    let outcomes = mails.compactMap { $0.arguments["outcome"]?.stringValue }
    #expect(outcomes.first?.hasSuffix("\nReason: a good reason") == true)
    #expect(outcomes.last?.hasSuffix("\nMotivo: a good reason") == true)
    #expect(try app.integer("SELECT count(*) FROM flag WHERE email IS NOT NULL") == 0)
    #expect(try app.integer("SELECT count(*) FROM flag WHERE outcome = 'dismissed'") == 2)
    #expect(app.act("dismiss", "device", device.id, as: moderator.identity).status == .conflict)
    #expect(try app.audit().count == 1)
  }

  @Test func `a contribution is accepted without a reason, and nothing else is`() throws {
    let review = try app.review("contribution", of: device, by: ana, number: 1)
    let refused = app.act("dismiss", "review", review, reason: nil, as: moderator.identity)
    #expect(refused.status == .badRequest)

    let answer = app.act("accept", "review", review, reason: nil, as: moderator.identity)

    #expect(answer.status == .ok)
    #expect(try outcome(review) == "accepted")
    let log = app.get("/api/moderation/log", as: moderator.identity)
    #expect(try log.json["entries"]?[0]?["action"] == "accept")
    #expect(try log.json["entries"]?[0]?["reason"]?.isNull == true)
    #expect(try app.undo(answer, reason: "Too early", as: moderator.identity).status == .ok)
    #expect(try outcome(review) == nil)
  }

  @Test func `only the warned person gets the reason of the warning`() throws {
    app.flag("account", rui.id, as: ana.identity)
    let before = try app.mails.count
    #expect(app.act("warn", "account", rui.id, as: moderator.identity).status == .ok)
    let answers = try app.mails.dropFirst(before).filter { $0.template == "flag_answered" }
    #expect(answers.count == 1)
    #expect(answers.first?.arguments["outcome"]?.stringValue?.contains("a good reason") == false)
  }

  @Test func `dismissing can be undone without another notification`() throws {
    app.flag("device", device.id, as: rui.identity)
    let answer = app.act("dismiss", "device", device.id, as: moderator.identity)
    let mails = try app.mails.count
    #expect(try app.undo(answer, as: moderator.identity).status == .ok)
    #expect(try app.queue(as: moderator.identity).count == 1)
    #expect(try app.mails.count == mails)
  }

  @Test func `a flag that its author raised again stays the open one`() throws {
    app.flag("device", device.id, note: "First", as: rui.identity)
    let answer = app.act("dismiss", "device", device.id, as: moderator.identity)
    app.flag("device", device.id, note: "Second", as: rui.identity)
    #expect(try app.undo(answer, as: moderator.identity).status == .ok)
    #expect(try app.text("SELECT note FROM flag WHERE outcome IS NULL") == "Second")
    #expect(try app.integer("SELECT count(*) FROM flag WHERE outcome IS NULL") == 1)
  }

  @Test func `one of several flags can be dismissed alone`() throws {
    let first = app.flag("device", device.id, as: rui.identity)
    let eva = try app.account("eva")
    app.flag("device", device.id, as: eva.identity)
    let id = try first.json["id"]?.stringValue ?? ""
    #expect(app.act("dismiss", "flag", id, as: moderator.identity).status == .ok)
    #expect(try app.queue(as: moderator.identity).first?["count"]?.intValue == 1)
    #expect(app.act("dismiss", "flag", id, as: moderator.identity).status == .conflict)
    #expect(app.act("dismiss", "flag", device.id, as: moderator.identity).status == .notFound)
  }

  @Test func `an accepted contribution counts, until the acceptance is undone`() throws {
    let review = try app.review("contribution", of: device, by: ana, number: 1)
    let answer = app.act("accept", "review", review, as: moderator.identity)
    #expect(answer.status == .ok)
    #expect(try accepted() == 1)
    #expect(try outcome(review) == "accepted")
    #expect(app.act("accept", "review", review, as: moderator.identity).status == .conflict)
    #expect(try app.undo(answer, as: moderator.identity).status == .ok)
    #expect(try accepted() == 0)
    #expect(try outcome(review) == nil)
  }

  @Test func `an accepted photo is shown and an accepted verdict counts`() throws {
    let photo = try app.photo(of: device, by: ana, state: "waiting")
    let verdict = try app.verdict(on: device, by: rui, counts: false)
    let ofPhoto = try app.review("photo", of: device, by: ana, photo: photo)
    let ofVerdict = try app.review("verdict", of: device, by: rui, verdict: verdict)
    let shown = app.act("accept", "review", ofPhoto, as: moderator.identity)
    let counted = app.act("accept", "review", ofVerdict, as: moderator.identity)
    #expect(try app.text("SELECT state FROM photo") == "public")
    #expect(try app.integer("SELECT counts FROM verdict") == 1)
    #expect(try accepted() == 0)
    try app.undo(shown, as: moderator.identity)
    try app.undo(counted, as: moderator.identity)
    #expect(try app.text("SELECT state FROM photo") == "waiting")
    #expect(try app.integer("SELECT counts FROM verdict") == 0)
  }

  @Test func `a refused contribution does not count, and a photo is hidden`() throws {
    let photo = try app.photo(of: device, by: ana, state: "waiting")
    let ofPhoto = try app.review("photo", of: device, by: ana, photo: photo)
    let ofDevice = try app.review("contribution", of: device, by: ana, number: 1)
    let answer = app.act("dismiss", "review", ofPhoto, as: moderator.identity)
    app.act("dismiss", "review", ofDevice, as: moderator.identity)
    #expect(try app.text("SELECT state FROM photo") == "hidden")
    #expect(try outcome(ofPhoto) == "refused")
    #expect(try outcome(ofDevice) == "refused")
    #expect(try accepted() == 0)
    try app.undo(answer, as: moderator.identity)
    #expect(try app.text("SELECT state FROM photo") == "waiting")
  }

  @Test func `all pending contributions of one person can be accepted at once`() throws {
    for number in 1...3 {
      try app.review("contribution", of: device, by: ana, number: Int64(number))
    }
    let answer = app.act("accept", "account", ana.id, as: moderator.identity)
    #expect(answer.status == .ok)
    #expect(try accepted() == 3)
    #expect(app.act("accept", "account", ana.id, as: moderator.identity).status == .conflict)
    try app.undo(answer, as: moderator.identity)
    #expect(try accepted() == 0)
  }

  @Test func `moderators cannot accept their own contributions, a sole admin can`() throws {
    let own = try app.device(by: moderator)
    app.flag("device", own.id, as: rui.identity)
    let review = try app.review("contribution", of: own, by: moderator, number: 1)
    #expect(app.act("dismiss", "device", own.id, as: moderator.identity).status == .forbidden)
    #expect(app.act("accept", "review", review, as: moderator.identity).status == .forbidden)
    #expect(app.act("hide", "device", own.id, as: moderator.identity).status == .ok)
    #expect(app.act("restore", "device", own.id, as: moderator.identity).status == .forbidden)
    let admin = try app.account("root", role: .admin)
    let admins = try app.device(by: admin)
    app.flag("device", admins.id, as: rui.identity)
    #expect(app.act("dismiss", "device", admins.id, as: admin.identity).status == .ok)
  }

  // Time.

  private func work() throws { try app.app.moderation.work("") }

  @Test func `a contribution counts without review after a week`() throws {
    let review = try app.review("contribution", of: device, by: ana, number: 1)
    app.clock.advance(by: .seconds(7 * 86_400 - 1))
    try work()
    #expect(try accepted() == 0)
    app.clock.advance(by: .seconds(1))
    try work()
    #expect(try accepted() == 1)
    #expect(try outcome(review) == "accepted")
    try work()
    #expect(try accepted() == 1)
  }

  @Test func `a flagged contribution waits for review without a time limit`() throws {
    try app.review("contribution", of: device, by: ana, number: 1)
    app.flag("device", device.id, as: rui.identity)
    app.clock.advance(by: .seconds(10 * 86_400))
    try work()
    #expect(try accepted() == 0)
    app.act("dismiss", "device", device.id, as: moderator.identity)
    try work()
    #expect(try accepted() == 1)
  }

  @Test func `a photo always needs review, a verdict counts once its author is trusted`() throws {
    let photo = try app.photo(of: device, by: ana, state: "waiting")
    let verdict = try app.verdict(on: device, by: ana, counts: false)
    try app.review("photo", of: device, by: ana, photo: photo)
    try app.review("verdict", of: device, by: ana, verdict: verdict)
    app.clock.advance(by: .seconds(30 * 86_400))
    try work()
    #expect(try app.text("SELECT state FROM photo") == "waiting")
    #expect(try app.integer("SELECT counts FROM verdict") == 0)
    try app.database.write { try $0.execute("UPDATE account SET accepted_edits = 3") }
    try work()
    #expect(try app.text("SELECT state FROM photo") == "waiting")
    #expect(try app.integer("SELECT counts FROM verdict") == 1)
  }

  @Test func `acceptance by time runs once a day`() throws {
    let runner = JobRunner(
      database: app.database, environment: app.environment,
      logger: .init(label: "test") { _ in app.log },
      works: app.app.works.merging(["mail": { _ in }]) { $1 }, repeated: app.app.repeatedWorks)
    try runner.scheduleRepeated()
    try app.review("contribution", of: device, by: ana, number: 1)
    app.clock.advance(by: .seconds(7 * 86_400))
    while try runner.runOne() {}
    #expect(try accepted() == 1)
    #expect(
      try app.text("SELECT due_at FROM job WHERE kind = 'keep_order'") == "2026-11-29T12:00:00Z")
  }
}
