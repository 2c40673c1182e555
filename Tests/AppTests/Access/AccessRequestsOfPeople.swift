@testable import Accounts
import JSON
import PrivacyMap
import Secrets
@testable import Service
import SpatialDatabase
import WebServer

extension AccessRequests {
  static let people = signingIn + account + browsers + tokens + research

  private static let signingIn = [
    AccessRequests("POST /api/accounts", "–") { scene in
      let name = "person\(try scene.app.count("account"))"
      return scene.send(
        .post, "/api/accounts",
        [
          "username": .string(name), "email": .string("\(name)@example.org"),
          "password": .string(TestAccount.password), "locale": "en", "accept_terms": true,
        ])
    },
    AccessRequests("POST /api/accounts/confirm", "token from the mail") {
      let person = try $0.somebody(isConfirmed: false)
      return $0.send(
        .post, "/api/accounts/confirm",
        ["token": .string(try mailed(.confirm, to: person, $0))])
    },
    AccessRequests("POST /api/accounts/confirm/resend", "–") {
      $0.send(
        .post, "/api/accounts/confirm/resend",
        ["email": .string(try $0.somebody(isConfirmed: false).email)])
    },
    AccessRequests("POST /api/accounts/recover", "–") {
      $0.send(.post, "/api/accounts/recover", ["login": .string($0.author.username)])
    },
    AccessRequests("POST /api/accounts/reset", "token from the mail") {
      let person = try $0.somebody()
      return $0.send(
        .post, "/api/accounts/reset",
        [
          "token": .string(try mailed(.reset, to: person, $0)),
          "password": "outra palavra-passe comprida",
        ])
    },
    AccessRequests("POST /api/session", "correct password") {
      signIn(try $0.somebody(), TestAccount.password, $0)
    },
    AccessRequests("POST /api/session", "wrong password") {
      signIn(try $0.somebody(), "não é esta", $0)
    },
    AccessRequests("GET /api/session", "own") { $0.get("/api/session") },
    AccessRequests("DELETE /api/session", "own") { $0.send(.delete, "/api/session") },
  ]

  private static func signIn(
    _ account: TestAccount, _ password: String, _ scene: AccessScene
  ) -> AccessRequest {
    scene.send(
      .post, "/api/session",
      ["login": .string(account.username), "password": .string(password)])
  }

  /// A token as in a mail.
  private static func mailed(
    _ kind: MailTokens.Kind, to account: TestAccount, _ scene: AccessScene
  ) throws -> String {
    try scene.app.database.write { connection in
      try MailTokens().issue(
        kind, for: account.rowid, email: account.email, at: scene.app.clock.now, connection
      ).text
    }
  }

  private static let account = [
    AccessRequests("GET /api/account", "own") { $0.get("/api/account") },
    AccessRequests("PATCH /api/account", "own") {
      $0.send(.patch, "/api/account", ["locale": "pt"])
    },
    AccessRequests("DELETE /api/account", "own") {
      $0.send(.delete, "/api/account", try $0.proof())
    },
    AccessRequests("POST /api/account/totp", "own") {
      $0.send(.post, "/api/account/totp", try $0.proof())
    },
    AccessRequests("POST /api/account/totp/confirm", "own") { scene in
      let begun = try scene.app.database.write { connection in
        try SecondFactorStore().begin(for: scene.owner.rowid, connection)
      }
      let step = OneTimePassword.step(at: scene.app.clock.now.secondsSinceEpoch)
      return scene.send(
        .post, "/api/account/totp/confirm", ["code": .string(begun.code(at: step))])
    },
    AccessRequests("DELETE /api/account/totp", "own") { scene in
      try scene.app.database.write { connection in
        try connection.execute(
          "UPDATE account SET totp_secret = ?, totp_confirmed_at = ? WHERE rowid = ?",
          [
            .blob(AccessScene.secret), .text(scene.app.clock.now.text),
            .integer(scene.owner.rowid),
          ])
      }
      return scene.send(.delete, "/api/account/totp", try scene.proof())
    },
    AccessRequests("GET /api/account/export", "own") { $0.get("/api/account/export") },
  ]

