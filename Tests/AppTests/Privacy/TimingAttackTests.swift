@testable import Accounts
@testable import App
import JSON
import PrivacyMap
import SpatialDatabase
import Testing
import WebServer

/// Attempts to learn from the duration of a request whether an account exists. The tests count the
/// slow operations, because a clock would measure the machine.
@Suite struct TimingAttackTests {
  let app: TestApp
  let hashes = HashCounter()

  init() throws {
    app = try TestApp()
    _ = try app.account("victim")
    _ = try app.account("pending", isConfirmed: false)
    _ = try app.account("away", isSuspended: true)
  }

  /// The hashes that an operation computes.
  private func cost(_ id: String, _ json: JSONValue) throws -> HashCounter.Count {
    let endpoints = hashes.counting(app.app.accounts).endpoints
    _ = hashes.take()
    _ = try? hashes.call(endpoints, id, json)
    return hashes.take()
  }

  @Test func `the time of signing in does not reveal who has an account`() throws {
    for (logins, compared) in [
      (["victim", "pending", "away", "nobody"], 1),
      // An address may belong to one account, and be claimed by another.
      (["victim@example.org", "pending@example.org", "nobody@example.org"], 2),
    ] {
      for login in logins {
        let cost = try cost("signIn", ["login": .string(login), "password": "wrong password"])
        #expect(cost == HashCounter.Count(made: 0, compared: compared), "\(login)")
      }
    }
  }

  @Test func `the time of signing up does not reveal whose address it is`() throws {
    let costs = try ["victim@example.org", "free@example.org", "pending@example.org"].enumerated()
      .map { place, email in
        try cost(
          "signUp",
          [
            "username": .string("fresh\(place)"), "email": .string(email),
            "password": .string(TestApp.password), "locale": "en", "accept_terms": true,
          ])
      }
    #expect(Set(costs.map { "\($0.made) \($0.compared)" }).count == 1, "\(costs)")
    #expect(costs[0].made == 1)
  }

  @Test func `the time of recovery does not reveal who has an account`() throws {
    // The response writes one job for every address; the account is looked up after the response.
    var rows: [[Int64]] = []
    for login in ["victim@example.org", "nobody@example.org", "pending", "away"] {
      let before = try ["job", "mail", "mail_token"].map { try app.count($0) }
      let answer = app.post("/api/accounts/recover", ["login": .string(login)])
      #expect(answer.status == .accepted, "\(answer.text)")
      let after = try ["job", "mail", "mail_token"].map { try app.count($0) }
      rows.append(zip(before, after).map { $1 - $0 })
    }
    #expect(Set(rows).count == 1, "\(rows)")
  }

  @Test func `the time of a check does not reveal how similar a token was`() throws {
    // Tokens are looked up by digest, so no prefix of the token is compared.
    _ = app.signUp("neu")
    let token = try app.lastMail.token
    #expect(try app.integer("SELECT count(*) FROM mail_token WHERE length(digest) = 32") ?? 0 > 0)
    let near = String(token.dropLast()) + (token.last == "A" ? "B" : "A")
    for guess in [near, String(token.reversed())] {
      let answer = app.post("/api/accounts/confirm", ["token": .string(guess)])
      #expect(answer.status.code >= 400)
    }
    #expect(app.post("/api/accounts/confirm", ["token": .string(token)]).status == .ok)
  }

  @Test func `limits do not reveal who has an account`() throws {
    let worlds = try TwoWorlds { app, world in
      _ = try app.account(world == 0 ? "victim" : "someone")
    }
    for attempt in 1...30 {
      worlds.expectAlike("attempt \(attempt)") {
        $0.signIn("victim", "wrong password", from: "203.0.113.7")
      }
      worlds.expectAlike("recovery \(attempt)") {
        $0.post("/api/accounts/recover", ["login": "victim"], from: "203.0.113.7")
      }
    }
  }

  @Test func `limits do not reveal who accepts requests for records`() throws {
    let worlds = try TwoWorlds { app, world in
      let victim = try app.account("victim")
      if world == 0 {
        _ = app.send(
          .patch, "/api/account", json: ["data_requests": false], as: victim.identity)
      } else {
        try app.database.write { try $0.execute("DELETE FROM account") }
      }
    }
    let askers = try [worlds.one, worlds.other].map { try $0.account("asker") }
    for _ in 1...12 {
      let answers = zip([worlds.one, worlds.other], askers).map { $0.ask("victim", as: $1) }
      #expect(answers[0].status == answers[1].status)
      #expect(answers[0].bytes == answers[1].bytes)
    }
  }
}
