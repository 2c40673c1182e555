package import Service
import SpatialDatabase

extension Accounts {
  package static let exports = [details, sessions, tokens, networks, links, MailExports.waiting]

  /// Account data that no other section contains: one row.
  private static let details = ExportSection(
    name: "details",
    sql: """
      SELECT account.rowid, terms_accepted_at, confirmed_at, totp_confirmed_at, accepted_edits,
        operator.name
      FROM account LEFT JOIN operator ON operator.rowid = account.operator_rowid
      WHERE account.rowid = ? AND account.rowid > ? LIMIT ?
      """, start: [0],
    members: [
      ("terms_accepted_at", .text), ("confirmed_at", .text), ("second_factor_since", .text),
      ("accepted_edits", .number), ("operator", .text),
    ])

  private static let sessions = ExportSection(
    name: "sessions",
    sql: """
      SELECT rowid, id, agent, created_at, last_seen_on, expires_at FROM session
      WHERE account_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("agent", .text), ("created_at", .text), ("last_seen_on", .text),
      ("expires_at", .text),
    ])

  private static let tokens = ExportSection(
    name: "tokens",
    sql: """
      SELECT rowid, id, name, scopes, created_at, last_used_on, expires_at FROM personal_token
      WHERE account_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("name", .text), ("scopes", .json), ("created_at", .text),
      ("last_used_on", .text), ("expires_at", .text),
    ])

  /// Only dates: the network itself cannot be derived from its digest.
  private static let networks = ExportSection(
    name: "known_networks",
    sql: """
      SELECT digest, last_seen_on FROM known_network
      WHERE account_rowid = ? AND digest > ? ORDER BY digest LIMIT ?
      """, start: [.blob([])], members: [("last_seen_on", .text)])

  /// SQL condition: the account has confirmed its address.
  ///
  /// Before that, an account may read nothing about mail. Its address may belong to another person: whether a mail went
  /// to this account or to the owner of the address would reveal that the owner has an account.
  private static let isConfirmed = """
    EXISTS (SELECT 1 FROM account
      WHERE account.rowid = mail_token.account_rowid AND account.confirmed_at IS NOT NULL)
    """

  /// Mailed links that have not been used. Only the digest of their tokens is stored.
  private static let links = ExportSection(
    name: "mailed_links",
    sql: """
      SELECT digest, kind, email, created_at, expires_at FROM mail_token
      WHERE account_rowid = ? AND digest > ? AND \(isConfirmed) ORDER BY digest LIMIT ?
      """, start: [.blob([])],
    members: [
      ("kind", .text), ("email", .text), ("created_at", .text), ("expires_at", .text),
    ])
}
