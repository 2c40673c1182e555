package import PrivacyMap
import Secrets
import Service
package import SpatialDatabase
import WebServer

/// The `known_network` table: networks from which an account signed in during the last 90 days.
///
/// Addresses are stored as digests, keyed by a secret of the instance and by the account. The table
/// therefore reveals neither where a person was nor which people share a network.
package struct KnownNetworks: Sendable {
  /// Days since the last sign-in after which a network is deleted.
  package static let days: Int32 = 90

  private let key: [UInt8]

  /// Reads the secret of the instance, which is created at its first start.
  package init(_ connection: borrowing Connection, now: Timestamp) throws {
    key = try InstanceSecret.read(.networks, connection, now: now)
  }

  private func digest(_ network: ClientAddress, of account: String) -> SQLValue {
    .blob(Digest.hmacSHA256(key: key, message: Array(account.utf8) + network.bytes))
  }

  func knows(
    _ network: ClientAddress, _ account: StoredAccount, _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.integer(
      "SELECT 1 FROM known_network WHERE account_rowid = ? AND digest = ?",
      [.integer(account.rowid), digest(network, of: account.id)]) != nil
  }

  func add(
    _ network: ClientAddress, to account: StoredAccount, on day: Day,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO known_network (account_rowid, digest, last_seen_on) VALUES (?, ?, ?)
      ON CONFLICT (account_rowid, digest) DO UPDATE SET last_seen_on = excluded.last_seen_on
      """, [.integer(account.rowid), digest(network, of: account.id), .text(day.text)])
  }
}
