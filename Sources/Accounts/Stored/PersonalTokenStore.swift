import PrivacyMap
import Secrets
import SpatialDatabase

/// The `personal_token` table.
struct PersonalTokenStore: Sendable {
  /// A token without its secret. `scopes` is a JSON list.
  struct Stored {
    let id, name, scopes, createdAt, expiresAt: String
    let lastUsedOn: String?
    /// The token itself, in the response that makes it.
    var secret: String?
  }

  /// The valid tokens of an account, newest first.
  func all(
    of account: Int64, at now: Timestamp, _ connection: borrowing Connection
  ) throws -> [Stored] {
    try connection.rows(
      """
      SELECT id, name, scopes, created_at, expires_at, last_used_on FROM personal_token
      WHERE account_rowid = ? AND expires_at > ? ORDER BY created_at DESC, rowid DESC
      """, [.integer(account), .text(now.text)]
    ) { row in
      Stored(
        id: row.text(0), name: row.text(1), scopes: row.text(2), createdAt: row.text(3),
        expiresAt: row.text(4), lastUsedOn: row.optionalText(5))
    }
  }

  /// The number of valid tokens of an account.
  func count(
    of account: Int64, at now: Timestamp, _ connection: borrowing Connection
  ) throws -> Int64 {
    try connection.integer(
      "SELECT count(*) FROM personal_token WHERE account_rowid = ? AND expires_at > ?",
      [.integer(account), .text(now.text)]) ?? 0
  }

  /// Adds a token. `scopes` is a JSON list. Only the digest of the token is stored.
  func add(
    _ token: SecretToken, id: String, name: String, scopes: String, until end: Timestamp,
    to account: Int64, at now: Timestamp, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO personal_token (id, account_rowid, name, scopes, digest, created_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id), .integer(account), .text(name), .text(scopes), .blob(token.digest),
        .text(now.text), .text(end.text),
      ])
  }

  /// Revokes a token.
  ///
  /// - Returns: false if the account has no such token.
  func delete(_ id: String, of account: Int64, _ connection: borrowing Connection) throws -> Bool {
    try connection.execute(
      "DELETE FROM personal_token WHERE account_rowid = ? AND id = ?",
      [.integer(account), .text(id)])
    return connection.changedRowCount == 1
  }

  /// Revokes all tokens.
  func deleteAll(of account: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "DELETE FROM personal_token WHERE account_rowid = ?", [.integer(account)])
  }
}
