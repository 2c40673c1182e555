import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// Routes for the browsers in which a person is signed in.
struct BrowserRoutes: Sendable {
  let accounts: Accounts

  static let id = Parameter.path("id", .text(maxLength: 36), "The UUID of the session or token.")

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getSessions", .get, "/api/account/sessions", tag: "People",
        summary: "The browsers that are signed in to the account.", access: .owner,
        answers: [.ok("Sessions, newest first.", schema: "sessions")], .personal(list)),
      Endpoint(
        "endOtherSessions", .delete, "/api/account/sessions", tag: "People",
        summary: "Sign out all other browsers.", access: .owner,
        answers: [.done("The other browsers are signed out.")], .change(endOthers)),
      Endpoint(
        "getOneSession", .get, "/api/account/sessions/{id}", tag: "People",
        summary: "One session of the account.", access: .owner, parameters: [Self.id],
        answers: [.ok("The session.", schema: "browser")], .personal(get)),
      Endpoint(
        "endSession", .delete, "/api/account/sessions/{id}", tag: "People",
        summary: "Sign out a browser.", access: .owner, parameters: [Self.id],
        answers: [.done("The browser is signed out.")], .change(end)),
    ]
  }

  private static let notThere = NotFound(Message("error.not_found.session"))

  static let shape = JSONShape<SessionStore.Stored>(
    "browser", .uuid("id", \.id), .time("created_at", \.createdAt),
    .day("last_seen_on", \.lastSeenOn), .text("agent", \.agent), .flag("current", \.isCurrent))
  static let shapeOfList = JSONShape<[SessionStore.Stored]>(
    "sessions", .list("sessions", of: shape, \.self))

  private func sessions(
    of principal: Principal, _ connection: borrowing Connection
  ) throws -> [SessionStore.Stored] {
    let current = try principal.session().rowid
    return try accounts.sessions.all(of: principal.account, at: accounts.now, connection).map {
      var session = $0
      session.isCurrent = session.rowid == current
      return session
    }
  }

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    return try accounts.database.readQuickly { connection in
      .json(try sessions(of: principal, connection), as: Self.shapeOfList)
    }
  }

  @Sendable private func get(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    return try accounts.database.readQuickly { connection in
      let all = try sessions(of: principal, connection)
      guard let found = all.first(where: { $0.id == request.parameter("id") }) else {
        throw Self.notThere
      }
      return .json(found, as: Self.shape)
    }
  }

  @Sendable private func end(
    _ request: Request, _ caller: Caller
  ) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    let current = try principal.session().rowid
    let id = request.parameter("id")
    return { connection in
      let all = try sessions(of: principal, connection)
      guard let found = all.first(where: { $0.id == id }) else { throw Self.notThere }
      try accounts.sessions.close(found.rowid, connection)
      return found.rowid == current ? accounts.signedOut() : .noContent
    }
  }

  @Sendable private func endOthers(
    _ request: Request, _ caller: Caller
  ) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    let current = try principal.session().rowid
    return { connection in
      try accounts.sessions.closeAll(of: principal.account, but: current, connection)
      return .noContent
    }
  }
}
