import JSON
package import PrivacyMap
import Secrets
package import Service
package import SpatialDatabase

/// Finds the account that a session cookie or a personal token belongs to.
package struct CredentialStore: CredentialLookup {
  package init() {}

  /// The prefix of personal tokens, which lets people and secret scanners recognise them.
  package static let tokenPrefix = "farol_"

  package func isWellFormed(_ secret: Principal.Secret) -> Bool { Self.token(in: secret) != nil }

  private static func token(in secret: Principal.Secret) -> SecretToken? {
    switch secret {
    case .session(let text): return SecretToken(text: text)
    case .token(let text):
      guard text.hasPrefix(tokenPrefix) else { return nil }
      return SecretToken(text: String(text.dropFirst(tokenPrefix.count)))
    }
  }

  package func holder(
    of secret: Principal.Secret, at now: Timestamp, _ connection: borrowing Connection
  ) throws -> CredentialHolder? {
    guard let digest = Self.token(in: secret)?.digest else { return nil }
    switch secret {
    case .session(let text): return try session(digest, text, now, connection)
    case .token(let text): return try token(digest, text, now, connection)
    }
  }

  private static let columns = """
    account.rowid, account.id, account.username, account.role, account.locale,
    account.confirmed_at, account.suspended_at, account.suspended_until,
    account.totp_confirmed_at, account.created_at, account.accepted_edits
    """

  private func session(
    _ digest: [UInt8], _ text: String, _ now: Timestamp, _ connection: borrowing Connection
  ) throws -> CredentialHolder? {
    try connection.first(
      """
      SELECT \(Self.columns), session.rowid, session.last_seen_on, session.expires_at
      FROM session JOIN account ON account.rowid = session.account_rowid
      WHERE session.digest = ? AND session.expires_at > ? AND session.last_seen_on > ?
      """,
      [
        .blob(digest), .text(now.text),
        .text(Day(daysSinceEpoch: now.day.daysSinceEpoch - Gate.idleDays).text),
      ]
    ) { row in
      CredentialHolder(
        principal: Self.principal(
          row, at: now,
          .session(
            rowid: row.int(11), token: text, expiresAt: Timestamp(text: row.text(13)) ?? now)),
        lastSeenOn: row.optionalText(12))
    }
  }

  private func token(
    _ digest: [UInt8], _ text: String, _ now: Timestamp, _ connection: borrowing Connection
  ) throws -> CredentialHolder? {
    try connection.first(
      """
      SELECT \(Self.columns), personal_token.rowid, personal_token.last_used_on,
        personal_token.scopes,
        EXISTS (SELECT 1 FROM research_access AS access
          WHERE access.account_rowid = account.rowid AND access.state = 'granted'
            AND access.until >= ?)
      FROM personal_token JOIN account ON account.rowid = personal_token.account_rowid
      WHERE personal_token.digest = ? AND personal_token.expires_at > ?
      """, [.text(now.day.text), .blob(digest), .text(now.text)]
    ) { row in
      let scopes = JSONText.codes(row.text(13)).compactMap(Scope.init)
      var principal = Self.principal(
        row, at: now, .token(rowid: row.int(11), scopes: Set(scopes), token: text))
      principal.isResearcher =
        principal.has(.research) && row.int(14) == 1 && !principal.isSuspended
      return CredentialHolder(principal: principal, lastSeenOn: row.optionalText(12))
    }
  }

  private static func principal(
    _ row: borrowing Row, at now: Timestamp, _ credential: Principal.Credential
  ) -> Principal {
    let role = Role(rawValue: row.text(3)) ?? .contributor
    let joined = Timestamp(text: row.text(9))?.secondsSinceEpoch ?? now.secondsSinceEpoch
    let until = row.optionalText(7).flatMap { Timestamp(text: $0) }
    let accepted = row.int(10)
    let isYoung = now.secondsSinceEpoch - joined < Principal.probation
    return Principal(
      account: row.int(0), id: row.text(1), username: row.text(2), role: role,
      locale: row.text(4), isConfirmed: !row.isNull(5),
      isSuspended: !row.isNull(6) && (until.map { $0 > now } ?? true),
      hasSecondFactor: !row.isNull(8),
      isNew: role < .moderator && (isYoung || accepted < Principal.acceptedEdits),
      isYoung: role < .moderator && isYoung,
      credential: credential)
  }

  package func noteUse(
    of credential: Principal.Credential, on day: Day, _ connection: borrowing Connection
  ) throws {
    switch credential {
    case .session(let rowid, _, _):
      try connection.execute(
        "UPDATE session SET last_seen_on = ? WHERE rowid = ?", [.text(day.text), .integer(rowid)])
    case .token(let rowid, _, _):
      try connection.execute(
        "UPDATE personal_token SET last_used_on = ? WHERE rowid = ?",
        [.text(day.text), .integer(rowid)])
    }
  }
}
