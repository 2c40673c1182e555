package import PrivacyMap

/// The signed-in account that sent a request, in the state it had when the request arrived.
package struct Principal: Sendable {
  /// The credential that authenticated the request.
  package enum Credential: Sendable {
    /// A session cookie. `rowid` is the row of the session, `token` the value of the cookie.
    case session(rowid: Int64, token: String, expiresAt: Timestamp)
    /// A personal token of a program, with its text.
    case token(rowid: Int64, scopes: Set<Scope>, token: String)

    /// The text that the request contained.
    package var secret: Secret {
      switch self {
      case .session(_, let text, _): .session(text)
      case .token(_, _, let text): .token(text)
      }
    }
  }

  /// The text of a credential: the value of a session cookie, or a personal token.
  package enum Secret: Sendable {
    case session(String), token(String)
  }

  /// The rowid of the account.
  package let account: Int64
  /// The UUID of the account.
  package let id: String
  package let username: String
  package let role: Role
  package let locale: String
  package let isConfirmed: Bool
  package let isSuspended: Bool
  package let hasSecondFactor: Bool
  /// Less than a day old or with fewer than three accepted contributions: needs review first.
  package let isNew: Bool
  /// Less than a day old: its claim verdicts count only after review.
  package let isYoung: Bool
  package let credential: Credential
  /// Whether the request has research access: a token of that scope, and a grant that is valid.
  package var isResearcher = false

  package init(
    account: Int64, id: String, username: String, role: Role, locale: String, isConfirmed: Bool,
    isSuspended: Bool, hasSecondFactor: Bool, isNew: Bool, isYoung: Bool, credential: Credential
  ) {
    (self.account, self.id, self.username, self.role) = (account, id, username, role)
    (self.locale, self.isConfirmed, self.isSuspended) = (locale, isConfirmed, isSuspended)
    (self.hasSecondFactor, self.isNew, self.isYoung) = (hasSecondFactor, isNew, isYoung)
    self.credential = credential
  }

  /// Whether the role requires a second factor that is missing. Only enrolment is then permitted.
  package var mustEnrol: Bool { role.needsSecondFactor && !hasSecondFactor }

  /// Whether the credential is a personal token.
  var isToken: Bool {
    if case .token = credential { true } else { false }
  }

  /// Whether the account has the powers of a moderator with this credential.
  package var moderates: Bool { role >= .moderator && !mustEnrol && !isSuspended && has(.moderate) }

  /// Whether the credential grants `scope`. A session grants every scope.
  package func has(_ scope: Scope) -> Bool {
    switch credential {
    case .session: true
    case .token(_, let scopes, _): scopes.contains { $0.includes(scope) }
    }
  }

  /// Whether the account may do all that it could as `earlier`.
  func permitsAll(of earlier: Principal) -> Bool {
    if role < earlier.role || isSuspended && !earlier.isSuspended { return false }
    if mustEnrol && !earlier.mustEnrol || !isConfirmed && earlier.isConfirmed { return false }
    return (!isNew || earlier.isNew) && (!isYoung || earlier.isYoung)
  }

  /// Accepted contributions that an account needs before it stops being new.
  package static let acceptedEdits: Int64 = 3
  /// Age in seconds that an account needs before it stops being new.
  package static let probation: Int64 = Seconds.day
}

/// The sender of a request: a principal, or a visitor who is not signed in.
package struct Caller: Sendable {
  package let principal: Principal?

  package init(principal: Principal?) {
    self.principal = principal
  }

  package static let nobody = Caller(principal: nil)

  /// The principal, for endpoints whose access requires one.
  ///
  /// - Throws: ``Refusal/signedOut`` otherwise.
  package func signedIn() throws -> Principal {
    guard let principal else { throw Refusal.signedOut }
    return principal
  }

  /// Whether the caller may see content that only its author and moderators can see.
  package func maySee(authoredBy author: Int64?) -> Bool {
    guard let principal else { return false }
    return principal.moderates || (author == principal.account && principal.has(.read))
  }
}
