import SpatialDatabase

/// One list of an ``AccountExport``: rows about a person, ordered by a key.
struct ExportSection: Sendable {
  /// The JSON type in which a column is written.
  enum Kind: Sendable {
    case text, number, degrees, flag, json
  }

  let name: String
  /// Selects the key, then the members. Parameters: account, key to continue after, row limit.
  let sql: String
  /// A key that is less than every key.
  let start: [SQLValue]
  let members: [(name: String, kind: Kind)]
  var whose: @Sendable (Principal) -> [SQLValue] = { [.integer($0.account)] }
  /// Whether the rows contain true points, which their author may see.
  var holdsPositions = false

  static let all = [
    details, sessions, tokens, networks, links, mails, devices, revisions, verdicts, photos,
    reviews, flagsMade, flagsReceived, decisions, acts, choices, choiceEvents,
    outcomeShares, peopleShares, dataRequests, dataRequestLooks,
    requests, organisations, organisationClaims, researchAccess,
  ]

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

  /// Reviews of the account's first contributions, pending or finished.
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

  /// Without the note, because its words could identify the person who flagged.
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

  /// Decisions of moderators about the person and their contributions.
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

  private static let choices = ExportSection(
    name: "choices",
    sql: """
      SELECT rowid, id, device_id, device, kind, "right", letter, regime, country, language,
        state, last_day, deadline_basis, details, note, reminders, reply_link, created_at,
        updated_at
      FROM choice WHERE account_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("device", .text), ("device_then", .json), ("kind", .text),
      ("right", .text), ("letter", .text), ("regime", .text), ("country", .text),
      ("language", .text), ("state", .text), ("last_day", .text), ("deadline_basis", .text),
      ("details", .json), ("note", .text), ("reminders", .flag), ("reply_link", .flag),
      ("created_at", .text), ("updated_at", .text),
    ])

  private static let choiceEvents = ExportSection(
    name: "choice_events",
    sql: """
      SELECT choice_event.rowid, choice.id, choice_event.event, choice_event.at,
        choice_event.said_by, choice_event.note, choice_event.reason, choice_event.channel,
        choice_event.received_on
      FROM choice_event JOIN choice ON choice.rowid = choice_event.choice_rowid
      WHERE choice.account_rowid = ? AND choice_event.rowid > ?
      ORDER BY choice_event.rowid LIMIT ?
      """, start: [0],
    members: [
      ("choice", .text), ("event", .text), ("at", .text), ("by", .text), ("note", .text),
      ("reason", .text), ("channel", .text), ("received_on", .text),
    ])

  /// Published figures to which the person contributed.
  private static let outcomeShares = ExportSection(
    name: "outcome_shares",
    sql: """
      SELECT outcome.rowid, outcome.kind, outcome.name, outcome_member.standing,
        outcome_member.days, outcome.as_of
      FROM outcome_member JOIN outcome ON outcome.rowid = outcome_member.outcome_rowid
      WHERE outcome_member.person = ? AND outcome.rowid > ? ORDER BY outcome.rowid LIMIT ?
      """, start: [0],
    members: [
      ("kind", .text), ("name", .text), ("standing", .text), ("days", .number), ("as_of", .text),
    ])

  /// Published groups in which the person was counted.
  private static let peopleShares = ExportSection(
    name: "people_shares",
    sql: """
      SELECT people_group.rowid, people_group.grouping, people_group.key, people_group.as_of
      FROM people_group_member
      JOIN people_group ON people_group.rowid = people_group_member.group_rowid
      WHERE people_group_member.account_rowid = ? AND people_group.rowid > ?
      ORDER BY people_group.rowid LIMIT ?
      """, start: [0],
    members: [("grouping", .text), ("group", .text), ("as_of", .text)])

  /// Requests for records that the person sent or received.
  private static let dataRequests = ExportSection(
    name: "data_requests",
    sql: """
      SELECT data_request.rowid, data_request.id, asker.username,
        coalesce(data_request.asked_as, asked.username), reason, fields, days, subscribe, asked_at, lapses_at, state, answered_at, note, granted, granted_from,
        granted_to, granted_until, subscribed, ended_at
      FROM data_request \(DataRequest.joins)
      WHERE (asker_rowid = ? OR asked_rowid = ?) AND data_request.rowid > ?
      ORDER BY data_request.rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("from", .text), ("to", .text), ("reason", .text), ("fields", .json),
      ("days", .number), ("subscribe", .flag), ("asked_at", .text), ("lapses_at", .text),
      ("state", .text), ("answered_at", .text), ("note", .text), ("granted", .json),
      ("granted_from", .text), ("granted_to", .text), ("granted_until", .text),
      ("subscribed", .flag), ("ended_at", .text),
    ], whose: { [.integer($0.account), .integer($0.account)] })

  private static let dataRequestLooks = ExportSection(
    name: "data_request_looks",
    sql: """
      SELECT data_request_look.rowid, data_request.id, data_request_look.at,
        data_request_look.fields, data_request_look.count
      FROM data_request_look
      JOIN data_request ON data_request.rowid = data_request_look.request_rowid
      WHERE (asker_rowid = ? OR asked_rowid = ?) AND data_request_look.rowid > ?
      ORDER BY data_request_look.rowid LIMIT ?
      """, start: [0],
    members: [("request", .text), ("at", .text), ("fields", .json), ("count", .number)],
    whose: { [.integer($0.account), .integer($0.account)] })
  /// Letters as sent and, if sent through Farol, their recipients.
  private static let requests = ExportSection(
    name: "requests",
    sql: """
      SELECT request.rowid, request.id, choice.id, request.subject, request.body, request.sent_at,
        organisation.name
      FROM request JOIN choice ON choice.rowid = request.choice_rowid
      LEFT JOIN organisation ON organisation.rowid = request.organisation_rowid
      WHERE choice.account_rowid = ? AND request.rowid > ? ORDER BY request.rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("choice", .text), ("subject", .text), ("body", .text), ("sent_at", .text),
      ("operator", .text),
    ])

  /// The organisation that the person represents.
  private static let organisations = ExportSection(
    name: "organisation",
    sql: """
      SELECT rowid, id, name, kind, domain, website, contact, data_protection_contact,
        privacy_policy, state, check_method, checked_at, check_note, mail_address, mail_ends_at,
        created_at, decided_at, reason, confirmed_contact
      FROM organisation WHERE account_rowid = ? AND rowid > ? LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("name", .text), ("kind", .text), ("domain", .text), ("website", .text),
      ("contact", .text), ("data_protection_contact", .text), ("privacy_policy", .text),
      ("state", .text), ("check_method", .text), ("checked_at", .text), ("check_note", .text),
      ("mailed_to", .text), ("mail_ends_at", .text), ("created_at", .text),
      ("decided_at", .text), ("reason", .text), ("confirmed_contact", .text),
    ])

  /// Requests of the person for research access, with the decisions.
  private static let researchAccess = ExportSection(
    name: "research_access",
    sql: """
      SELECT rowid, id, project, purpose, wanted_until, state, until, reason, asked_at, decided_at
      FROM research_access WHERE account_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("project", .text), ("purpose", .text), ("wanted_until", .text),
      ("state", .text), ("until", .text), ("reason", .text), ("asked_at", .text),
      ("decided_at", .text),
    ])

  private static let organisationClaims = ExportSection(
    name: "organisation_devices",
    sql: """
      SELECT claim.rowid, device.id, claim.state, claim.note, claim.made_at, claim.decided_at,
        claim.reason, statement.content, statement.note, statement.stated_at
      FROM organisation_claim AS claim
      JOIN organisation ON organisation.rowid = claim.organisation_rowid
      JOIN device ON device.rowid = claim.device_rowid
      LEFT JOIN operator_statement AS statement ON statement.claim_rowid = claim.rowid
      WHERE organisation.account_rowid = ? AND claim.rowid > ? ORDER BY claim.rowid LIMIT ?
      """, start: [0],
    members: [
      ("device", .text), ("state", .text), ("note", .text), ("made_at", .text),
      ("decided_at", .text), ("reason", .text), ("statement", .json), ("statement_note", .text),
      ("stated_at", .text),
    ])

  /// Actions of the person as a moderator.
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
