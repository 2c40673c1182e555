import JSON
package import PrivacyMap
import Secrets
package import SpatialDatabase
package import WebServer

/// Authenticates each request and checks that the caller has access to the endpoint.
package struct Gate: Sendable {
  private let database: Database
  private let now: @Sendable () -> Timestamp
  private let origin: String
  private let secure: Bool
  private let writes: GroupedWriter

  /// Days without a request after which a session ends.
  package static let idleDays: Int32 = 14

  package init(
    database: Database, environment: Environment, addresses: Addresses, secure: Bool,
    writes: GroupedWriter
  ) {
    self.database = database
    now = environment.now
    origin = addresses.origin
    self.secure = secure
    self.writes = writes
  }

  /// The name of the session cookie. Over HTTPS the `__Host-` prefix binds the cookie to this exact
  /// host (RFC 6265bis §4.1.3.2).
  var cookieName: String { secure ? "__Host-farol" : "farol" }

  /// The `Set-Cookie` value that stores `token`. An empty token deletes the cookie.
  package func cookie(_ token: String, seconds: Int64) -> String {
    "\(cookieName)=\(token); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax"
      + (secure ? "; Secure" : "")
  }

  /// The value that pages send in `X-CSRF-Token`, derived from the session token, which scripts
  /// cannot read.
  package static func csrfToken(of session: String) -> String {
    Digest.hmacSHA256(key: Array(session.utf8), message: Array("csrf".utf8))
      .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// Authenticates `request` and checks that its sender has access to the endpoint.
  ///
  /// If the key is a token in the request (``Endpoint/withToken()``), a request from another site has no caller.
  ///
  /// - Throws: a 401 or 403 ``Refusal``.
  package func caller(
    _ request: Request, for access: Access, isKeyed: Bool = false
  ) throws -> Caller {
    let principal = try principal(of: request)
    if !request.method.isRead {
      do { try checkOrigin(of: request, principal) } catch is Refusal where isKeyed {
        return .nobody
      }
    }
    if access == .everyone { return Caller(principal: principal) }
    guard let principal else { throw Refusal.signedOut }
    if access.isForBrowsers, principal.isToken { throw Refusal.ownBrowser }
    try checkState(of: principal, access)
    if let scope = access.scope, !principal.has(scope) { throw Refusal.scope(scope) }
    return Caller(principal: principal)
  }

  /// Runs the handler of an endpoint. Each of its writes confirms in its transaction that `caller` may still use the
  /// endpoint, wherever the write waits before.
  ///
  /// - Throws: the errors of `body`, and a 401, 403 or 409 ``Refusal`` from its writes.
  func guarding<T, Failure>(
    _ caller: Caller, for access: Access, _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    guard let principal = caller.principal else { return try body() }
    return try WriteCondition.requiring(
      .caller, { try confirm(principal, access, $0) }, body)
  }

  /// Whether a caller may still use an endpoint whose response takes long.
  package func isOpen(
    to principal: Principal, for access: Access, _ connection: borrowing Connection
  ) throws -> Bool {
    do { try confirm(principal, access, connection) } catch is Refusal { return false }
    return true
  }

  private func confirm(
    _ principal: Principal, _ access: Access, _ connection: borrowing Connection
  ) throws {
    let credentials = Credentials(now: now())
    let holder =
      switch principal.credential {
      case .session(_, let text, _): try credentials.holder(ofSession: text, connection)
      case .token(_, _, let text): try credentials.holder(ofToken: text, connection)
      }
    guard let current = holder?.principal else {
      throw principal.isToken ? Refusal.badToken : Refusal.signedOut
    }
    try checkState(of: current, access)
    // Its handler may have relied on more than the endpoint requires.
    guard current.permitsAll(of: principal) else { throw Refusal.lessPermitted }
  }

  /// Checks that the state of the account permits access to the endpoint.
  private func checkState(of principal: Principal, _ access: Access) throws {
    switch access {
    case .everyone, .signedIn, .session: return
    case .owner:
      if principal.mustEnrol { throw Refusal.mustEnrol }
    case .contributor, .contributorSession:
      if principal.mustEnrol { throw Refusal.mustEnrol }
      if principal.isSuspended { throw Refusal.suspended }
      if !principal.isConfirmed { throw Refusal.unconfirmed }
    case .moderator, .admin:
      if principal.isSuspended { throw Refusal.suspended }
      if principal.role < (access == .admin ? .admin : .moderator) { throw Refusal.role }
      if principal.mustEnrol { throw Refusal.mustEnrol }
    }
  }

  /// Refuses unsafe requests that a page of another site may have sent (OWASP ASVS 3.5).
  private func checkOrigin(of request: Request, _ principal: Principal?) throws {
    if case .token = principal?.credential { return }
    let site = request.headers["Sec-Fetch-Site"]
    let isForeign = site.map { $0 != "same-origin" } ?? false
    let given = request.headers["Origin"]
    let isOwn = given.map { isOwnOrigin($0, host: request.headers["Host"]) }
    if isForeign || isOwn == false { throw Refusal.foreignOrigin }
    guard case .session(_, let token, _) = principal?.credential else { return }
    // A browser that sends neither header is too old for cookie authentication to be safe.
    guard site != nil || isOwn == true else { throw Refusal.foreignOrigin }
    let wanted = Array(Self.csrfToken(of: token).utf8)
    guard let sent = request.headers["X-CSRF-Token"], Digest.equal(Array(sent.utf8), wanted)
    else { throw Refusal.csrf }
  }

  private func isOwnOrigin(_ text: String, host: String?) -> Bool {
    if text == origin { return true }
    // A server without a configured address accepts every host name that reaches it.
    guard let host, !secure else { return false }
    return text == "http://\(host)"
  }

  /// The owner of the request's credentials; nil without credentials or with an expired cookie.
  func principal(of request: Request) throws -> Principal? {
    if let authorization = request.headers["Authorization"] {
      let parts = authorization.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw Refusal.badToken }
      return try Credentials(now: now()).holder(ofToken: String(parts[1]), in: database)
        .map(seen) ?? { throw Refusal.badToken }()
    }
    guard let cookie = cookie(of: request) else { return nil }
    return try Credentials(now: now()).holder(ofSession: cookie, in: database).map(seen)
  }

  private func cookie(of request: Request) -> String? {
    for header in request.headers.values("Cookie") {
      for pair in header.split(separator: ";") {
        let pair = pair.drop { $0 == " " }
        guard pair.hasPrefix(cookieName + "=") else { continue }
        return String(pair.dropFirst(cookieName.count + 1))
      }
    }
    return nil
  }

  /// Stores the day of last use, once a day. The request does not wait for the write.
  private func seen(_ found: Credentials.Holder) -> Principal {
    let today = now().day
    guard found.lastSeenOn != today.text else { return found.principal }
    let (table, column, rowid) =
      switch found.principal.credential {
      case .session(let rowid, _, _): ("session", "last_seen_on", rowid)
      case .token(let rowid, _, _): ("personal_token", "last_used_on", rowid)
      }
    writes.write({ connection in
      try connection.execute(
        "UPDATE \(table) SET \(column) = ? WHERE rowid = ?", [.text(today.text), .integer(rowid)])
    }) { _ in }
    return found.principal
  }
}

