@testable import Accounts
@testable import App
import Foundation
import JSON
import Mail
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Attempts to learn whether an address has an account from everything that an account may read: an account that
/// claims the address, in a world where another account has confirmed it and in one where it is free.
@Suite struct RegisteredAddressTests {
  private static let address = "victim@example.org"
  private static let mailbox = "198.51.100.1"
  private static let attacker = "198.51.100.7"

  /// The owner of the address in the first world, another person in the second.
  private static func owner(of world: Int) -> String { world == 0 ? "victim" : "someone" }

  private static func worlds() throws -> TwoWorlds {
    try TwoWorlds { app, world in _ = try app.account(owner(of: world)) }
  }

  /// One account of the attacker in both worlds.
  private struct Spy {
    let worlds: TwoWorlds
    var identities: [Identity]

    var apps: [TestApp] { [worlds.one, worlds.other] }

    /// Acts in both worlds. Returns what the attacker sees, without the random values.
    @discardableResult
    func each<T>(_ act: (TestApp, Identity) throws -> T) rethrows -> [T] {
      try zip(apps, identities).map { try act($0, $1) }
    }

    func advance(by seconds: Int64) { for app in apps { app.clock.advance(by: .seconds(seconds)) } }

    /// Expects the same response in both worlds.
    func expectAlike(
      _ attempt: String, at location: SourceLocation = #_sourceLocation,
      _ ask: (TestApp, Identity) throws -> TestAnswer
    ) rethrows {
      let seen = try each { app, identity in RegisteredAddressTests.seen(try ask(app, identity)) }
      #expect(seen[0] == seen[1], "\(attempt)", sourceLocation: location)
    }

    /// Expects that the account reads the same in both worlds: from every endpoint, whether or not it may call it.
    func expectAlikeEverywhere(
      _ stage: String, at location: SourceLocation = #_sourceLocation
    ) throws {
      // The limits of an hour do not hide what an export contains.
      advance(by: 3_600)
      // The day of the visit is written behind the response, before the next write.
      each { app, identity in
        _ = app.get("/api/session", as: identity)
        _ = app.post("/api/accounts/recover", ["login": "nobody"])
      }
      expectAlike("\(stage): export", at: location) { $0.get("/api/account/export", as: $1) }
      for endpoint in worlds.one.app.endpoints where endpoint.method == .get {
        // Streams have no end, and the others are about the machine.
        guard
          !["/api/live", "/api/visits/stream", "/healthz", "/readyz", "/metrics"].contains(
            endpoint.path)
        else {
          continue
        }
        let path = endpoint.path.replacing("{username}", with: "eva")
        expectAlike("\(stage): \(path)", at: location) { $0.get(path, as: $1) }
      }
    }
  }

  /// The parts of a response that an attacker can compare. The tokens of a session are random.
  private static func seen(_ answer: TestAnswer) -> String {
    let body = answer.text.replacing(/"csrf_token":"[^"]*"/, with: "")
    let headers = ["Location", "Retry-After", "Content-Type", "Cache-Control", "ETag"].map {
      "\($0): \(answer.headers[$0] ?? "")"
    }
    return ["\(answer.status.code)", headers.joined(separator: "\n"), body].joined(separator: "\n")
  }

  /// An account that claims the address.
  private func claimant(_ name: String = "eva", in worlds: TwoWorlds) throws -> Spy {
    let identities = try [worlds.one, worlds.other].map { app in
      let answer = app.signUp(name, email: Self.address, from: Self.attacker)
      try #require(answer.status == .accepted, "\(answer.text)")
      return try app.signIn(name, from: Self.attacker).identity
    }
    return Spy(worlds: worlds, identities: identities)
  }

  /// Runs the jobs and sends what is queued.
  private func deliver(_ app: TestApp, _ failure: MailFailure? = nil) throws {
    try app.work()
    let transport = TestTransport()
    transport.fail(failure)
    try app.sendMail(transport)
  }

