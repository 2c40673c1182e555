package import Service
import SpatialDatabase

extension Accounts {
  package static let exports = [details, sessions, tokens, networks, links, mails]

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

  /// Mailed links that have not been used. Only the digest of their tokens is stored.
  private static let links = ExportSection(
    name: "mailed_links",
    sql: """
      SELECT digest, kind, email, created_at, expires_at FROM mail_token
      WHERE account_rowid = ? AND digest > ? ORDER BY digest LIMIT ?
      """, start: [.blob([])],
    members: [
      ("kind", .text), ("email", .text), ("created_at", .text), ("expires_at", .text),
    ])

  /// Mail that is queued.
  private static let mails = ExportSection(
    name: "waiting_mails",
    sql: """
      SELECT rowid, address, template, language, created_at FROM mail
      WHERE account_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("address", .text), ("template", .text), ("language", .text), ("created_at", .text),
    ])
}
