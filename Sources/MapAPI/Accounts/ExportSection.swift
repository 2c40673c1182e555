import SpatialDatabase

/// One list of an ``AccountExport``: rows of a person, in the order of a key.
struct ExportSection: Sendable {
  /// How a column is written.
  enum Kind: Sendable {
    case text, number, degrees, flag, json
  }

  let name: String
  /// Selects the key, then the members; takes whose rows, the key to go on after, and how many.
  let sql: String
  /// The key before the first.
  let start: [SQLValue]
  let members: [(name: String, kind: Kind)]
  var whose: @Sendable (Principal) -> [SQLValue] = { [.integer($0.account)] }
  /// Whether it holds true positions, which its author sees.
  var holdsPositions = false

  static let all = [
    details, sessions, tokens, networks, links, mails, devices, revisions, verdicts, photos,
    reviews, flagsMade, flagsReceived, decisions, acts,
  ]

  /// What stands in the account and is shown nowhere else: one row.
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

  /// Only that there was one, and when last: what it was cannot be read from its digest.
  private static let networks = ExportSection(
    name: "known_networks",
    sql: """
      SELECT digest, last_seen_on FROM known_network
      WHERE account_rowid = ? AND digest > ? ORDER BY digest LIMIT ?
      """, start: [.blob([])], members: [("last_seen_on", .text)])

  /// Links that were mailed and not used; what they open is known by their digest alone.
  private static let links = ExportSection(
    name: "mailed_links",
    sql: """
      SELECT digest, kind, email, created_at, expires_at FROM mail_token
      WHERE account_rowid = ? AND digest > ? ORDER BY digest LIMIT ?
      """, start: [.blob([])],
    members: [
      ("kind", .text), ("email", .text), ("created_at", .text), ("expires_at", .text),
    ])

  /// Mail that waits to be sent.
  private static let mails = ExportSection(
    name: "waiting_mails",
    sql: """
      SELECT rowid, address, template, language, created_at FROM mail
      WHERE account_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("address", .text), ("template", .text), ("language", .text), ("created_at", .text),
    ])

  private static let devices = ExportSection(
    name: "devices",
    sql: """
      SELECT device.rowid, device.id, device.name, device.category, device.created_at,
        device.precision, device.hidden <> 0, device_location.longitude, device_location.latitude
      FROM device JOIN device_location ON device_location.device_rowid = device.rowid
      WHERE device.account_rowid = ? AND device.rowid > ? ORDER BY device.rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("name", .text), ("category", .text), ("created_at", .text),
      ("precision", .text), ("hidden", .flag), ("longitude", .degrees), ("latitude", .degrees),
    ], holdsPositions: true)

  private static let revisions = ExportSection(
    name: "revisions",
    sql: """
      SELECT revision.made_at, revision.device_rowid, revision.number,
        device.id, revision.number, revision.kind, revision.made_at, revision.comment,
        (SELECT json_group_array(key) FROM json_each(revision.before))
      FROM revision JOIN device ON device.rowid = revision.device_rowid
      WHERE revision.account_rowid = ?
        AND (revision.made_at, revision.device_rowid, revision.number) > (?, ?, ?)
      ORDER BY revision.made_at, revision.device_rowid, revision.number LIMIT ?
      """, start: ["", 0, 0],
    members: [
      ("device", .text), ("revision", .number), ("kind", .text), ("made_at", .text),
      ("comment", .text), ("changed", .json),
    ])

  private static let verdicts = ExportSection(
    name: "verdicts",
    sql: """
      SELECT verdict.rowid, device.id, claim, verdict, basis, note, made_at
      FROM verdict JOIN device ON device.rowid = verdict.device_rowid
      WHERE verdict.account_rowid = ? AND verdict.rowid > ? ORDER BY verdict.rowid LIMIT ?
      """, start: [0],
    members: [
      ("device", .text), ("claim", .text), ("verdict", .text), ("basis", .text), ("note", .text),
      ("made_at", .text),
    ])

  private static let photos = ExportSection(
    name: "photos",
    sql: """
      SELECT photo.rowid, photo.id, device.id, photo.alt, photo.state, photo.created_at,
        '/api/photos/' || photo.id || '?size=large'
      FROM photo JOIN device ON device.rowid = photo.device_rowid
      WHERE photo.account_rowid = ? AND photo.rowid > ? ORDER BY photo.rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("device", .text), ("alt", .text), ("state", .text), ("created_at", .text),
      ("url", .text),
    ])

  /// First contributions that somebody looks at, or has looked at.
  private static let reviews = ExportSection(
    name: "reviews",
    sql: """
      SELECT review.rowid, review.kind, device.id, review.number, review.created_at, review.outcome,
        review.closed_at
      FROM review JOIN device ON device.rowid = review.device_rowid
      WHERE review.account_rowid = ? AND review.rowid > ? ORDER BY review.rowid LIMIT ?
      """, start: [0],
    members: [
      ("kind", .text), ("device", .text), ("revision", .number), ("created_at", .text),
      ("outcome", .text), ("closed_at", .text),
    ])

  private static let flagsMade = ExportSection(
    name: "flags_made",
    sql: """
      SELECT rowid, id, target_type, target_id, reason, note, created_at, outcome, closed_at
      FROM flag WHERE account_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("target_type", .text), ("target_id", .text), ("reason", .text),
      ("note", .text), ("created_at", .text), ("outcome", .text), ("closed_at", .text),
    ])

  /// Without the note, whose words could tell who wrote it.
  private static let flagsReceived = ExportSection(
    name: "flags_received",
    sql: """
      SELECT rowid, target_type, target_id, reason, created_at, outcome, closed_at
      FROM flag WHERE about_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("target_type", .text), ("target_id", .text), ("reason", .text), ("created_at", .text),
      ("outcome", .text), ("closed_at", .text),
    ])

  /// What moderators decided about the person and what they added.
  private static let decisions = ExportSection(
    name: "decisions",
    sql: """
      SELECT rowid, action, target_type, target_id, reason, made_at, undone_at
      FROM moderation_action
      WHERE (target_type = 'account' AND target_id = ?
        OR target_type = 'device' AND target_id IN (SELECT id FROM device WHERE account_rowid = ?)
        OR target_type = 'photo' AND target_id IN (SELECT id FROM photo WHERE account_rowid = ?))
        AND rowid > ?
      ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("action", .text), ("target_type", .text), ("target_id", .text), ("reason", .text),
      ("made_at", .text), ("undone_at", .text),
    ], whose: { [.text($0.id), .integer($0.account), .integer($0.account)] })

  /// What the person decided as a moderator.
  private static let acts = ExportSection(
    name: "acts",
    sql: """
      SELECT rowid, action, target_type, target_id, reason, made_at, undone_at
      FROM moderation_action WHERE account_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("action", .text), ("target_type", .text), ("target_id", .text), ("reason", .text),
      ("made_at", .text), ("undone_at", .text),
    ])
}