  /// A resource with an id, of the requester and of another person.
  private static func ofTwo(
    _ endpoint: String,
    _ make: @escaping @Sendable (AccessScene, TestAccount) throws -> AccessRequest
  ) -> [AccessRequests] {
    [
      AccessRequests(endpoint, "own") { try make($0, $0.owner) },
      AccessRequests(endpoint, "another's") { try make($0, $0.somebody()) },
    ]
  }

  private static let browsers =
    [
      AccessRequests("GET /api/account/sessions", "own") { $0.get("/api/account/sessions") },
      AccessRequests("DELETE /api/account/sessions", "own") {
        $0.send(.delete, "/api/account/sessions")
      },
    ]
    + ofTwo("GET /api/account/sessions/{id}") { scene, owner in
      scene.get("/api/account/sessions/\(try last("session", of: owner, scene))")
    }
    + ofTwo("DELETE /api/account/sessions/{id}") { scene, owner in
      scene.send(.delete, "/api/account/sessions/\(try last("session", of: owner, scene))")
    }

  private static let tokens =
    [
      AccessRequests("GET /api/account/tokens", "own") { $0.get("/api/account/tokens") },
      AccessRequests("POST /api/account/tokens", "own") {
        $0.send(
          .post, "/api/account/tokens",
          ["name": "A program", "scopes": ["read"], "expires_in_days": 7])
      },
      AccessRequests("DELETE /api/account/tokens", "own") {
        $0.send(.delete, "/api/account/tokens")
      },
    ]
    + ofTwo("GET /api/account/tokens/{id}") { scene, owner in
      _ = try scene.app.token(owner.rowid, [.read])
      return scene.get("/api/account/tokens/\(try last("personal_token", of: owner, scene))")
    }
    + ofTwo("DELETE /api/account/tokens/{id}") { scene, owner in
      _ = try scene.app.token(owner.rowid, [.read])
      return scene.send(
        .delete, "/api/account/tokens/\(try last("personal_token", of: owner, scene))")
    }

  /// A data request by another person. Returns its id.
  private static func question(of account: TestAccount, _ scene: AccessScene) throws -> String {
    try scene.app.database.write { connection in
      _ = try ResearchStore(environment: scene.app.environment).add(
        project: "Cameras of towns", purpose: String(repeating: "a purpose ", count: 5),
        until: Day(daysSinceEpoch: scene.app.clock.now.day.daysSinceEpoch + 90), of: account.rowid,
        connection)
    }
    return try last("research_access", of: account, scene)
  }

  private static let research =
    [
      AccessRequests("GET /api/account/research-access", "own") {
        $0.get("/api/account/research-access")
      },
      AccessRequests("POST /api/account/research-access", "own") {
        $0.send(
          .post, "/api/account/research-access",
          [
            "project": "Cameras of towns", "until": "2027-03-01",
            "purpose": "How many cameras say who runs them, town by town.",
          ])
      },
      AccessRequests("GET /api/admin/research-access", "–") {
        $0.get("/api/admin/research-access")
      },
      AccessRequests("POST /api/admin/research-access/{id}", "grant one") { scene in
        let id = try question(of: scene.somebody(), scene)
        return scene.send(
          .post, "/api/admin/research-access/\(id)",
          ["decision": "grant", "reason": "A good purpose", "until": "2027-03-01"])
      },
    ]
    + ofTwo("DELETE /api/account/research-access/{id}") { scene, owner in
      scene.send(.delete, "/api/account/research-access/\(try question(of: owner, scene))")
    }

  /// The id of the person's newest row in a table.
  private static func last(
    _ table: String, of account: TestAccount, _ scene: AccessScene
  ) throws -> String {
    let id = try scene.app.text(
      "SELECT id FROM \(table) WHERE account_rowid = ? ORDER BY rowid DESC",
      [.integer(account.rowid)])
    guard let id else { throw AccessScene.Unprepared(what: table) }
    return id
  }
}
