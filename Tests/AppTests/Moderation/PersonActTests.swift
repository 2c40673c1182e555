import JSON
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct PersonActTests {
  let app: TestApp
  let admin: TestAccount
  let moderator: TestAccount
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    admin = try app.account("root", role: .admin)
    moderator = try app.account("mod", role: .moderator)
    ana = try app.account("ana")
  }

  private func mayFlag(_ account: TestAccount) throws -> Bool {
    app.flag("account", moderator.id, as: account.identity).status == .created
  }

  @Test func `a warning sends a mail and adds a log entry`() throws {
    app.flag("account", ana.id, as: admin.identity)
    let warned = app.act("warn", "account", ana.id, reason: "No faces", as: moderator.identity)
    #expect(warned.status == .ok)
    let mail = try #require(try app.mails.first { $0.address == ana.email })
    #expect(mail.template == "warned")
    #expect(mail.arguments["reason"]?.stringValue == "No faces")
    #expect(try app.text("SELECT outcome FROM flag") == "upheld")
    #expect(try mayFlag(ana))
    #expect(try app.undo(warned, as: moderator.identity).status == .ok)
    #expect(try app.mails.last?.template == "moderation_decided")
  }

  @Test func `a suspended user stays signed in and can read, but cannot write`() throws {
    let answer = app.act(
      "suspend", "account", ana.id, more: [("days", 3)], reason: "Spam", as: moderator.identity)
    #expect(answer.status == .ok)
    #expect(try !mayFlag(ana))
    #expect(
      try app.integer("SELECT count(*) FROM session WHERE account_rowid = ?", [.integer(ana.rowid)])
        == 1)
    #expect(try app.mails.last?.arguments["until"]?.stringValue == "2026-11-24")
    app.clock.advance(by: .seconds(3 * 86_400 - 1))
    #expect(try !mayFlag(ana))
    app.clock.advance(by: .seconds(1))
    #expect(try mayFlag(ana))
  }

  @Test func `a suspension without days is permanent, until it is lifted`() throws {
    app.act("suspend", "account", ana.id, as: moderator.identity)
    app.clock.advance(by: .seconds(10 * 86_400))
    #expect(try !mayFlag(ana))
    let lifted = app.act("unsuspend", "account", ana.id, as: moderator.identity)
    #expect(lifted.status == .ok)
    #expect(try mayFlag(ana))
    #expect(app.act("unsuspend", "account", ana.id, as: moderator.identity).status == .conflict)
    try app.undo(lifted, as: moderator.identity)
    #expect(try !mayFlag(ana))
    #expect(try app.mails.map(\.template) == ["suspended", "unsuspended", "suspended"])
  }

  @Test func `undoing a suspension restores the earlier state`() throws {
    app.act("suspend", "account", ana.id, more: [("days", 3)], as: moderator.identity)
    let longer = app.act(
      "suspend", "account", ana.id, more: [("days", 30)], reason: "Again", as: moderator.identity)
    try app.undo(longer, as: moderator.identity)
    #expect(
      try app.text("SELECT suspended_until FROM account WHERE username = 'ana'")?.prefix(10)
        == "2026-11-24")
    #expect(
      try app.text("SELECT suspended_reason FROM account WHERE username = 'ana'") == "a good reason"
    )
  }

  @Test(arguments: [0, -1, 3_651]) func `days are from one to ten years`(days: Int64) {
    let answer = app.act(
      "suspend", "account", ana.id, more: [("days", .integer(days))], as: moderator.identity)
    #expect(answer.status == .unprocessableContent)
  }

  @Test(arguments: ["warn", "suspend", "unsuspend", "revert"])
  func `moderators act on lower roles, admins on all others, never on themselves`(
    action: String
  ) throws {
    let other = try app.account("mod2", role: .moderator)
    for (target, actor, isAllowed) in [
      (ana, moderator, true), (other, moderator, false), (admin, moderator, false),
      (moderator, moderator, false), (moderator, admin, true), (ana, admin, true),
      (admin, admin, false),
    ] {
      if action == "unsuspend" {
        try app.database.write { connection in
          try connection.execute(
            "UPDATE account SET suspended_at = created_at WHERE rowid = ?",
            [.integer(target.rowid)])
        }
        if target.rowid == actor.rowid { continue }
      }
      let answer = app.act(action, "account", target.id, as: actor.identity)
      #expect(
        answer.status == (isAllowed ? .ok : .forbidden),
        "\(action) \(target.username) by \(actor.username)")
      try app.database.write { try $0.execute("UPDATE account SET suspended_at = NULL") }
    }
  }

  @Test func `a moderator cannot undo actions of an admin or about themselves`()
    throws
  {
    let byAdmin = app.act("suspend", "account", ana.id, as: admin.identity)
    #expect(try app.undo(byAdmin, as: moderator.identity).status == .forbidden)
    #expect(try app.undo(byAdmin, as: admin.identity).status == .ok)
    let device = try app.device(by: moderator)
    let other = try app.account("mod2", role: .moderator)
    let hidden = app.act("hide", "device", device.id, as: other.identity)
    #expect(try app.undo(hidden, as: moderator.identity).status == .forbidden)
    #expect(try app.undo(hidden, as: admin.identity).status == .ok)
  }

  @Test func `only moderators decide`() throws {
    for identity in [
      Identity.visitor, ana.identity, try app.account("opera", role: .operator).identity,
      try app.account("new", isNew: true).identity,
      try app.account("mod3", role: .moderator, hasSecondFactor: false).identity,
      try app.account("mod4", role: .moderator, isSuspended: true).identity,
      try app.token(moderator.rowid, [.read, .contribute, .admin]),
    ] {
      let expected: Status = identity.headers.isEmpty ? .unauthorized : .forbidden
      #expect(app.act("warn", "account", ana.id, as: identity).status == expected)
      #expect(app.get("/api/moderation/queue", as: identity).status == expected)
      #expect(app.get("/api/moderation/log", as: identity).status == expected)
    }
    let token = try app.token(moderator.rowid, [.moderate])
    #expect(app.act("warn", "account", ana.id, as: token).status == .ok)
  }
}
