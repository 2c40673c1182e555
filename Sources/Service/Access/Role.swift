/// The permissions of an account beyond a visitor's. Each role includes all roles before it.
package enum Role: String, CaseIterable, Sendable, Comparable {
  case contributor
  /// Member of an organisation that operates devices; approved by an admin.
  case `operator`
  case moderator
  case admin

  package static func < (one: Role, other: Role) -> Bool { one.rank < other.rank }

  /// Roles that act on the content of others, and therefore need a second factor.
  package var needsSecondFactor: Bool { self >= .moderator }

  /// The role that responses show to other people.
  package var shown: PublicRole {
    switch self {
    case .contributor, .operator: .contributor
    case .moderator: .moderator
    case .admin: .admin
    }
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A role as other people see it, for example in a profile.
///
/// An operator is shown as a contributor. Otherwise the role of an account would change when its organisation
/// appears, and readers would learn which account represents which organisation. Only the account itself and
/// admins see `operator`.
package enum PublicRole: String, CaseIterable, Sendable { case contributor, moderator, admin }

/// A permission of a personal token. An endpoint that accepts tokens names one scope (``Access``).
package enum Scope: String, CaseIterable, Sendable {
  /// See map content that is visible only to its owner: own hidden devices and their true points.
  case read
  /// Add and change devices, claims, photos and flags.
  case contribute
  /// Read the owner's choices: letters with name and address, records, deadlines.
  case choicesRead = "choices_read"
  /// Read, add, change, send and erase the owner's choices.
  case choices
  /// Read requests for records, and the records that people have given to the owner.
  case records
  /// Read and answer the choices that people address to the owner's organisation.
  case inbox
  /// Claim devices for the owner's organisation and state how it uses them.
  case operate
  /// Work on the moderation queue, for a moderator.
  case moderate
  /// Act as an admin, for an admin.
  case admin
  /// Read with the rate limits of a researcher, for accounts with research access
  /// (docs/how-to/researchers.md).
  case research

  /// Whether a token of this scope may call endpoints that require `other`.
  package func includes(_ other: Scope) -> Bool {
    self == other || (self == .choices && other == .choicesRead)
  }
}

/// The access rule of an endpoint: the accounts that may call it, and whether tokens are accepted.
///
/// There is no default, so every endpoint has to decide about tokens. Tokens never give access to
/// sessions, tokens, the password, the second factor or the account itself.
package enum Access: Hashable, Sendable {
  /// Every caller. A handler that shows more to some callers checks the scopes itself
  /// (``Caller/maySee(authoredBy:)``).
  case everyone
  /// Every signed-in account in any state. A token needs the scope.
  case signedIn(Scope)
  /// A signed-in browser, even before a required second factor is set up. No tokens.
  case session
  /// The owner of an account in a browser. No tokens.
  case owner
  /// A confirmed account that is not suspended. A token needs the scope.
  case contributor(Scope)
  /// A confirmed account that is not suspended, in a browser. No tokens.
  case contributorSession
  /// A token needs the scope `moderate`.
  case moderator
  /// A token needs the scope `admin`.
  case admin

  /// The scope that a token needs; nil where tokens are refused or need none (``everyone``).
  package var scope: Scope? {
    switch self {
    case .everyone, .session, .owner, .contributorSession: nil
    case .signedIn(let scope), .contributor(let scope): scope
    case .moderator: .moderate
    case .admin: .admin
    }
  }

  /// Whether tokens are refused.
  package var isForBrowsers: Bool {
    switch self {
    case .session, .owner, .contributorSession: true
    case .everyone, .signedIn, .contributor, .moderator, .admin: false
    }
  }
}
