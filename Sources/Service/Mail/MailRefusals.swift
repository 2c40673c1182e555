import Mail
import PrivacyMap
import SpatialDatabase

/// The `mail_refusal` table: addresses of accounts that refuse mail, so that no series is sent to them.
struct MailRefusals: Sendable {
  /// Records that the address of an account refuses mail.
  func note(
    _ address: EmailAddress, of account: Int64, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO mail_refusal (account_rowid, address, refused_at) VALUES (?, ?, ?)
      ON CONFLICT (account_rowid) DO UPDATE SET address = excluded.address,
        refused_at = excluded.refused_at
      """, [.integer(account), .text(address.key), .text(now.text)])
  }

  /// The address of an account as a key; nil if there is no such account.
  func addressKey(of account: Int64, _ connection: borrowing Connection) throws -> String? {
    try connection.text("SELECT email_key FROM account WHERE rowid = ?", [.integer(account)])
  }
}
