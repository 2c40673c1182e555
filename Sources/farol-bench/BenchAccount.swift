import Foundation
import PrivacyMap
import Secrets
import SpatialDatabase

/// An account with which `make bench` writes.
///
/// It is inserted directly into a database that no server uses. Only its owner can do that. The server has no such
/// function.
enum BenchAccount {
  /// Creates the account and returns its personal access token.
  ///
  /// The account is a moderator, because moderators have no limit for additions. No person has its
  /// second factor.
  static func make(in location: String) throws -> String {
    let database =
      Database.isServer(location)
      ? try Database(server: location, path: "") : try Database(path: location)
    let token = SecretToken()
    let now = Timestamp(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
    let environment = Environment { now }
    let later = now.later(86_400)
    try database.write { connection in
      let name = "bench-\(environment.newDeviceID().text.prefix(8))"
      try connection.execute(
        """
        INSERT INTO account (id, username, username_key, email, email_key, password_hash, locale,
          role, created_at, terms_accepted_at, confirmed_at, accepted_edits, totp_secret,
          totp_confirmed_at)
        VALUES (?, ?, ?, ?, ?, ?, 'en', 'moderator', ?, ?, ?, 0, ?, ?)
        """,
        [
          .text(environment.newDeviceID().text), .text(name), .text(name),
          .text("\(name)@invalid"), .text("\(name)@invalid"), .text(PasswordHash.decoy),
          .text(now.text), .text(now.text), .text(now.text),
          .blob(environment.randomBytes(20)), .text(now.text),
        ])
      try connection.execute(
        """
        INSERT INTO personal_token (id, account_rowid, name, scopes, digest, created_at, expires_at)
        VALUES (?, ?, 'bench', '["read","contribute"]', ?, ?, ?)
        """,
        [
          .text(environment.newDeviceID().text), .integer(connection.lastInsertedRowID),
          .blob(token.digest), .text(now.text), .text(later.text),
        ])
    }
    try database.close()
    return "farol_\(token.text)"
  }
}
