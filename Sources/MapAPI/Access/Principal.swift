import PrivacyMap

/// Somebody who is signed in, as the account was when the request came.
struct Principal: Sendable {
  /// How somebody proved who they are.
  enum Credential: Sendable {
    /// A browser's cookie; `rowid` is the session's, `token` what the cookie holds.
    case session(rowid: Int64, token: String, expiresAt: Timestamp)
    /// A program's key.
    case token(rowid: Int64, scopes: Set<Scope>)
  }

  /// The row of the account.
  let account: Int64
  /// Its UUID.
  let id: String
  let username: String
  let role: Role
  let locale: String
  let isConfirmed: Bool
  let isSuspended: Bool
  let hasSecondFactor: Bool
  /// Under a day old or with fewer than three contributions that stand: a look is wanted first.
  let isNew: Bool
  /// Under a day old: what it vouches for counts after a look.
  let isYoung: Bool
  let credential: Credential
  /// Whether it reads as a researcher: by a token of that scope, while the account's grant runs.
  var isResearcher = false

  /// Whether the role asks for a second factor that is not there yet: then enrolling is all it may.
  var mustEnrol: Bool { role.needsSecondFactor && !hasSecondFactor }

  /// Whether a program's token stands in for the account's owner.
  var isToken: Bool {
    if case .token = credential { true } else { false }
  }

  /// Whether it acts as a moderator with this credential.
  var moderates: Bool { role >= .moderator && !mustEnrol && !isSuspended && has(.moderate) }

  /// Whether the credential permits what `scope` stands for; a session permits everything.
  func has(_ scope: Scope) -> Bool {
    switch credential {
    case .session: true
    case .token(_, let scopes): scopes.contains { $0.includes(scope) }
    }
  }

  /// Contributions that must stand before an account is no longer new.
  static let acceptedEdits: Int64 = 3
  /// Seconds before an account is no longer new.
  static let probation: Int64 = 86_400
}

/// Who sent a request: a principal or nobody known.
struct Caller: Sendable {
  let principal: Principal?

  static let nobody = Caller(principal: nil)

  /// The principal where an endpoint's access guarantees one.
  ///
  /// - Throws: ``Refusal/signedOut`` otherwise.
  func signedIn() throws -> Principal {
    guard let principal else { throw Refusal.signedOut }
    return principal
  }

  /// Whether the caller may see what only its author and moderators see.
  func maySee(authoredBy author: Int64?) -> Bool {
    guard let principal else { return false }
    return principal.moderates || (author == principal.account && principal.has(.read))
  }
}
