import Mail
import PrivacyMap
import Secrets
import SpatialDatabase
import WebServer

/// The `mail_token` table: what goes out by mail and is good once, for one thing, for a while.
struct MailTokens: Sendable {
  /// What a token is good for.
  enum Kind: String, Sendable {
    /// To confirm the address that an account was made with.
    case confirm
    /// To give an account another address.
    case email
    /// To set a password without knowing the one before.
    case reset

    /// Seconds.
    var lifetime: Int64 {
      switch self {
      case .confirm, .email: 48 * 3_600
      case .reset: 3_600
      }
    }
  }

  /// Seconds that a link is good for at most.
  static let longest = Kind.confirm.lifetime

  /// What a token turned out to be.
  struct Claim: Sendable {
    let account: Int64
    let kind: Kind
    /// The address that it was sent to: the only one that it proves.
    let email: String
  }

  /// What is wrong with a token: used, expired, or never given. Which of them is not told.
  static let spent = Refusal(
    .unprocessableContent, "error.token_spent", type: "token-spent", field: "token")

  /// Makes a token that was not there before; only its digest is kept.
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
    Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + kind.lifetime)
  }

  /// What a token is good for now, without using it up.
  ///
  /// A token that was sent to an address proves that address only. Tokens that confirm an account's
  /// address or set its password are good for nothing once the account has another one. A token that
  /// gives an account a new address (``Kind/email``) proves that new address.
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

  /// Uses a token up: of many who show it at once, one gets the claim.
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

  /// Ends the tokens of one kind.
  func end(_ kind: Kind, of account: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "DELETE FROM mail_token WHERE account_rowid = ? AND kind = ?",
      [.integer(account), .text(kind.rawValue)])
  }

  /// The address that an account is to have once it is confirmed there.
  func pendingEmail(
    of account: Int64, at now: Timestamp, _ connection: borrowing Connection
  ) throws -> String? {
    try connection.text(
      """
      SELECT email FROM mail_token WHERE account_rowid = ? AND kind = 'email' AND expires_at > ?
      """, [.integer(account), .text(now.text)])
  }
}
