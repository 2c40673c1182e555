import JSON
import PrivacyMap
import SpatialDatabase
import Testing
import WebServer

@testable import MapAPI

/// Attempts to learn from how long something takes whether somebody is there. What takes long is
/// counted, as a clock would tell of the machine.
@Suite struct TimingAttackTests {
  let app: TestApp
  let hashes = HashCounter()

  init() throws {
    app = try TestApp()
    _ = try app.account("victim")
    _ = try app.account("pending", isConfirmed: false)
    _ = try app.account("away", isSuspended: true)
  }

  /// The hashes that an operation makes.
  private func cost(_ id: String, _ json: JSONValue) throws -> HashCounter.Count {
    let endpoints = hashes.counting(app.app.accounts).endpoints
    _ = hashes.take()
    _ = try? hashes.call(endpoints, id, json)
    return hashes.take()
  }

  @Test func `an attacker does not learn from the time of signing in who has an account`() throws {
    for (logins, compared) in [
      (["victim", "pending", "away", "nobody"], 1),
      // An address may be one account's, and claimed by another.
      (["victim@example.org", "pending@example.org", "nobody@example.org"], 2),
    ] {
      for login in logins {
        let cost = try cost("signIn", ["login": .string(login), "password": "wrong password"])
        #expect(cost == HashCounter.Count(made: 0, compared: compared), "\(login)")
      }
    }
  }

  @Test func `an attacker does not learn from the time of signing up whose address it is`() throws {
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

  @Test func `an attacker does not learn from the time of recovery who has an account`() throws {
    // The answer writes one job, whoever is meant; who it is is looked up after it was sent.
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

  @Test func `an attacker does not learn from time how near a token was`() throws {
    // Tokens are looked up by digest: what is compared is no prefix of the token.
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

  @Test func `an attacker does not learn from limits who has an account`() throws {
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

  @Test func `an attacker does not learn from limits who takes requests for records`() throws {
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
