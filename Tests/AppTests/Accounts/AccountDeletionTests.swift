@testable import Accounts
@testable import App
import Foundation
import JSON
import Mail
import PrivacyMap
import Secrets
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct AccountDeletionTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private func delete(
    _ identity: Identity, password: String = TestApp.password, code: String? = nil
  ) -> TestAnswer {
    var members: [(key: String, value: JSONValue)] = [("password", .string(password))]
    if let code { members.append(("code", .string(code))) }
    return app.send(.delete, "/api/account", json: .object(JSONObject(members)), as: identity)
  }

  @Test func `deletion removes the account and keeps its contributions`() throws {
    let ana = try app.account("ana")
    let made = try app.contributions(of: ana)
    let before = try app.get(Path.items + "/" + made.deviceID).json
    let answer = delete(ana.identity)
    #expect(answer.status == .noContent)
    #expect(answer.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
    #expect(answer.headers["Clear-Site-Data"] == nil)
    for table in [
      "account", "session", "personal_token", "recovery_code", "mail_token", "known_network",
      "idempotency",
    ] { #expect(try app.count(table) == 0, "\(table)") }
    #expect(try app.get(Path.items + "/" + made.deviceID).json == before)
    for (table, count) in [("revision", 2), ("verdict", 1), ("photo", 2), ("flag", 2)] {
      #expect(try app.count(table) == Int64(count), "\(table)")
    }
    for (table, column) in [
      ("device", "account_rowid"), ("revision", "account_rowid"), ("verdict", "account_rowid"),
      ("photo", "account_rowid"), ("flag", "account_rowid"), ("flag", "about_rowid"),
    ] {
      let named = try app.database.read { connection in
        try connection.integer("SELECT count(*) FROM \(table) WHERE \(column) IS NOT NULL")
      }
      #expect(named == 0, "\(table).\(column)")
    }
    #expect(app.get("/api/account", as: ana.identity).status == .unauthorized)
    #expect(app.get("/api/people/ana").status == .notFound)
    #expect(app.signIn("ana").status == .unauthorized)
    #expect(try app.database.integrityCheck().isSound)
  }

  @Test func `other accounts keep their data`() throws {
    let ana = try app.account("ana")
    let rui = try app.account("rui")
    _ = try app.contributions(of: rui)
    #expect(delete(ana.identity).status == .noContent)
    try app.app.profiles.run()
    #expect(
      try app.get("/api/people/rui").json["contributions"] == [
        "devices": 1, "edits": 1, "photos": 1,
      ])
    #expect(app.get("/api/account", as: rui.identity).status == .ok)
  }

  @Test func `the deleted name and address can be used again`() throws {
    let ana = try app.person("ana")
    #expect(delete(ana).status == .noContent)
    #expect(app.signUp("ana").status == .accepted)
    #expect(try app.lastMail.template == "confirm")
  }

  @Test func `deletion needs the password`() throws {
    let ana = try app.person("ana")
    #expect(app.send(.delete, "/api/account", json: [:], as: ana).status == .badRequest)
    let wrong = delete(ana, password: "a wrong guess")
    #expect(wrong.status == .unprocessableContent)
    #expect(try wrong.fields == ["password"])
    #expect(app.get("/api/account", as: ana).status == .ok)
  }

  @Test func `deletion needs the second factor of the account`() throws {
    let admin = try app.account("boss", role: .admin)
    let ana = try app.account("ana", role: .moderator)
    #expect(try delete(ana.identity).fields == ["code"])
    #expect(try delete(ana.identity, code: "000000").fields == ["code"])
    let secret = try #require(OneTimePassword(secret: [UInt8](repeating: 7, count: 20)))
    let step = OneTimePassword.step(at: app.clock.now.secondsSinceEpoch)
    #expect(delete(ana.identity, code: secret.code(at: step)).status == .noContent)
    #expect(app.get("/api/account", as: admin.identity).status == .ok)
  }

  @Test func `an admin can be deleted, except the last`() throws {
    let first = try app.account("boss", role: .admin)
    let secret = try #require(OneTimePassword(secret: [UInt8](repeating: 7, count: 20)))
    func code() -> String {
      secret.code(at: OneTimePassword.step(at: app.clock.now.secondsSinceEpoch))
    }
    let answer = delete(first.identity, code: code())
    #expect(answer.status == .conflict)
    #expect(try answer.type == "/problems/last-admin")
    _ = try app.account("chief", role: .admin)
    #expect(delete(first.identity, code: code()).status == .noContent)
  }

  @Test func `no account number is used twice`() throws {
    _ = try app.account("boss", role: .admin)
    let ana = try app.account("ana")
    #expect(delete(ana.identity).status == .noContent)
    _ = app.signUp("rui")
    let rui = try #require(try app.lastMail.account)
    #expect(rui > ana.rowid)
  }

  @Test func `the mail about the deletion is sent without a reference to the account`() throws {
    let ana = try app.person("ana")
    #expect(delete(ana).status == .noContent)
    #expect(
      try app.mails == [
        WaitingMail(
          address: "ana@example.org", language: "en", template: "account_deleted", arguments: [:],
          link: nil, account: nil)
      ])
  }

  @Test func `an unconfirmed address gets no mail except its confirmation`()
    throws
  {
    _ = app.signUp("ana")
    let ana = try app.signIn("ana").identity
    let changed = app.send(
      .patch, "/api/account",
      json: ["password": "uma bem diferente", "current_password": .string(TestApp.password)],
      as: ana)
    #expect(delete(try changed.identity, password: "uma bem diferente").status == .noContent)
    #expect(try app.mails.isEmpty)
    #expect(try app.count("account") == 0)
  }

  @Test(.onlySQLite("about the bytes of the file"))
  func `after the mail about the deletion and the last claim no file contains the address`() throws
  {
    let needle = "quem-se-lembra-de-mim"
    #expect(app.signUp("ana", email: "\(needle)@example.org").status == .accepted)
    #expect(
      app.post("/api/accounts/confirm", ["token": .string(try app.lastMail.token)]).status == .ok)
    let ana = try app.signIn("ana").identity
    _ = app.signUp("eva", email: "\(needle.uppercased())@example.org")
    _ = app.post("/api/accounts/recover", ["login": .string("\(needle)@example.org")])
    #expect(try occurrences(of: needle) > 0)
    #expect(delete(ana).status == .noContent)
    try app.work()
    #expect(try occurrences(of: needle) > 0)
    // Sending erases the row, as in the queue.
    try app.database.write { try $0.execute("DELETE FROM mail") }
    app.clock.advance(by: .seconds(AccountErasure.pause))
    try app.work()
    // The end of a claim now would reveal that the address had an account.
    #expect(app.signIn("eva").status == .ok)
    app.clock.advance(by: .seconds(AccountSweep.confirmationPeriod))
    try AccountSweep(accounts: app.app.accounts).run()
    #expect(try occurrences(of: needle) == 0)
    #expect(app.log.lines.isEmpty)
    #expect(try app.count("job") == 0)
  }

  @Test(.onlySQLite("PostgreSQL keeps rows in its files until autovacuum"))
  func `the address is in no file as soon as the last mail is sent`() throws {
    let (ana, rui) = (try app.person("zebedeu"), try app.person("rui"))
    _ = delete(ana)
    #expect(delete(rui).status == .noContent)
    // The mail of another deleted account cannot be sent yet.
    try app.database.write { connection in
      try connection.execute(
        "DELETE FROM job WHERE kind = 'mail' AND payload = (SELECT CAST(max(rowid) AS TEXT) FROM mail)"
      )
    }
    #expect(try occurrences(of: "zebedeu@") > 0)
    let transport = TestTransport()
    let runner = try app.runner(transport, works: app.app.works)
    while try runner.runOne() {}
    #expect(transport.messages.map(\.to.text) == ["zebedeu@example.org"])
    // Without a pause: the clock does not move.
    #expect(try occurrences(of: "zebedeu@") == 0)
    #expect(try occurrences(of: "rui@") > 0)
  }

  /// Files of the database, including its log, that contain a text in upper or lower case.
  private func occurrences(of text: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(
      at: app.folder, includingPropertiesForKeys: nil
    ).filter { file in
      let bytes = try Data(contentsOf: file)
      return [text, text.uppercased()].contains { bytes.range(of: Data($0.utf8)) != nil }
    }.count
  }
}
