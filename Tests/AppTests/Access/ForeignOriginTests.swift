@testable import App
import JSON
@testable import Service
import Testing
import WebServer

/// Requests from pages of other sites: refused where the cookie is the key, and permitted where a token in the
/// request is.
@Suite struct ForeignOriginTests {
  private static let foreign: [(name: String, value: String)] = [
    ("Origin", "https://mail.example"), ("Sec-Fetch-Site", "cross-site"),
  ]

  /// The operations with a token from a mail or a letter, and the lines of the access table that request them.
  private static let keyed = [
    "POST /api/accounts/confirm", "POST /api/accounts/reset", "POST /api/operators/check",
    "POST /api/replies", "POST /api/replies/open", "POST /api/watches/unsubscribe",
  ]

  /// Sends the request of a line, as a page of another site would.
  private func send(
    _ request: AccessRequest, through app: TestApp, _ headers: [(name: String, value: String)]
  ) -> TestAnswer {
    let others = request.headers.filter { own in
      !headers.contains { $0.name == own.name } && own.name != "X-CSRF-Token"
    }
    return app.send(
      request.method, target: request.path, body: request.body ?? [],
      as: Identity(headers: others + headers))
  }

  @Test func `the operations with a token in the request are these`() throws {
    let found = try TestApp().app.endpoints.filter(\.isKeyed)
      .map { "\($0.method.rawValue) \($0.path)" }
    #expect(found.sorted() == Self.keyed)
  }

  @Test(arguments: keyed)
  func `a token may be used from a page of another site`(endpoint: String) throws {
    let lines = AccessRequests.all.filter { $0.endpoint == endpoint }
    try #require(!lines.isEmpty)
    for line in lines {
      for person in [AccessTable.Person.visitor, .confirmed] {
        let app = try TestApp()
        let plain = try line.make(try AccessScene(app, .visitor))
        let expected = send(plain, through: app, [])
        let other = try TestApp()
        let request = try line.make(try AccessScene(other, person))
        let answer = send(request, through: other, Self.foreign)
        #expect(answer.status == expected.status, "\(line.of), \(person): \(answer.text)")
        #expect(answer.status.code < 400 || expected.status.code >= 400)
      }
    }
  }

  @Test func `a token from another site does not confirm the account of the cookie`() throws {
    let app = try TestApp()
    _ = app.signUp("eva", email: "one@example.org", from: "198.51.100.1")
    let token = try app.lastMail.token
    _ = app.signUp("ana", email: "one@example.org", from: "198.51.100.2")
    let ana = try app.signIn("ana").identity
    let cookie = ana.headers.filter { $0.name == "Cookie" }
    let answer = app.post(
      "/api/accounts/confirm", ["token": .string(token)],
      as: Identity(headers: cookie + Self.foreign))
    #expect(try answer.json["username"] == "eva")
  }

  @Test func `a public read that is sent by POST is permitted too`() throws {
    let app = try TestApp()
    let open = app.app.endpoints.filter {
      !$0.method.isRead && !$0.isKeyed && !$0.refusesOtherSites
    }
    #expect(
      open.map(\.path).sorted() == [
        "/api/collections/devices/search", "/api/collections/{collectionId}/search",
      ])
    let answer = app.post(
      "/api/collections/devices/search", ["limit": 1], as: Identity(headers: Self.foreign))
    #expect(answer.status == .ok)
  }

  @Test func `all other writes are refused from a page of another site`() throws {
    let app = try TestApp()
    let ana = try app.account("ana")
    for endpoint in app.app.endpoints where endpoint.refusesOtherSites {
      for identity in [Identity.visitor, ana.identity] {
        let headers = identity.headers.filter { $0.name != "Sec-Fetch-Site" } + Self.foreign
        let answer = app.send(
          endpoint.method, target: endpoint.path, as: Identity(headers: headers))
        #expect(answer.status == .forbidden, "\(endpoint.method.rawValue) \(endpoint.path)")
        #expect(try answer.type == "/problems/foreign-origin", "\(endpoint.path)")
      }
    }
  }
}
