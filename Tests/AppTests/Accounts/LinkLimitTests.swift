@testable import Accounts
import JSON
import SpatialDatabase
import Testing
import WebServer

/// Anyone may request mails to any address. These tests cover the limits for strangers and the
/// quota reserved for the owner.
@Suite struct LinkLimitTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let home = "192.0.2.1"

  /// A user who has signed in from home.
  private func owner() throws {
    _ = try app.person("ana")
    #expect(app.signIn("ana", from: Self.home).status == .ok)
    // In addition to the mails of signing up.
    app.clock.advance(by: .seconds(86_400))
  }

  /// Requests a new password. Returns the number of mails sent.
  @discardableResult
  private func recover(_ login: String = "ana", from address: String) throws -> Int {
    let before = try app.mails.count
    let answer = app.post("/api/accounts/recover", ["login": .string(login)], from: address)
    #expect(answer.status == .accepted)
    try app.work()
    return try app.mails.count - before
  }

  private func stranger(_ number: Int) -> String { "198.51.\(number / 200).\(number % 200 + 1)" }

  @Test func `requests of another network do not use up the owner's limit`() throws {
    try owner()
    for _ in 1...3 { #expect(try recover(from: stranger(1)) == 1) }
    #expect(try recover(from: stranger(1)) == 0)
    #expect(try recover(from: "192.0.2.77") == 1, "from a network that the owner never used before")
    #expect(try recover(from: Self.home) == 1)
  }

  @Test func `requests by username and by address share one count`() throws {
    try owner()
    #expect(try recover("ana", from: stranger(1)) == 1)
    #expect(try recover("ana@example.org", from: stranger(1)) == 1)
    #expect(try recover("ANA@example.org", from: stranger(1)) == 1)
    #expect(try recover("ana", from: stranger(1)) == 0)
  }

  @Test func `a network gets three mails an hour and six a day to an address`() throws {
    try owner()
    for _ in 1...4 { try recover(from: stranger(1)) }
    app.clock.advance(by: .seconds(3_600))
    for sent in [1, 1, 1, 0] { #expect(try recover(from: stranger(1)) == sent) }
    app.clock.advance(by: .seconds(3_600))
    #expect(try recover(from: stranger(1)) == 0)
    app.clock.advance(by: .seconds(86_400 - 7_200))
    #expect(try recover(from: stranger(1)) == 1)
  }

  @Test func `a network of IPv6 is a block of 64 bits`() throws {
    try owner()
    for host in 1...3 { #expect(try recover(from: "2001:db8:0:1::\(host)") == 1) }
    #expect(try recover(from: "2001:db8:0:1:ffff::1") == 0)
    #expect(try recover(from: "2001:db8:0:2::1") == 1)
  }

  @Test func `many networks cannot flood a mailbox, and its owner still gets a link`() throws {
    try owner()
    var sent = 0
    for number in 1...60 { sent += try recover(from: stranger(number)) }
    #expect(sent == LinkLimits.strangers)
    #expect(try recover(from: "192.0.2.77") == 0)
    #expect(try recover(from: Self.home) == 1)
    let link = try app.lastMail.token
    #expect(
      app.post(
        "/api/accounts/reset", ["token": .string(link), "password": "uma bem diferente"]
      ).status == .noContent)
    app.clock.advance(by: .seconds(86_400))
    #expect(try recover(from: "192.0.2.77") == 1)
  }

  @Test func `requests of strangers do not invalidate the owner's link`() throws {
    try owner()
    #expect(try recover(from: Self.home) == 1)
    let link = try app.lastMail.token
    for number in 1...5 { #expect(try recover(from: stranger(number)) == 0) }
    #expect(app.signUp("eva", email: "ana@example.org", from: stranger(6)).status == .accepted)
    #expect(try app.mails.filter { $0.template == "already_registered" }.isEmpty)
    app.clock.advance(by: .seconds(3_599))
    #expect(
      app.post(
        "/api/accounts/reset", ["token": .string(link), "password": "uma bem diferente"]
      ).status == .noContent)
  }

  @Test func `after the owner's link expires requests of strangers get responses again`() throws {
    try owner()
    #expect(try recover(from: Self.home) == 1)
    app.clock.advance(by: .seconds(3_600))
    #expect(try recover(from: stranger(1)) == 1)
  }

  @Test func `mails of all kinds to one address share one count`() throws {
    _ = app.signUp("ana", from: stranger(1))
    func resend(from address: String) throws -> Int {
      let before = try app.mails.count
      _ = app.post(
        "/api/accounts/confirm/resend", ["email": "ana@example.org"], from: address)
      try app.work()
      return try app.mails.count - before
    }
    #expect(try resend(from: stranger(1)) == 1)
    #expect(try recover(from: stranger(1)) == 1)
    #expect(try resend(from: stranger(1)) == 0)
    app.clock.advance(by: .seconds(LinkLimits.pause))
    #expect(try resend(from: stranger(1)) == 0)
    #expect(try resend(from: stranger(2)) == 1)
  }

  // MARK: - One mail on its way

  @Test(arguments: [false, true])
  func `sixteen simultaneous sign-ups of one address send one mail`(isTaken: Bool) throws {
    if isTaken { _ = try app.account("victim") }
    Race.run(16) { [app] number in
      let answer = app.signUp(
        "user\(number)", email: "victim@example.org", from: "198.51.100.\(number + 1)")
      #expect(answer.status == .accepted)
    }
    #expect(try app.mails.map(\.template) == [isTaken ? "already_registered" : "confirm"])
    #expect(try app.count("account") == (isTaken ? 17 : 16))
  }

  @Test func `changes of address and requests of another network wait for the mail, too`() throws {
    _ = app.signUp("ana", from: stranger(1))
    let eva = try app.account("eva")
    let changed = app.send(
      .patch, "/api/account",
      json: ["email": "ana@example.org", "current_password": .string(TestApp.password)],
      as: eva.identity, from: stranger(2))
    #expect(changed.status == .ok)
    _ = app.post(
      "/api/accounts/confirm/resend", ["email": "ana@example.org"], from: stranger(3))
    try app.work()
    #expect(try app.mails.map(\.template) == ["confirm"])
    // The address is not compared by its case.
    _ = app.signUp("rui", email: "ANA@example.org", from: stranger(4))
    #expect(try app.mails.count == 1)
    _ = app.signUp("zoe", from: stranger(5))
    #expect(try app.mails.count == 2)
  }

  @Test(arguments: [(LinkLimits.pause - 1, 0), (LinkLimits.pause, 1)])
  func `ten minutes later another network gets a mail`(seconds: Int64, sent: Int) throws {
    _ = app.signUp("eva", email: "ana@example.org", from: stranger(1))
    try app.sendMail(TestTransport())
    app.clock.advance(by: .seconds(seconds))
    _ = app.signUp("ana", from: stranger(2))
    #expect(try app.mails.count == sent)
  }

  @Test func `while the mail server is away, one mail waits`() throws {
    _ = app.signUp("user0", email: "ana@example.org", from: stranger(1))
    for number in 1...3 {
      app.clock.advance(by: .seconds(LinkLimits.pause))
      _ = app.signUp("user\(number)", email: "ana@example.org", from: stranger(number + 1))
    }
    #expect(try app.mails.count == 1)
    app.clock.advance(by: .seconds(MailTokens.Kind.confirm.lifetime))
    _ = app.signUp("ana", from: stranger(5))
    #expect(try app.mails.count == 2, "the link of the first has ended")
  }

  @Test func `the owner's network is not limited by a mail that a stranger caused`() throws {
    try owner()
    _ = app.signUp("eva", email: "ana@example.org", from: stranger(1))
    let before = try app.mails.count
    _ = app.signUp("ana2", email: "ana@example.org", from: Self.home)
    #expect(try app.mails.count == before + 1)
  }

  @Test func `a stranger's mail confirms the account of the owner who is signed in`() throws {
    _ = app.signUp("eva", email: "ana@example.org", from: stranger(1))
    let link = try app.lastMail.token
    _ = app.signUp("ana", from: Self.home)
    #expect(try app.mails.count == 1)
    let ana = try app.signIn("ana").identity
    let answer = app.post("/api/accounts/confirm", ["token": .string(link)], as: ana)
    #expect(try answer.json == ["confirmed": "account", "username": "ana"])
    #expect(try app.signIn("eva").json["account"]?["confirmed"] == false)
    #expect(try app.get("/api/session", as: ana).json["account"]?["confirmed"] == true)
    #expect(
      app.post("/api/accounts/confirm", ["token": .string(link)], as: ana).status
        == .unprocessableContent)
  }

  @Test func `a link confirms no signed-in account with another address`() throws {
    _ = app.signUp("eva", email: "ana@example.org", from: stranger(1))
    let link = try app.lastMail.token
    _ = app.signUp("rui", from: stranger(2))
    let rui = try app.signIn("rui").identity
    let answer = app.post("/api/accounts/confirm", ["token": .string(link)], as: rui)
    #expect(try answer.json["username"] == "eva")
    #expect(try app.get("/api/session", as: rui).json["account"]?["confirmed"] == false)
  }

  // MARK: - Other limits

  @Test func `an unconfirmed account has no known network`() throws {
    _ = app.signUp("eva", email: "victim@example.org", from: stranger(1))
    var sent = 1
    for number in 2...40 {
      #expect(app.signIn("eva", from: stranger(number)).status == .ok)
      sent += try recover("eva", from: stranger(number))
    }
    #expect(sent == LinkLimits.strangers)
  }

  @Test func `a requested new address counts by network and address too`() throws {
    var sent = 0
    for number in 1...9 {
      let ana = try app.account("user\(number)")
      let answer = app.send(
        .patch, "/api/account",
        json: ["email": "victim@example.org", "current_password": .string(TestApp.password)],
        as: ana.identity, from: stranger(1))
      #expect(answer.status == .ok)
      #expect(try answer.json["pending_email"] == "victim@example.org")
      sent = try app.mails.filter { $0.address == "victim@example.org" }.count
    }
    #expect(sent == 3)
  }

  @Test func `the network of a request is not stored`() throws {
    try owner()
    _ = app.post("/api/accounts/recover", ["login": "ana"], from: "203.0.113.77")
    let payload = try app.text("SELECT payload FROM job WHERE kind = 'account_mail'")
    #expect(payload?.contains("203.0.113") == false)
    try app.work()
    #expect(try app.lastMail.template == "reset")
  }

  @Test func `a request that waited through a restart counts as a stranger's`() throws {
    try owner()
    try app.database.write { connection in
      try MailRequest(kind: .reset, login: "ana", account: nil, asker: "12").schedule(
        at: app.clock.now, connection)
    }
    try app.work()
    #expect(try app.lastMail.template == "reset")
  }

  @Test func `beyond the capacity the oldest requesters are forgotten first`() throws {
    let askers = Askers(sealing: nil)
    let first = try askers.add(ClientAddress("192.0.2.1") ?? .unknown)
    let second = try askers.add(ClientAddress("192.0.2.2") ?? .unknown)
    for _ in 0..<9_999 { _ = try askers.add(.unknown) }
    #expect(askers.network(first) == .unknown)
    #expect(askers.network(second) == ClientAddress("192.0.2.2"))
    askers.forget(second)
    #expect(askers.network(second) == .unknown)
    #expect(askers.network(nil) == .unknown)
  }

  @Test func `accounts have separate limits for checks of an organisation`() throws {
    func check(_ account: TestAccount) -> Status {
      app.post(
        "/api/operators/mine/check", ["method": "email", "address": "office@exemplo.example"],
        as: account.identity
      ).status
    }
    let eva = try app.account("eva")
    let ana = try app.account("ana")
    for account in [eva, ana] {
      app.register("City of Exemplo", "exemplo.example", as: account.identity)
    }
    for _ in 1...3 { #expect(check(eva) == .ok) }
    #expect(check(eva) == .tooManyRequests)
    #expect(check(ana) == .ok)
    app.clock.advance(by: .seconds(3_600))
    for _ in 1...3 { #expect(check(eva) == .ok) }
    app.clock.advance(by: .seconds(3_600))
    #expect(check(eva) == .tooManyRequests)
    #expect(check(ana) == .ok)
  }
}