/// Finds the account that a cookie or a token belongs to.
package struct Credentials {
  /// A principal, and the day its credential was last used.
  struct Holder {
    let principal: Principal
    let lastSeenOn: String?
  }

  let now: Timestamp

  private static let columns = """
    account.rowid, account.id, account.username, account.role, account.locale,
    account.confirmed_at, account.suspended_at, account.suspended_until,
    account.totp_confirmed_at, account.created_at, account.accepted_edits
    """

  func holder(ofSession text: String, in database: Database) throws -> Holder? {
    try database.readQuickly { try holder(ofSession: text, $0) }
  }

  func holder(ofSession text: String, _ connection: borrowing Connection) throws -> Holder? {
    guard let token = SecretToken(text: text) else { return nil }
    return try connection.first(
      """
      SELECT \(Self.columns), session.rowid, session.last_seen_on, session.expires_at
      FROM session JOIN account ON account.rowid = session.account_rowid
      WHERE session.digest = ? AND session.expires_at > ? AND session.last_seen_on > ?
      """,
      [
        .blob(token.digest), .text(now.text),
        .text(Day(daysSinceEpoch: now.day.daysSinceEpoch - Gate.idleDays).text),
      ]
    ) { row in
      Holder(
        principal: principal(
          row,
          .session(
            rowid: row.int(11), token: text, expiresAt: Timestamp(text: row.text(13)) ?? now)),
        lastSeenOn: row.optionalText(12))
    }
  }

  /// The prefix of personal tokens, which lets people and secret scanners recognise them.
  package static let tokenPrefix = "farol_"

  func holder(ofToken text: String, in database: Database) throws -> Holder? {
    guard text.hasPrefix(Self.tokenPrefix) else { return nil }
    return try database.readQuickly { try holder(ofToken: text, $0) }
  }

  func holder(ofToken text: String, _ connection: borrowing Connection) throws -> Holder? {
    guard let token = SecretToken(text: String(text.dropFirst(Self.tokenPrefix.count))) else {
      return nil
    }
    return try connection.first(
      """
      SELECT \(Self.columns), personal_token.rowid, personal_token.last_used_on,
        personal_token.scopes,
        EXISTS (SELECT 1 FROM research_access AS access
          WHERE access.account_rowid = account.rowid AND access.state = 'granted'
            AND access.until >= ?)
      FROM personal_token JOIN account ON account.rowid = personal_token.account_rowid
      WHERE personal_token.digest = ? AND personal_token.expires_at > ?
      """, [.text(now.day.text), .blob(token.digest), .text(now.text)]
    ) { row in
      let scopes = JSONText.codes(row.text(13)).compactMap(Scope.init)
      var principal = principal(
        row, .token(rowid: row.int(11), scopes: Set(scopes), token: text))
      principal.isResearcher =
        principal.has(.research) && row.int(14) == 1 && !principal.isSuspended
      return Holder(principal: principal, lastSeenOn: row.optionalText(12))
    }
  }

  private func principal(
    _ row: borrowing Row, _ credential: Principal.Credential
  ) -> Principal {
    let role = Role(rawValue: row.text(3)) ?? .contributor
    let joined = Timestamp(text: row.text(9))?.secondsSinceEpoch ?? now.secondsSinceEpoch
    let until = row.optionalText(7).flatMap { Timestamp(text: $0) }
    let isSuspended = !row.isNull(6) && (until.map { $0 > now } ?? true)
    let accepted = row.int(10)
    let isYoung = now.secondsSinceEpoch - joined < Principal.probation
    return Principal(
      account: row.int(0), id: row.text(1), username: row.text(2), role: role,
      locale: row.text(4), isConfirmed: !row.isNull(5),
      isSuspended: isSuspended,
      hasSecondFactor: !row.isNull(8),
      isNew: role < .moderator && (isYoung || accepted < Principal.acceptedEdits),
      isYoung: role < .moderator && isYoung,
      credential: credential)
  }
}