  private func deleteOwner(_ app: TestApp) throws {
    let names = "SELECT rowid FROM account WHERE username IN ('victim', 'someone')"
    let owner = try app.signIn(try #require(try app.integer(names)))
    let answer = app.send(
      .delete, "/api/account", json: ["password": .string(TestAccount.password)], as: owner)
    try #require(answer.status == .noContent, "\(answer.text)")
  }

  @Test func `an account that claims an address reads nothing about it, on any day`() throws {
    let eva = try claimant(in: try Self.worlds())
    try eva.expectAlikeEverywhere("after the sign-up")
    try eva.each { app, _ in try deliver(app) }
    try eva.expectAlikeEverywhere("after the mail")

    try eva.each { app, identity in
      _ = app.post("/api/accounts/confirm/resend", ["email": .string(Self.address)], as: identity)
      _ = app.post("/api/accounts/confirm/resend", ["email": .string(Self.address)])
      try app.work()
    }
    try eva.expectAlikeEverywhere("after a second mail was requested")
    try eva.each { app, _ in
      for login in [Self.address, "eva"] {
        _ = app.post("/api/accounts/recover", ["login": .string(login)])
      }
      try app.work()
    }
    try eva.expectAlikeEverywhere("after a password was requested")
    let refusal = MailFailure("refused (550)", isPermanent: true, fault: .noMailbox)
    try eva.each { app, _ in try deliver(app, refusal) }
    try eva.expectAlikeEverywhere("after the mailbox refused mail")

    eva.advance(by: 48 * 3_600)
    try eva.each { app, _ in try AccountSweep(accounts: app.app.accounts).run() }
    try eva.expectAlikeEverywhere("after the links have ended")
    try eva.each { app, _ in try deleteOwner(app) }
    try eva.expectAlikeEverywhere("after the owner's account was deleted")
    eva.advance(by: 5 * 86_400)
    try eva.each { app, _ in try AccountSweep(accounts: app.app.accounts).run() }
    try eva.expectAlikeEverywhere("after a week")
    #expect(eva.each { $0.get("/api/account", as: $1).status } == [.unauthorized, .unauthorized])
  }

  @Test(arguments: [true, false])
  func `a change of the address reveals nothing about the new one`(isConfirmed: Bool) throws {
    let worlds = try Self.worlds()
    let identities = try [worlds.one, worlds.other].map { app in
      try app.account("eva", isConfirmed: isConfirmed, isNew: true).identity
    }
    let eva = Spy(worlds: worlds, identities: identities)
    func change(to address: String) {
      eva.expectAlike("a change to \(address)") { app, identity in
        app.send(
          .patch, "/api/account",
          json: [
            "email": .string(address), "current_password": .string(TestAccount.password),
          ], as: identity, from: Self.attacker)
      }
    }
    change(to: Self.address)
    try eva.expectAlikeEverywhere("after the change")
    try eva.each { app, _ in try deliver(app) }
    change(to: "eva@example.net")
    change(to: Self.address)
    let refusal = MailFailure("refused (550)", isPermanent: true, fault: .noMailbox)
    try eva.each { app, _ in try deliver(app, refusal) }
    try eva.expectAlikeEverywhere("after the mailbox refused mail")
    try eva.each { app, _ in try deleteOwner(app) }
    try eva.expectAlikeEverywhere("after the owner's account was deleted")
    eva.advance(by: 48 * 3_600)
    try eva.each { app, _ in try AccountSweep(accounts: app.app.accounts).run() }
    try eva.expectAlikeEverywhere("after the links have ended")
  }

  @Test func `signing in with two claims of an address reveals nothing about it`() throws {
    let worlds = try Self.worlds()
    for (name, password) in [("eva", "the first of my claims"), ("eve", "the second of my claims")]
    {
      for app in [worlds.one, worlds.other] {
        let answer = app.signUp(name, email: Self.address, password: password, from: Self.attacker)
        try #require(answer.status == .accepted)
      }
    }
    let eva = Spy(worlds: worlds, identities: [.visitor, .visitor])
    for password in ["the second of my claims", "the first of my claims", "a wrong guess"] {
      eva.advance(by: 900)
      for attempt in 1...12 {
        eva.expectAlike("\(password), attempt \(attempt)") { app, _ in
          app.signIn(Self.address, password, from: Self.attacker)
        }
      }
    }
  }

  @Test func `a claim of an address allows no more guesses at its owner's password`() throws {
    let app = try Self.worlds().one
    #expect(app.signIn("victim", from: Self.mailbox).status == .ok)
    _ = app.signUp("eva", email: Self.address, password: "my first guess", from: Self.attacker)
    for _ in 1...SignInGuard.perLogin {
      #expect(app.signIn(Self.address, "my first guess", from: Self.attacker).status == .ok)
    }
    // The password of the owner, found at last, is compared no more.
    let answer = app.signIn(Self.address, TestAccount.password, from: Self.attacker)
    #expect(answer.status == .tooManyRequests)
    #expect(app.signIn(Self.address, from: Self.mailbox).status == .ok)
    #expect(app.signIn("eva", "my first guess", from: Self.attacker).status == .ok)
  }

  @Test func `an account with a confirmed address reads the mail to it`() throws {
    let app = try TestApp()
    let ana = try app.account("ana")
    _ = app.post("/api/accounts/recover", ["login": "ana"])
    try app.work()
    let export = try app.get("/api/account/export", as: ana.identity).json
    #expect(export["mailed_links"]?.arrayValue?.count == 1)
    #expect(export["waiting_mails"]?.arrayValue?.count == 1)
  }
}
