/// What an account may do, beyond what anybody may. Each role has all of those before it.
package enum Role: String, CaseIterable, Sendable, Comparable {
  case contributor
  /// Tied to an organisation that answers for devices; approved by an admin.
  case `operator`
  case moderator
  case admin

  package static func < (one: Role, other: Role) -> Bool { one.rank < other.rank }

  /// Roles that act on what others made, and so need a second factor.
  package var needsSecondFactor: Bool { self >= .moderator }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// What a personal token permits. Each endpoint that takes tokens names one scope (``Access``).
package enum Scope: String, CaseIterable, Sendable {
  /// See what the map shows to its owner alone: hidden devices and exact places of their own.
  case read
  /// Add and change devices, claims, photos and flags.
  case contribute
  /// Read the owner's choices: letters with name and address, records, deadlines.
  case choicesRead = "choices_read"
  /// Read, add, change, send and erase the owner's choices.
  case choices
  /// Read requests for records, and the records that people have given the owner.
  case records
  /// Read and answer what people ask of the owner's organisation.
  case inbox
  /// Claim devices for the owner's organisation and state what it does with them.
  case operate
  /// Work the moderation queue, for a moderator.
  case moderate
  /// Act as an admin, for an admin.
  case admin
  /// Read with the limits of a researcher, for an account that was granted it (docs/researchers.md).
  case research

  /// Whether a token of this scope may do what `other` is needed for.
  func includes(_ other: Scope) -> Bool {
    self == other || (self == .choices && other == .choicesRead)
  }
}

/// Who an endpoint is for, and whether a personal token may stand in for its owner there.
///
/// There is no default, so that an endpoint cannot be declared without deciding about tokens. Tokens
/// never reach sessions, tokens, the password, the second factor or the account itself.
package enum Access: Hashable, Sendable {
  /// Anyone. A handler that shows some callers more asks for scopes itself
  /// (``Caller/maySee(authoredBy:)``).
  case everyone
  /// Anyone signed in, whatever the state of the account; a token needs the scope.
  case signedIn(Scope)
  /// Anyone signed in by a browser, also who has yet to set up a second factor: never a token.
  case session
  /// The owner of an account in their own browser: never a token.
  case owner
  /// A confirmed account that is not suspended; a token needs the scope.
  case contributor(Scope)
  /// A confirmed account that is not suspended, in its owner's browser: never a token.
  case contributorSession
  /// A token needs the scope `moderate`.
  case moderator
  /// A token needs the scope `admin`.
  case admin

  /// What a token needs; nil where tokens are refused, or where none is needed (``everyone``).
  package var scope: Scope? {
    switch self {
    case .everyone, .session, .owner, .contributorSession: nil
    case .signedIn(let scope), .contributor(let scope): scope
    case .moderator: .moderate
    case .admin: .admin
    }
  }

  /// Whether no token is taken.
  package var isForBrowsers: Bool {
    switch self {
    case .session, .owner, .contributorSession: true
    case .everyone, .signedIn, .contributor, .moderator, .admin: false
    }
  }
}
