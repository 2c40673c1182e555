import JSON
import Testing
import WebServer

@Suite struct BrowserTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let firefox =
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"

  private func sessions(_ identity: Identity) throws -> [JSONValue] {
    try #require(try app.get("/api/account/sessions", as: identity).json["sessions"]?.arrayValue)
  }

  @Test func `sessions are listed with the newest first and this one marked`() throws {
    let ana = try app.person("ana")
    app.clock.advance(by: .seconds(86_400))
    _ = app.signIn("ana", agent: Self.firefox)
    _ = try app.person("rui")
    let found = try sessions(ana)
    #expect(found.map { $0["agent"] } == ["Firefox · Linux", .null])
    #expect(found.map { $0["current"] } == [false, true])
    #expect(found[0]["created_at"] == "2026-11-22T12:00:00Z")
    #expect(found[0]["last_seen_on"] == "2026-11-22")
    let id = try #require(found[0]["id"]?.stringValue)
    #expect(try app.get("/api/account/sessions/\(id)", as: ana).json == found[0])
  }

  @Test func `an expired session is not listed`() throws {
    let ana = try app.person("ana")
    app.clock.advance(by: .seconds(10 * 86_400))
    let later = try app.signIn("ana").identity
    #expect(try sessions(later).count == 2)
    app.clock.advance(by: .seconds(4 * 86_400))
    #expect(try sessions(later).count == 1)
    #expect(app.get("/api/session", as: ana).status == .unauthorized)
  }

  @Test func `one browser can sign out another`() throws {
    let ana = try app.person("ana")
    let phone = try app.signIn("ana").identity
    let id = try #require(
      try sessions(ana).first { $0["current"] == false }?["id"]?.stringValue)
    let answer = app.send(.delete, "/api/account/sessions/\(id)", as: ana)
    #expect(answer.status == .noContent)
    #expect(answer.headers["Set-Cookie"] == nil)
    #expect(app.get("/api/session", as: phone).status == .unauthorized)
    #expect(app.get("/api/session", as: ana).status == .ok)
    #expect(app.send(.delete, "/api/account/sessions/\(id)", as: ana).status == .notFound)
  }

  @Test func `ending the current session clears its cookie`() throws {
    let ana = try app.person("ana")
    let id = try #require(try sessions(ana).first?["id"]?.stringValue)
    let answer = app.send(.delete, "/api/account/sessions/\(id)", as: ana)
    #expect(answer.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
    #expect(app.get("/api/session", as: ana).status == .unauthorized)
  }

  @Test func `all other sessions can be ended at once`() throws {
    let ana = try app.person("ana")
    let others = try (1...3).map { _ in try app.signIn("ana").identity }
    let rui = try app.person("rui")
    #expect(app.send(.delete, "/api/account/sessions", as: ana).status == .noContent)
    for other in others { #expect(app.get("/api/session", as: other).status == .unauthorized) }
    #expect(app.get("/api/session", as: ana).status == .ok)
    #expect(app.get("/api/session", as: rui).status == .ok)
  }

  @Test func `another user's session returns 404`() throws {
    let ana = try app.person("ana")
    let rui = try app.person("rui")
    let id = try #require(try sessions(rui).first?["id"]?.stringValue)
    #expect(app.get("/api/account/sessions/\(id)", as: ana).status == .notFound)
    #expect(app.send(.delete, "/api/account/sessions/\(id)", as: ana).status == .notFound)
    #expect(app.get("/api/session", as: rui).status == .ok)
  }
}
