@testable import Accounts
@testable import App
import JSON
import SpatialDatabase
import Testing
import WebServer

@Suite struct GuessingTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let stranger = "198.51.100.7"
  private static let home = "192.0.2.1"

  private func guess(_ login: String, _ times: Int, from address: String = stranger) {
    for _ in 0..<times { _ = app.signIn(login, "a wrong guess", from: address) }
  }

  @Test func `after ten failures a login waits, even with the right password`() throws {
    _ = try app.account("ana")
    guess("ana", 9)
    #expect(app.signIn("ana", "a wrong guess", from: Self.stranger).status == .unauthorized)
    let answer = app.signIn("ana", from: Self.stranger)
    #expect(answer.status == .tooManyRequests)
    #expect(answer.headers["Retry-After"] == "900")
    #expect(answer.headers["RateLimit"] == "\"default\";r=0;t=900")
    #expect(app.signIn("ana", from: "203.0.113.5").status == .tooManyRequests)
  }

  @Test func `nine failures are not ten, and a success does not count`() throws {
    _ = try app.account("ana")
    guess("ana", 9)
    for _ in 1...20 { #expect(app.signIn("ana", from: Self.home).status == .ok) }
  }

  @Test func `the wait ends with the window`() throws {
    _ = try app.account("ana")
    guess("ana", 10)
    app.clock.advance(by: .seconds(899))
    #expect(app.signIn("ana", from: Self.stranger).status == .tooManyRequests)
    app.clock.advance(by: .seconds(1))
    #expect(app.signIn("ana", from: Self.stranger).status == .ok)
  }

  @Test func `after 25 failures with any logins a network waits`() throws {
    _ = try app.account("ana")
    for place in 1...24 { guess("user\(place)", 1) }
    #expect(app.signIn("ana", from: Self.stranger).status == .ok)
    guess("user25", 1)
    #expect(app.signIn("ana", from: "203.0.113.5").status == .ok)
    #expect(app.signIn("rui", from: Self.stranger).status == .tooManyRequests)
  }

  @Test func `the owner's network can sign in while other networks are blocked`() throws {
    _ = try app.account("ana")
    #expect(app.signIn("ana", from: Self.home).status == .ok)
    guess("ana", 40)
    #expect(app.signIn("ana", from: Self.stranger).status == .tooManyRequests)
    for _ in 1...15 { #expect(app.signIn("ana", from: Self.home).status == .ok) }
  }

  @Test func `a wrong password from the owner's network gets the usual response`() throws {
    _ = try app.account("ana")
    #expect(app.signIn("ana", from: Self.home).status == .ok)
    guess("ana", 10)
    guess("nobody", 10)
    let known = app.signIn("ana", "a wrong guess", from: Self.home)
    let unknown = app.signIn("nobody", "a wrong guess", from: Self.home)
    #expect(known.status == .tooManyRequests)
    #expect(known.bytes == unknown.bytes)
    #expect(known.headers.all.map(\.value) == unknown.headers.all.map(\.value))
  }

  @Test func `ten failures block the owner's own network too`() throws {
    _ = try app.account("ana")
    #expect(app.signIn("ana", from: Self.home).status == .ok)
    guess("ana", 10, from: Self.home)
    #expect(app.signIn("ana", from: Self.home).status == .tooManyRequests)
  }

  @Test func `a known network is a 64-bit prefix, known to one account alone`() throws {
    _ = try app.account("ana")
    _ = try app.account("rui")
    #expect(app.signIn("ana", from: "2001:db8::1").status == .ok)
    guess("ana", 10)
    guess("rui", 10)
    #expect(app.signIn("ana", from: "2001:db8::abcd").status == .ok)
    #expect(app.signIn("ana", from: "2001:db8:0:1::1").status == .tooManyRequests)
    #expect(app.signIn("rui", from: "2001:db8::1").status == .tooManyRequests)
  }

  @Test func `spellings of a login share one count`() throws {
    _ = try app.account("ana")
    for login in ["ana", "ANA", "Ána", " ana", "anA"] { guess(login, 2) }
    #expect(app.signIn("ana", from: Self.home).status == .tooManyRequests)
  }

  @Test func `failures with a username do not reveal its address`() throws {
    _ = try app.account("ana")
    guess("ana", 10)
    let own = app.signIn("ana@example.org", "a wrong guess", from: "203.0.113.5")
    let other = app.signIn("eva@example.org", "a wrong guess", from: "203.0.113.5")
    #expect(own.status == .unauthorized)
    #expect(own.bytes == other.bytes)
  }

  @Test func `an endlessly failing network is refused before any hash is computed`() throws {
    let counter = HashCounter()
    let accounts = counter.counting(app.app.accounts)
    let endpoints = SessionRoutes(accounts: accounts).endpoints
    func attempt() throws -> HashCounter.Count {
      _ = try? counter.call(
        endpoints, "signIn", ["login": "nobody", "password": "x"], from: Self.stranger)
      return counter.take()
    }
    for _ in 1...SignInGuard.looked { #expect(try attempt().compared == 1) }
    #expect(try attempt().compared == 0)
  }

  @Test func `parallel guesses get no more attempts than sequential ones`() throws {
    _ = try app.account("ana")
    Race.run(30) { _ in _ = app.signIn("ana", "a wrong guess", from: Self.stranger) }
    #expect(app.signIn("ana", from: Self.home).status == .tooManyRequests)
    app.clock.advance(by: .seconds(900))
    #expect(app.signIn("ana", from: Self.home).status == .ok)
  }

  @Test func `a new password allows its owner to sign in at once`() throws {
    _ = try app.account("ana")
    guess("ana", 10)
    _ = app.post("/api/accounts/recover", ["login": "ana"])
    try app.work()
    _ = app.post(
      "/api/accounts/reset",
      ["token": .string(try app.lastMail.token), "password": "uma bem diferente"])
    #expect(app.signIn("ana", "uma bem diferente", from: Self.home).status == .ok)
  }

  @Test func `the database stores an address as a keyed digest only`() throws {
    _ = try app.account("ana")
    _ = try app.account("rui")
    _ = app.signIn("ana", from: Self.home)
    _ = app.signIn("rui", from: Self.home)
    let digests = try app.database.read { connection in
      try connection.rows("SELECT digest FROM known_network") { $0.blob(0) }
    }
    #expect(Set(digests).count == 2)
    let key = try app.database.read {
      try $0.text("SELECT value FROM setting WHERE name = 'network_key'")
    }
    #expect(try #require(key).count == 45)
  }
}
