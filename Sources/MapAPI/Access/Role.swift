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

/// What a personal token is good for.
package enum Scope: String, CaseIterable, Sendable {
  /// To see what its owner sees.
  case read
  /// To add and change devices, claims, photos and flags.
  case contribute
  /// To work the queue, for a moderator.
  case moderate
  /// To do what admins do, for one.
  case admin
  /// To read as researchers do, for an account that was granted it (docs/researchers.md).
  case research
}

/// Who an endpoint is for.
package enum Access: String, CaseIterable, Sendable {
  case everyone
  /// Whoever is signed in, in whatever state the account is.
  case signedIn
  /// The owner of an account in their own browser: never a token.
  case owner
  /// A confirmed account that is not suspended.
  case contributor
  case moderator
  case admin
}
