import Mail
import PrivacyMap
import Secrets
package import Service
import SpatialDatabase
import WebServer

/// The `mail_token` table: single-use tokens sent by mail, each for one purpose and a limited time.
package struct MailTokens: Sendable {
  /// The purpose of a token.
  package enum Kind: String, Sendable {
    /// Confirm the address of a new account.
    case confirm
    /// Change the address of an account.
    case email
    /// Set a password without the previous one.
    case reset

    /// Seconds.
    package var lifetime: Int64 {
      switch self {
      case .confirm, .email: 48 * 3_600
      case .reset: 3_600
      }
    }
  }

  /// The longest lifetime of a link in seconds.
  package static let maxLifetime = Kind.confirm.lifetime

  /// The content of a valid token.
  struct Claim: Sendable {
    let account: Int64
    let kind: Kind
    /// The address that it was sent to, the only address that it confirms.
    let email: String
  }

  /// The token was used, has expired, or never existed. The response does not reveal which.
  package static let spent = Refusal(
    .unprocessableContent, "error.token_spent", type: "token-spent", field: "token")

  /// Creates a new token. Only its digest is stored.
  func issue(
    _ kind: Kind, for account: Int64, email: String, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws -> SecretToken {
    let token = SecretToken()
    try connection.execute(
      """
      INSERT INTO mail_token (digest, account_rowid, kind, email, created_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        .blob(token.digest), .integer(account), .text(kind.rawValue), .text(email), .text(now.text),
        .text(Self.end(of: kind, from: now).text),
      ])
    return token
  }

  static func end(of kind: Kind, from now: Timestamp) -> Timestamp {
    now.later(kind.lifetime)
  }

  /// Looks up a valid token without using it.
  ///
  /// A token confirms only the address that it was sent to. Tokens that confirm an account's address or
  /// set its password become invalid when the account's address changes. A token that changes the
  /// address (``Kind/email``) confirms the new address.
  func look(
    at token: SecretToken, for kinds: Set<Kind>, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws -> Claim? {
    let found = try connection.first(
      """
      SELECT mail_token.account_rowid, mail_token.kind, mail_token.email, account.email_key
      FROM mail_token JOIN account ON account.rowid = mail_token.account_rowid
      WHERE mail_token.digest = ? AND mail_token.expires_at > ?
      """, [.blob(token.digest), .text(now.text)]
    ) { row in
      Kind(rawValue: row.text(1)).map { kind in
        (Claim(account: row.int(0), kind: kind, email: row.text(2)), emailKey: row.text(3))
      }
    }
    guard let (claim, emailKey) = found ?? nil, kinds.contains(claim.kind),
      claim.kind == .email || EmailAddress.key(of: claim.email) == emailKey
    else { return nil }
    return claim
  }

  /// Uses a token. Of several simultaneous requests with the same token, one succeeds.
  ///
  /// - Throws: ``spent``.
  func claim(
    _ token: SecretToken, for kinds: Set<Kind>, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws -> Claim {
    guard let claim = try look(at: token, for: kinds, at: now, connection) else {
      throw Self.spent
    }
    try connection.execute("DELETE FROM mail_token WHERE digest = ?", [.blob(token.digest)])
    guard connection.changedRowCount == 1 else { throw Self.spent }
    return claim
  }

  /// Deletes the account's tokens of one kind.
  func end(_ kind: Kind, of account: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "DELETE FROM mail_token WHERE account_rowid = ? AND kind = ?",
      [.integer(account), .text(kind.rawValue)])
  }

  /// Invalidates earlier password links. Queued mails that contain one expire as well: after an outage
  /// of the mail server they could arrive after the newest one.
  func replaceResets(
    of account: Int64, at now: Timestamp, _ connection: borrowing Connection
  ) throws {
    try end(.reset, of: account, connection)
    try StoredMail.expire(["reset", "already_registered"], of: account, at: now, connection)
  }

  /// The new address of an account that is waiting for confirmation.
  func pendingEmail(
    of account: Int64, at now: Timestamp, _ connection: borrowing Connection
  ) throws -> String? {
    try connection.text(
      """
      SELECT email FROM mail_token WHERE account_rowid = ? AND kind = 'email' AND expires_at > ?
      """, [.integer(account), .text(now.text)])
  }
}
