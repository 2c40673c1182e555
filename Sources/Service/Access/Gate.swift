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
  private let credentials: any CredentialLookup

  /// Days without a request after which a session ends.
  package static let idleDays: Int32 = 14

  package init(
    database: Database, environment: Environment, addresses: Addresses, secure: Bool,
    writes: GroupedWriter, credentials: any CredentialLookup
  ) {
    self.database = database
    now = environment.now
    origin = addresses.origin
    self.secure = secure
    self.writes = writes
    self.credentials = credentials
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
    Hexadecimal.text(
      of: Digest.hmacSHA256(key: Array(session.utf8), message: Array("csrf".utf8)))
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
    let holder = try credentials.holder(of: principal.credential.secret, at: now(), connection)
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
      return try holder(of: .token(String(parts[1]))).map(seen) ?? { throw Refusal.badToken }()
    }
    guard let cookie = cookie(of: request) else { return nil }
    return try holder(of: .session(cookie)).map(seen)
  }

  private func holder(of secret: Principal.Secret) throws -> CredentialHolder? {
    guard credentials.isWellFormed(secret) else { return nil }
    return try database.readQuickly { try credentials.holder(of: secret, at: now(), $0) }
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
  private func seen(_ found: CredentialHolder) -> Principal {
    let today = now().day
    guard found.lastSeenOn != today.text else { return found.principal }
    writes.write({ [credentials] connection in
      try credentials.noteUse(of: found.principal.credential, on: today, connection)
    }) { _ in }
    return found.principal
  }
}

/// Finds the accounts that cookies and tokens belong to. Their tables are above this target.
package protocol CredentialLookup: Sendable {
  /// Whether a text has the form of a credential. If not, the database is not queried.
  func isWellFormed(_ secret: Principal.Secret) -> Bool
  /// The holder of a credential that is valid at a time.
  func holder(
    of secret: Principal.Secret, at now: Timestamp, _ connection: borrowing Connection
  ) throws -> CredentialHolder?
  /// Stores the day on which a credential was last used.
  func noteUse(
    of credential: Principal.Credential, on day: Day, _ connection: borrowing Connection) throws
}

/// A principal, and the day its credential was last used.
package struct CredentialHolder: Sendable {
  package let principal: Principal
  package let lastSeenOn: String?

  package init(principal: Principal, lastSeenOn: String?) {
    (self.principal, self.lastSeenOn) = (principal, lastSeenOn)
  }
}
