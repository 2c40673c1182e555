import Mail
import PrivacyMap
package import SpatialDatabase

/// The tables `mail_refusal`, addresses of accounts to which no series is sent, and `mail_failure`, which counts the
/// days on which mails to an address failed.
///
/// The address of a mailbox that does not exist is refused at once. Other failures may pass, so they are counted like
/// bounces in GNU Mailman (`bounce_score_threshold` and `bounce_info_stale_after`, with their defaults): a day with
/// failures counts one, five days end the series, and a week without a failure forgets them.
package struct MailRefusals: Sendable {
  /// The number of days with failures at which an address is refused.
  static let days: Int64 = 5
  /// The days after the last failure after which all are forgotten.
  package static let memory: Int32 = 7

  package init() {}

  /// Records that a mail to an account has failed, if the account has confirmed the address. Whether another address
  /// refuses mail is not recorded: the account would see whether the mail went to it or to the owner of the address.
  func note(
    _ fault: DeliveryFault, of address: EmailAddress, _ account: Int64, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    let confirmed = try connection.text(
      "SELECT email_key FROM account WHERE rowid = ? AND confirmed_at IS NOT NULL",
      [.integer(account)])
    guard confirmed == address.key else { return }
    switch fault {
    case .noMailbox: try refuse(address, of: account, at: now, connection)
    case .undelivered: try count(address, of: account, at: now, connection)
    case .policy, .content: break
    }
  }

  private func refuse(
    _ address: EmailAddress, of account: Int64, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO mail_refusal (account_rowid, address, refused_at) VALUES (?, ?, ?)
      ON CONFLICT (account_rowid) DO UPDATE SET address = excluded.address,
        refused_at = excluded.refused_at
      """, [.integer(account), .text(address.key), .text(now.text)])
    try connection.execute(
      "DELETE FROM mail_failure WHERE account_rowid = ?", [.integer(account)])
  }

  /// Counts a failure, once a day, unless the address is refused already.
  private func count(
    _ address: EmailAddress, of account: Int64, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    let key = address.key
    let isRefused = try connection.integer(
      "SELECT 1 FROM mail_refusal WHERE account_rowid = ? AND address = ?",
      [.integer(account), .text(key)])
    guard isRefused == nil else { return }
    let today = now.day
    let before = try connection.first(
      "SELECT days, last_on FROM mail_failure WHERE account_rowid = ? AND address = ? AND last_on >= ?",
      [
        .integer(account), .text(key),
        .text(Day(daysSinceEpoch: today.daysSinceEpoch - Self.memory).text),
      ]
    ) { (days: $0.int(0), lastOn: $0.text(1)) }
    if before?.lastOn == today.text { return }
    let days = (before?.days ?? 0) + 1
    guard days < Self.days else { return try refuse(address, of: account, at: now, connection) }
    try connection.execute(
      """
      INSERT INTO mail_failure (account_rowid, address, days, last_on) VALUES (?, ?, ?, ?)
      ON CONFLICT (account_rowid) DO UPDATE SET address = excluded.address, days = excluded.days,
        last_on = excluded.last_on
      """, [.integer(account), .text(key), .integer(days), .text(today.text)])
  }

  /// Forgets refusals and failures, so that mail is tried again.
  package func forget(_ account: Int64, _ connection: borrowing Connection) throws {
    for table in ["mail_refusal", "mail_failure"] {
      try connection.execute(
        "DELETE FROM \(table) WHERE account_rowid = ?", [.integer(account)])
    }
  }

  /// The time at which the address of an account refused mail; nil if it takes mail, or has changed since.
  package func refusedAt(
    _ account: Int64, _ connection: borrowing Connection
  ) throws -> String? {
    try connection.text(
      """
      SELECT refused_at FROM mail_refusal JOIN account ON account.rowid = mail_refusal.account_rowid
      WHERE mail_refusal.account_rowid = ? AND mail_refusal.address = account.email_key
        AND account.confirmed_at IS NOT NULL
      """, [.integer(account)])
  }

  /// The address of an account as a key; nil if there is no such account.
  func addressKey(of account: Int64, _ connection: borrowing Connection) throws -> String? {
    try connection.text("SELECT email_key FROM account WHERE rowid = ?", [.integer(account)])
  }
}
