import Foundation
import JSON
import PrivacyMap
import Secrets
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Attempts to learn a key that opens another person's account, or to see more with a stolen one.
@Suite struct TokenAttackTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  private func madeToken(_ scopes: JSONValue = ["read"]) throws -> (id: String, token: String) {
    let made = app.post(
      "/api/account/tokens", ["name": "A program", "scopes": scopes], as: ana.identity)
    try #require(made.status == .created, "\(made.text)")
    return (
      try #require(try made.json["id"]?.stringValue),
      try #require(try made.json["token"]?.stringValue)
    )
  }

  @Test func `a copy of the database contains no usable session or token`() throws {
    let token = try madeToken().token
    let session = try #require(
      ana.identity.headers.first { $0.name == "Cookie" }?.value.split(separator: "=").last)
    for secret in [token, String(token.dropFirst("farol_".count)), String(session)] {
      #expect(!app.isOnDisk(secret))
    }
    #expect(!app.isOnDisk(TestAccount.password))
  }

  @Test func `the list of tokens and the export contain no usable token`() throws {
    let (id, token) = try madeToken()
    for path in ["/api/account/tokens", "/api/account/tokens/\(id)", "/api/account/export"] {
      let answer = app.get(path, as: ana.identity)
      #expect(answer.status == .ok, "\(path)")
      #expect(!answer.text.contains(token.dropFirst(6)), "\(path)")
    }
  }

  @Test func `an attacker does not learn whether a token was ever valid`() throws {
    let token = try madeToken().token
    let good = String(token.dropLast()) + (token.last == "A" ? "B" : "A")
    _ = app.send(.delete, "/api/account/tokens", as: ana.identity)
    let answers = [token, good, "farol_x"].map {
      app.get("/api/account", as: .bearer($0))
    }
    for answer in answers {
      #expect(answer.status == .unauthorized)
      #expect(answer.bytes == answers[0].bytes)
      #expect(!answer.text.contains(token.dropFirst(6)))
    }
  }

  @Test func `an attacker does not learn whether a mailed link was ever valid`() throws {
    _ = app.signUp("neu")
    let token = try app.lastMail.token
    #expect(app.post("/api/accounts/confirm", ["token": .string(token)]).status == .ok)
    let answers = [token, SecretToken().text].map { token in
      app.post("/api/accounts/reset", ["token": .string(token), "password": "a new long password"])
    }
    #expect(answers[0].status == answers[1].status)
    #expect(answers[0].bytes == answers[1].bytes)
    #expect(answers.allSatisfy { !$0.text.contains(token) })
  }

  @Test func `a mailed token is in no Referer, log or logged address`() throws {
    _ = app.signUp("neu")
    let link = try #require(try app.lastMail.link)
    #expect(link.contains("#token=") && !link.contains("?"))
    for path in ["/confirm", "/reset", "/confirm-email", "/operator-check", "/reply"] {
      let policy = app.get(path).headers["Referrer-Policy"]
      #expect(policy == nil || ["same-origin", "no-referrer"].contains(policy), "\(path)")
    }
    let token = try app.lastMail.token
    _ = app.post("/api/accounts/confirm", ["token": .string(token + "x")])
    #expect(app.log.lines.allSatisfy { !$0.contains(token) })
  }

  @Test func `another site cannot learn who is signed in`() throws {
    for origin in ["https://evil.example", "null", "http://farol.example.evil"] {
      for path in ["/api/session", "/api/account", "/api/choices", "/api/data-requests"] {
        let answer = app.get(path, headers: ["Origin": origin], as: ana.identity)
        #expect(answer.headers["Access-Control-Allow-Credentials"] == nil, "\(path)")
        #expect(answer.headers["Access-Control-Allow-Origin"] == nil, "\(path)")
        let asked = app.send(
          .options, path,
          headers: ["Origin": origin, "Access-Control-Request-Method": "GET"])
        #expect(asked.headers["Access-Control-Allow-Credentials"] == nil, "\(path)")
      }
    }
  }

  @Test func `a research token reveals no more than the public data`() throws {
    let coarse = try app.added(["precision": "1km"], as: try app.account("ben"))
    let program = try app.token(ana.rowid, [.research])
    for path in [Path.item(coarse) + "/location", "/api/account/export", "/api/choices"] {
      #expect(app.get(path, as: program).status != .ok, "\(path)")
    }
  }

  @Test func `a choice does not reveal the reply link of another`() throws {
    let device = try app.added(as: try app.account("ben"))
    let id = try app.choice(of: ana, about: device)
    let bytes = try app.database.read { connection in
      try connection.first("SELECT reply_key FROM choice WHERE id = ?", [.text(id)]) { $0.blob(0) }
    }
    let key = try #require(bytes).map { byte in
      String(byte / 16, radix: 16) + String(byte % 16, radix: 16)
    }.joined()
    for path in ["/api/choices/\(id)", "/api/choices"] {
      #expect(!app.get(path, as: ana.identity).text.lowercased().contains(key), "\(path)")
    }
  }
}
