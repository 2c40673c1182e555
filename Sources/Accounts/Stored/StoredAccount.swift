package import PrivacyMap
package import Service
package import SpatialDatabase

/// A row of the `account` table.
package struct StoredAccount: Sendable {
  /// The reason and end of a suspension, during which an account is read-only.
  package struct Suspension: Sendable {
    /// Nil for a suspension without end.
    let until: Timestamp?
    let reason: String
  }

  package let rowid: Int64
  /// The UUID of the account.
  package let id: String
  package let username: String
  package let email: String
  let passwordHash: String
  package let locale: String
  package let role: Role
  let createdAt: Timestamp
  package let isConfirmed: Bool
  /// Contributions accepted by a moderator or unchallenged for a day.
  let acceptedEdits: Int64
  private let suspendedAt: String?
  private let suspendedUntil: Timestamp?
  private let suspendedReason: String?
  /// The secret shared with the authenticator app, once a code has proved that the app has it.
  let totpSecret: [UInt8]?
  /// The time step of the last accepted code.
  let totpLastStep: Int64?
  /// The secret of an enrolment that no code has confirmed yet.
  let totpPending: [UInt8]?
  /// Whether others may request its records.
  package let takesDataRequests: Bool

  package static let columns = """
    account.rowid, account.id, account.username, account.email, account.password_hash,
    account.locale, account.role, account.created_at, account.confirmed_at, account.accepted_edits,
    account.suspended_at, account.suspended_until, account.suspended_reason, account.totp_secret,
    account.totp_confirmed_at, account.totp_last_step, account.totp_pending,
    account.data_requests
    """

  package init(_ row: Row) {
    rowid = row.int(0)
    id = row.text(1)
    username = row.text(2)
    email = row.text(3)
    passwordHash = row.text(4)
    locale = row.text(5)
    role = Role(rawValue: row.text(6)) ?? .contributor
    createdAt = Timestamp(text: row.text(7)) ?? Timestamp(secondsSinceEpoch: 0)
    isConfirmed = !row.isNull(8)
    acceptedEdits = row.int(9)
    suspendedAt = row.optionalText(10)
    suspendedUntil = row.optionalText(11).flatMap { Timestamp(text: $0) }
    suspendedReason = row.optionalText(12)
    totpSecret = row.isNull(14) ? nil : row.optionalBlob(13)
    totpLastStep = row.optionalInt(15)
    totpPending = row.optionalBlob(16)
    takesDataRequests = row.bool(17)
  }

  var hasSecondFactor: Bool { totpSecret != nil }

  /// The suspension that is in effect at a moment.
  package func suspension(at now: Timestamp) -> Suspension? {
    guard suspendedAt != nil, suspendedUntil.map({ $0 > now }) ?? true else { return nil }
    return Suspension(until: suspendedUntil, reason: suspendedReason ?? "")
  }

  /// Whether contributions of this account need moderator review.
  func isNew(at now: Timestamp) -> Bool {
    let age = now.secondsSinceEpoch - createdAt.secondsSinceEpoch
    return role < .moderator
      && (age < Principal.probation || acceptedEdits < Principal.acceptedEdits)
  }
}
