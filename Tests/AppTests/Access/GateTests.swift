import Accounts
@testable import App
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct GateTests {
  let app: TestApp
  let gate: Gate

  init() throws {
    app = try TestApp()
    gate = Gate(
      database: app.database, environment: app.environment,
      addresses: Addresses(base: TestApp.address), secure: false, writes: app.app.writes,
      credentials: CredentialStore())
  }

  private func request(
    _ method: Method = .get, _ identity: Identity, without: Set<String> = [],
    with added: [(String, String)] = []
  ) -> Request {
    var headers = Headers()
    for (name, value) in identity.headers where !without.contains(name) {
      headers.add(name, value)
    }
    for (name, value) in added { headers.add(name, value) }
    return Request(method, "/api/session", headers: headers)
  }

  /// The status that a request is refused with, 200 when it is accepted.
  private func status(_ request: Request, _ access: Access) -> Int {
    do {
      _ = try gate.caller(request, for: access)
      return 200
    } catch let refusal as Refusal {
      return refusal.status.code
    } catch {
      return 500
    }
  }

  /// Every access level, with every scope.
  private static let all: [Access] =
    [.everyone, .session, .owner, .contributorSession, .moderator, .admin]
    + Scope.allCases.flatMap { [.signedIn($0), .contributor($0)] }
  private static let forContributors = all.filter { $0 != .moderator && $0 != .admin }

  @Test func `a visitor has access to public endpoints only`() {
    for access in Self.all {
      #expect(status(request(.visitor), access) == (access == .everyone ? 200 : 401), "\(access)")
    }
  }

  @Test func `each role has its own permissions and no higher ones`() throws {
    let allowed: [(role: Role, access: Set<Access>)] = [
      (.contributor, Set(Self.forContributors)), (.operator, Set(Self.forContributors)),
      (.moderator, Set(Self.forContributors + [.moderator])), (.admin, Set(Self.all)),
    ]
    for (role, expected) in allowed {
      let identity = try app.account(role.rawValue, role: role).identity
      for access in Self.all {
        #expect(
          status(request(identity), access) == (expected.contains(access) ? 200 : 403),
          "\(role) \(access)")
      }
    }
  }

  @Test func `unconfirmed and suspended accounts can read but not add`() throws {
    for account in [
      try app.account("eva", isConfirmed: false), try app.account("rui", isSuspended: true),
    ] {
      #expect(status(request(account.identity), .signedIn(.read)) == 200)
      #expect(status(request(account.identity), .owner) == 200)
      #expect(status(request(account.identity), .contributor(.contribute)) == 403)
    }
  }

  @Test func `a suspension ends with its day`() throws {
    let account = try app.account("rui", isSuspended: true)
    try app.database.write { connection in
      try connection.execute(
        "UPDATE account SET suspended_until = ?", [.text("2026-11-22T12:00:00Z")])
    }
    app.clock.set("2026-11-22T11:59:59Z")
    #expect(status(request(account.identity), .contributor(.contribute)) == 403)
    app.clock.set("2026-11-22T12:00:00Z")
    #expect(status(request(account.identity), .contributor(.contribute)) == 200)
  }

  @Test func `a moderator without a second factor may only set one up`() throws {
    let account = try app.account("mod", role: .moderator, hasSecondFactor: false)
    for access in [Access.signedIn(.read), .session] {
      #expect(status(request(account.identity), access) == 200)
    }
    for access in [Access.owner, .contributor(.read), .contributorSession, .moderator] {
      #expect(status(request(account.identity), access) == 403, "\(access)")
    }
  }

  @Test func `a write with a cookie needs the CSRF token and the same origin`() throws {
    let ana = try app.account().identity
    #expect(status(request(.post, ana), .contributor(.contribute)) == 200)
    #expect(
      status(request(.post, ana, without: ["X-CSRF-Token"]), .contributor(.contribute)) == 403)
    #expect(
      status(request(.post, ana, without: ["Sec-Fetch-Site"]), .contributor(.contribute)) == 403)
    let other = try app.account("rui").identity
    let foreign = other.headers.filter { $0.name == "X-CSRF-Token" }.map { ($0.name, $0.value) }
    #expect(
      status(
        request(.post, ana, without: ["X-CSRF-Token"], with: foreign), .contributor(.contribute))
        == 403)
    #expect(status(request(ana, without: ["X-CSRF-Token"]), .contributor(.contribute)) == 200)
  }

  private func request(_ identity: Identity, without: Set<String>) -> Request {
    request(.get, identity, without: without)
  }

  private func request(_ identity: Identity) -> Request { request(.get, identity) }

  @Test(arguments: [
    (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "same-site"], 403),
    (["Sec-Fetch-Site": "none"], 403), (["Origin": "https://evil.example"], 403),
    (["Origin": "null"], 403), (["Origin": "http://farol.example"], 200),
    (["Origin": "http://farol.example.evil.example"], 403),
    (["Origin": "http://127.0.0.1:8080", "Host": "127.0.0.1:8080"], 200),
    (["Origin": "http://127.0.0.1:8080", "Host": "127.0.0.1:8081"], 403),
    (["Origin": "http://farol.example", "Sec-Fetch-Site": "cross-site"], 403),
  ])
  func `the origin of a write decides`(headers: [String: String], expected: Int) throws {
    let ana = try app.account().identity
    let sent = headers.map { ($0.key, $0.value) }
    let request = request(.post, ana, without: ["Sec-Fetch-Site"], with: sent)
    #expect(status(request, .contributor(.contribute)) == expected)
  }

  @Test func `a page of another origin cannot post for a visitor either`() {
    let foreign = request(.post, .visitor, with: [("Origin", "https://evil.example")])
    #expect(status(foreign, .everyone) == 403)
    #expect(status(request(.post, .visitor), .everyone) == 200)
  }

  @Test(arguments: Scope.allCases)
  func `a token has only its scope and never access to browser endpoints`(scope: Scope) throws {
    let account = try app.account("root", role: .admin)
    let token = try app.token(account.rowid, [scope])
    for access in Self.all where access != .everyone {
      // The scope of choices includes another one: reading them.
      let isEnough =
        access.scope == scope || (scope == .choices && access.scope == .choicesRead)
      for method in [Method.get, .post] {
        #expect(
          status(request(method, token), access) == (isEnough ? 200 : 403), "\(access) \(method)")
      }
    }
    #expect(status(request(token), .everyone) == 200)
  }

  @Test func `a token with every scope has no access to browser endpoints`() throws {
    let account = try app.account("root", role: .admin)
    let token = try app.token(account.rowid, Set(Scope.allCases))
    for access in Self.all {
      #expect(status(request(token), access) == (access.isForBrowsers ? 403 : 200), "\(access)")
    }
  }

  @Test func `the response to a refused token names the missing scope`() throws {
    let account = try app.account("ana")
    let token = try app.token(account.rowid, [.contribute])
    let answer = app.get("/api/choices", as: token)
    #expect(try answer.status == .forbidden && answer.json["type"] == "/problems/scope")
    #expect(try answer.json["scope"] == "choices_read")
    #expect(
      answer.headers["WWW-Authenticate"]
        == "Bearer error=\"insufficient_scope\", scope=\"choices_read\"")
  }

  @Test func `a wrong token is refused even by public endpoints`() {
    #expect(status(request(.bearer("farol_wrong")), .everyone) == 401)
  }

  @Test func `a session ends at its time and after two weeks without a visit`() throws {
    let account = try app.account()
    app.clock.advance(by: .seconds(14 * 86_400 - 43_201))
    #expect(status(request(account.identity), .signedIn(.read)) == 200)
    app.app.writes.stop()  // the day of the visit has been noted
    app.clock.advance(by: .seconds(14 * 86_400))
    #expect(status(request(account.identity), .signedIn(.read)) == 401)
  }

  @Test func `an account is new until one day and three accepted edits have passed`() throws {
    let account = try app.account(isNew: true)
    func isNew() throws -> Bool? {
      try gate.caller(request(account.identity), for: .signedIn(.read)).principal?.isNew
    }
    try app.database.write { try $0.execute("UPDATE account SET accepted_edits = 3") }
    #expect(try isNew() == true)
    app.clock.advance(by: .seconds(86_400))
    #expect(try isNew() == false)
    try app.database.write { try $0.execute("UPDATE account SET accepted_edits = 2") }
    #expect(try isNew() == true)
  }
}
