@testable import Accounts
@testable import App
import JSON
import PrivacyMap
import Secrets
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct AccountPowersTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private var powers: AccountPowers { AccountPowers(accounts: app.app.accounts) }

  private func audit() throws -> [String] {
    try app.database.read { connection in
      try connection.rows("SELECT actor, action, target FROM audit ORDER BY rowid") {
        "\($0.text(0)): \($0.text(1)) \($0.text(2))"
      }
    }
  }

  private func id(_ username: String) throws -> String {
    try #require(
      try app.database.read {
        try $0.text("SELECT id FROM account WHERE username = ?", [.text(username)])
      })
  }

  @Test func `the first admin signs in with the displayed secret`() throws {
    let given = try powers.createAdmin(
      username: "boss", email: "boss@example.org", password: TestApp.password)
    #expect(given.recoveryCodes.count == 10)
    #expect(given.uri.contains(given.secret))
    let stored = try app.database.read { try $0.scalar("SELECT totp_secret FROM account") }
    guard case .blob(let bytes) = stored, let secret = OneTimePassword(secret: bytes) else {
      Issue.record("no secret is stored")
      return
    }
    #expect(secret.base32 == given.secret)
    let step = OneTimePassword.step(at: app.clock.now.secondsSinceEpoch)
    let session = app.signIn("boss", code: secret.code(at: step))
    #expect(session.status == .ok)
    #expect(try session.json["account"]?["role"] == "admin")
    #expect(try session.json["account"]?["confirmed"] == true)
    #expect(app.signIn("boss", code: given.recoveryCodes[0]).status == .ok)
    #expect(try audit() == ["command line: create_admin account \(try id("boss"))"])
  }

  @Test(arguments: [
    ("ab", "boss@example.org", TestApp.password), ("admin", "boss@example.org", TestApp.password),
    ("boss", "boss", TestApp.password), ("boss", "boss@example.org", "password"),
    ("boss", "boss@example.org", "boss@example.org"), ("ANA", "boss@example.org", TestApp.password),
    ("boss", "Ana@example.org", TestApp.password),
  ])
  func `an invalid name or address is refused without repeating it`(
    username: String, email: String, password: String
  ) throws {
    _ = try app.account("ana")
    let failure = #expect(throws: AccountPowers.Failure.self) {
      try powers.createAdmin(username: username, email: email, password: password)
    }
    #expect(failure?.description.contains("boss@") == false)
    #expect(try app.count("account") == 1)
    #expect(try audit().isEmpty)
  }

  @Test func `a new role ends all sessions, and is logged`() throws {
    let ana = try app.account("ana")
    let program = try app.token(ana.rowid, [.read])
    try powers.changeRole(of: "ANA", to: .moderator)
    #expect(app.get("/api/session", as: ana.identity).status == .unauthorized)
    #expect(app.get("/api/session", as: program).status == .unauthorized)
    let session = app.signIn("ana")
    #expect(try session.json["account"]?["role"] == "moderator")
    #expect(try audit() == ["command line: make_moderator account \(ana.id)"])
    #expect(try app.lastMail.template == "role_changed")
  }

  @Test func `the same role changes nothing`() throws {
    let ana = try app.account("ana")
    try powers.changeRole(of: "ana", to: .contributor)
    #expect(app.get("/api/session", as: ana.identity).status == .ok)
    #expect(try audit().isEmpty)
  }

  @Test func `a missing, unconfirmed or last admin account keeps its role`() throws {
    _ = try app.account("eva", isConfirmed: false)
    _ = try app.account("boss", role: .admin)
    for (name, role) in [("nobody", Role.admin), ("eva", .moderator), ("boss", .moderator)] {
      #expect(throws: AccountPowers.Failure.self) { try powers.changeRole(of: name, to: role) }
    }
    try powers.changeRole(of: "boss", to: .admin)
    #expect(try audit().isEmpty)
  }

  @Test func `a new password ends all sessions, and renews a lost second factor only`()
    throws
  {
    let ana = try app.account("ana", role: .moderator)
    #expect(
      try powers.resetPassword(
        of: "ana", to: "uma bem diferente", renewsSecondFactor: false) == nil)
    #expect(app.get("/api/session", as: ana.identity).status == .unauthorized)
    #expect(app.signIn("ana").status == .unauthorized)
    #expect(
      try app.signIn("ana", "uma bem diferente").type == "/problems/second-factor-required")
    let given = try powers.resetPassword(
      of: "ana", to: "mais uma diferente", renewsSecondFactor: true)
    let code = try #require(given?.recoveryCodes.first)
    #expect(app.signIn("ana", "mais uma diferente", code: code).status == .ok)
    #expect(
      try audit() == [
        "command line: reset_password account \(ana.id)",
        "command line: reset_password account \(ana.id)",
        "command line: renew_second_factor account \(ana.id)",
      ])
    #expect(
      throws: AccountPowers.Failure.self
    ) {
      try powers.resetPassword(of: "ana", to: "password", renewsSecondFactor: false)
    }
  }
}
