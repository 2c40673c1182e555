import SpatialDatabase

/// The lists about mail in the export of an account.
package enum MailExports {
  /// Mail that is queued for the confirmed address of the account. A mail to a new address is left out: it is queued
  /// only if no other account has that address.
  package static let waiting = ExportSection(
    name: "waiting_mails",
    sql: """
      SELECT rowid, address, template, language, created_at FROM mail
      WHERE account_rowid = ? AND rowid > ? AND EXISTS (SELECT 1 FROM account
        WHERE account.rowid = mail.account_rowid AND account.confirmed_at IS NOT NULL
          AND account.email = mail.address)
      ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("address", .text), ("template", .text), ("language", .text), ("created_at", .text),
    ])

  /// Only about the confirmed address of the account. Whether another address refused a mail to this account would
  /// reveal whether the mail went to another account instead.
  package static let refusal = ExportSection(
    name: "mail_refusal",
    sql: """
      SELECT account_rowid, address, refused_at FROM mail_refusal
      WHERE account_rowid = ? AND account_rowid > ? AND EXISTS (SELECT 1 FROM account
        WHERE account.rowid = mail_refusal.account_rowid AND account.confirmed_at IS NOT NULL
          AND account.email_key = mail_refusal.address)
      ORDER BY account_rowid LIMIT ?
      """, start: [0], members: [("address", .text), ("refused_at", .text)])

  /// The days on which mails to the address failed.
  package static let failure = ExportSection(
    name: "mail_failure",
    sql: """
      SELECT account_rowid, address, days, last_on FROM mail_failure
      WHERE account_rowid = ? AND account_rowid > ? AND EXISTS (SELECT 1 FROM account
        WHERE account.rowid = mail_failure.account_rowid AND account.confirmed_at IS NOT NULL
          AND account.email_key = mail_failure.address)
      ORDER BY account_rowid LIMIT ?
      """, start: [0], members: [("address", .text), ("days", .number), ("last_on", .text)])
}
