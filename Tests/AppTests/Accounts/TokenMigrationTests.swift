import Foundation
import PrivacyMap
import SpatialDatabase
import Testing

/// Privileged tokens that were created with a session alone end 30 days after the update.
@Suite struct TokenMigrationTests {
  @Test func `the migration shortens tokens with moderator or admin scope only`()
    throws
  {
    let folder = try TestFolder.make()
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try EarlierDatabase.make(in: folder, before: "0023")
    let soon = Self.moment(in: 5)
    let tokens = [
      ("[\"read\",\"admin\"]", "2099-01-01T00:00:00Z", true),
      ("[\"moderate\"]", "2099-01-01T00:00:00Z", true), ("[\"admin\"]", soon, false),
      ("[\"read\",\"contribute\",\"research\"]", "2099-01-01T00:00:00Z", false),
    ]
    try database.write { connection in
      try connection.execute(
        """
        INSERT INTO account (rowid, id, username, username_key, email, email_key, password_hash,
          locale, created_at, terms_accepted_at)
        VALUES (1, printf('%036d', 1), 'ana', 'ana', 'a@b.example', 'a@b.example', '$argon2id$x',
          'en', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')
        """)
      for (number, (scopes, end, _)) in tokens.enumerated() {
        try connection.execute(
          """
          INSERT INTO personal_token (id, account_rowid, name, scopes, digest, created_at, expires_at)
          VALUES (printf('%036d', ?), 1, 'x', ?, ?, '2026-01-01T00:00:00Z', ?)
          """,
          [
            SQLValue(number), .text(scopes), .blob([UInt8](repeating: UInt8(number), count: 32)),
            .text(end),
          ])
      }
    }
    _ = try database.migrate(directory: EarlierDatabase.migrations.path)
    let ends = try database.read { connection in
      try connection.rows("SELECT expires_at FROM personal_token ORDER BY rowid") { $0.text(0) }
    }
    for ((scopes, before, isCut), after) in zip(tokens, ends) {
      if isCut {
        #expect(after > Self.moment(in: 29) && after <= Self.moment(in: 30), "\(scopes) \(after)")
        #expect(Timestamp(text: after) != nil)
      } else {
        #expect(after == before, "\(scopes)")
      }
    }
  }

  /// This many days from now; the migration uses the clock of the machine.
  private static func moment(in days: Int) -> String {
    let seconds = Int64(Date().timeIntervalSince1970) + Int64(days) * 86_400
    return Timestamp(secondsSinceEpoch: seconds).text
  }
}
