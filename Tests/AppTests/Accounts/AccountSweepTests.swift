@testable import Accounts
@testable import App
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct AccountSweepTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private func sweep() throws { try AccountSweep(accounts: app.app.accounts).run() }

  @Test func `an unconfirmed account is deleted after a week`() throws {
    _ = app.signUp("ana")
    _ = try app.person("rui")
    app.clock.advance(by: .seconds(7 * 86_400 - 1))
    try sweep()
    #expect(try app.count("account") == 2)
    app.clock.advance(by: .seconds(1))
    try sweep()
    #expect(try app.database.read { try $0.text("SELECT username FROM account") } == "rui")
    #expect(app.signUp("ana").status == .accepted)
  }

  @Test func `many accounts are deleted in batches`() throws {
    for place in 1...401 { _ = try app.account("user\(place)", isConfirmed: false) }
    try sweep()
    #expect(try app.count("account") == 0)
  }

  @Test func `mail to the owner of an address stays when a claim to it expires`() throws {
    _ = try app.person("ana")
    _ = app.signUp("eva", email: "ana@example.org")
    let before = try app.mails.filter { $0.template == "already_registered" }
    app.clock.advance(by: .seconds(7 * 86_400))
    try sweep()
    #expect(try app.mails.filter { $0.template == "already_registered" } == before)
  }

  @Test(arguments: [
    ("session", "expires_at", "2026-11-21T12:00:00Z", "2026-11-21T12:00:01Z"),
    ("session", "last_seen_on", "2026-11-07", "2026-11-08"),
    ("personal_token", "expires_at", "2026-11-21T12:00:00Z", "2026-11-21T12:00:01Z"),
    ("mail_token", "expires_at", "2026-11-21T12:00:00Z", "2026-11-21T12:00:01Z"),
    ("known_network", "last_seen_on", "2026-08-22", "2026-08-23"),
    ("idempotency", "made_at", "2026-11-20T12:00:00Z", "2026-11-20T12:00:01Z"),
  ])
  func `expired rows are deleted, rows with time left are kept`(
    table: String, column: String, gone: String, kept: String
  ) throws {
    let account = try app.account("ana")
    _ = try app.token(account.rowid, [.read])
    _ = app.signIn("ana", from: "192.0.2.1")
    _ = app.post("/api/accounts/recover", ["login": "ana"])
    try app.work()
    try app.database.write { connection in
      try connection.execute("DELETE FROM session WHERE agent = 'Test'")
      try connection.execute(
        """
        INSERT INTO idempotency (account_rowid, key, digest, status, made_at)
        VALUES (?, 'x', ?, 201, ?)
        """,
        [.integer(account.rowid), .blob(.init(repeating: 0, count: 32)), .text(app.clock.now.text)])
    }
    for (moment, count) in [(kept, 1), (gone, 0)] {
      try app.database.write { connection in
        try connection.execute("UPDATE \(table) SET \(column) = ?", [.text(moment)])
      }
      try sweep()
      #expect(try app.count(table) == Int64(count), "\(moment)")
    }
  }

  @Test func `an unanswered request for mail is deleted after a day`() throws {
    _ = app.post("/api/accounts/recover", ["login": "somebody@example.org"])
    app.clock.advance(by: .seconds(86_399))
    try sweep()
    #expect(try app.count("job") == 1)
    app.clock.advance(by: .seconds(1))
    try sweep()
    #expect(try app.count("job") == 0)
  }
}
