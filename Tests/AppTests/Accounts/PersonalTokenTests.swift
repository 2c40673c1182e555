import JSON
import Secrets
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct PersonalTokenTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private func make(
    _ json: JSONValue = ["name": "QGIS", "scopes": ["read"]], as identity: Identity
  ) -> TestAnswer {
    app.post("/api/account/tokens", json, as: identity)
  }

  private func tokens(_ identity: Identity) throws -> [JSONValue] {
    try #require(try app.get("/api/account/tokens", as: identity).json["tokens"]?.arrayValue)
  }

  @Test func `a token is shown once and stored as a digest`() throws {
    let ana = try app.person("ana")
    let answer = make(
      ["name": "QGIS", "scopes": ["contribute", "read"], "expires_in_days": 30], as: ana)
    #expect(answer.status == .created)
    let made = try answer.json
    let text = try #require(made["token"]?.stringValue)
    #expect(text.hasPrefix("farol_"))
    #expect(made["scopes"] == ["read", "contribute"])
    #expect(made["expires_at"] == "2026-12-21T12:00:00Z")
    #expect(made["last_used_on"] == .null)
    let id = try #require(made["id"]?.stringValue)
    #expect(answer.headers["Location"] == "/api/account/tokens/\(id)")
    let listed = try tokens(ana)
    #expect(listed.count == 1)
    #expect(listed[0]["token"] == nil)
    #expect(try app.get("/api/account/tokens/\(id)", as: ana).json == listed[0])
    let digest = try app.database.read { try $0.scalar("SELECT digest FROM personal_token") }
    let secret = try #require(SecretToken(text: String(text.dropFirst(6))))
    #expect(digest == .blob(secret.digest))
  }

  @Test func `a program is authorised by a token until it expires`() throws {
    let ana = try app.person("ana")
    let made = try make(
      ["name": "QGIS", "scopes": ["read"], "expires_in_days": 1], as: ana
    ).json
    let program = Identity.bearer(try #require(made["token"]?.stringValue))
    // A wrong token is refused even by public endpoints, so this shows that the token is valid.
    #expect(app.get("/api/session", as: program).status == .forbidden)
    app.clock.advance(by: .seconds(86_399))
    #expect(app.get("/api/session", as: program).status == .forbidden)
    app.clock.advance(by: .seconds(1))
    #expect(app.get("/api/session", as: program).status == .unauthorized)
    #expect(try tokens(ana).isEmpty)
  }

  @Test func `only its owner can delete a token`() throws {
    let ana = try app.person("ana")
    let rui = try app.person("rui")
    let made = try make(as: ana).json
    let id = try #require(made["id"]?.stringValue)
    let program = Identity.bearer(try #require(made["token"]?.stringValue))
    #expect(app.get("/api/account/tokens/\(id)", as: rui).status == .notFound)
    #expect(app.send(.delete, "/api/account/tokens/\(id)", as: rui).status == .notFound)
    #expect(app.get("/api/session", as: program).status == .forbidden)
    #expect(app.send(.delete, "/api/account/tokens/\(id)", as: ana).status == .noContent)
    #expect(app.get("/api/session", as: program).status == .unauthorized)
    #expect(app.send(.delete, "/api/account/tokens/\(id)", as: ana).status == .notFound)
  }

  @Test func `a user can delete all tokens at once, those of other users stay`() throws {
    let ana = try app.person("ana")
    let rui = try app.person("rui")
    for _ in 1...3 { _ = make(as: ana) }
    _ = make(as: rui)
    #expect(app.send(.delete, "/api/account/tokens", as: ana).status == .noContent)
    #expect(try tokens(ana).isEmpty)
    #expect(try tokens(rui).count == 1)
  }

  private static let contributors: [Scope] = [.read, .contribute, .choicesRead, .choices, .records]

  @Test(arguments: [
    (Role.contributor, Self.contributors), (.operator, Self.contributors + [.inbox, .operate]),
    (.moderator, Self.contributors + [.inbox, .operate, .moderate]),
    (.admin, Self.contributors + [.inbox, .operate, .moderate, .admin]),
  ])
  func `a token has no more permissions than its owner`(role: Role, allowed: [Scope]) throws {
    let account = try app.account("ana", role: role)
    for scope in Scope.allCases {
      let answer = make(
        try app.proving(["name": "x", "scopes": [.string(scope.rawValue)]]), as: account.identity)
      #expect(
        answer.status == (allowed.contains(scope) ? .created : .unprocessableContent), "\(scope)")
      if answer.status.isError { #expect(try answer.fields == ["scopes"]) }
    }
  }

  private static let refused: [(json: JSONValue, fields: [String], status: Int)] = [
    (["name": "", "scopes": ["read"]], ["name"], 422),
    (["name": .string(String(repeating: "x", count: 61)), "scopes": ["read"]], ["name"], 422),
    (["name": "a\u{202E}b", "scopes": ["read"]], ["name"], 422),
    (["name": "a\u{200B}b", "scopes": ["read"]], ["name"], 422),
    (["name": "x", "scopes": []], ["scopes"], 422),
    (["name": "x", "scopes": ["all"]], ["scopes"], 422),
    (["name": "x", "scopes": "read"], ["scopes"], 400),
    (["name": "x"], ["scopes"], 400),
    (["name": "x", "scopes": ["read"], "expires_in_days": 0], ["expires_in_days"], 422),
    (["name": "x", "scopes": ["read"], "expires_in_days": 367], ["expires_in_days"], 422),
    (["name": "x", "scopes": ["read"], "expires_in_days": 1.5], ["expires_in_days"], 400),
  ]

  @Test func `a refusal names the invalid field`() throws {
    let ana = try app.person("ana")
    for (json, fields, status) in Self.refused {
      let answer = make(json, as: ana)
      #expect(answer.status.code == status, "\(json)")
      #expect(try answer.fields == fields)
    }
    #expect(try tokens(ana).isEmpty)
  }

  @Test func `the longest name and lifetime are accepted`() throws {
    let ana = try app.person("ana")
    let answer = make(
      [
        "name": .string(String(repeating: "x", count: 60)), "scopes": ["read"],
        "expires_in_days": 366,
      ], as: ana)
    #expect(answer.status == .created)
  }

  @Test func `fifty tokens are allowed`() throws {
    let ana = try app.person("ana")
    for _ in 1...50 { #expect(make(as: ana).status == .created) }
    #expect(make(as: ana).status == .conflict)
    app.clock.advance(by: .seconds(90 * 86_400))
    let later = try app.signIn("ana").identity
    #expect(make(as: later).status == .created)
  }

  @Test func `a token cannot create tokens`() throws {
    let account = try app.account("ana")
    let program = try app.token(account.rowid, [.read, .contribute])
    #expect(make(as: program).status == .forbidden)
  }
}
