import Foundation
import PrivacyMap
import Secrets
import SpatialDatabase

/// An account that `make bench` writes as.
///
/// It is put straight into a database file that nobody serves, which whoever can is the file's owner
/// anyway; the program that serves knows no such way.
enum BenchAccount {
  /// Adds the account and answers the text of its personal token.
  ///
  /// A moderator, as those have no limit on how much they add, with a second factor nobody has.
  static func make(in path: String) throws -> String {
    let database = try Database(path: path)
    let token = SecretToken()
    let now = Timestamp(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
    let surroundings = Surroundings { now }
    let later = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + 86_400)
    try database.write { connection in
      let name = "bench-\(surroundings.newDeviceID().text.prefix(8))"
      try connection.execute(
        """
        INSERT INTO account (id, username, username_key, email, email_key, password_hash, locale,
          role, created_at, terms_accepted_at, confirmed_at, accepted_edits, totp_secret,
          totp_confirmed_at)
        VALUES (?, ?, ?, ?, ?, ?, 'en', 'moderator', ?, ?, ?, 0, ?, ?)
        """,
        [
          .text(surroundings.newDeviceID().text), .text(name), .text(name),
          .text("\(name)@invalid"), .text("\(name)@invalid"), .text(PasswordHash.decoy),
          .text(now.text), .text(now.text), .text(now.text),
          .blob(surroundings.randomBytes(20)), .text(now.text),
        ])
      try connection.execute(
        """
        INSERT INTO personal_token (id, account_rowid, name, scopes, digest, created_at, expires_at)
        VALUES (?, ?, 'bench', '["read","contribute"]', ?, ?, ?)
        """,
        [
          .text(surroundings.newDeviceID().text), .integer(connection.lastInsertedRowID),
          .blob(token.digest), .text(now.text), .text(later.text),
        ])
    }
    try database.close()
    return "farol_\(token.text)"
  }
}
