package import Service
import SpatialDatabase

extension Organisations {
  package static let exports = [organisations, organisationClaims]

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
}
