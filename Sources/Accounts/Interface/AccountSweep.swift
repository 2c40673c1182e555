import PrivacyMap
import Service
import SpatialDatabase

/// Deletes expired data of accounts, and the rows of all features whose retention rules name this job; runs every hour.
package struct AccountSweep: Sendable {
  /// The kind of job.
  package static let job = "account_sweep"
  static let every = Duration.seconds(3_600)
  /// Seconds within which an account must be confirmed.
  package static let confirmationPeriod: Int64 = Seconds.days(7)
  /// Accounts deleted per transaction, so that other writes do not wait long.
  private static let portion: Int64 = 200

  let accounts: Accounts

  func run() throws {
    let now = accounts.now
    var lapsed: Int64
    repeat {
      lapsed = try accounts.database.write { try lapse(before: now, $0) }
    } while lapsed == Self.portion
    let rules = accounts.features.flatMap { $0.retention }.filter { $0.job == Self.job }
    try accounts.database.write { connection in
      for rule in rules { try rule.delete(at: now, connection) }
      try connection.execute(
        """
        UPDATE account SET suspended_at = NULL, suspended_until = NULL, suspended_reason = NULL
        WHERE suspended_until <= ?
        """, [.text(now.text)])
      // These requests name people and are too old to be useful.
      try StoredJobs.delete(
        kind: MailRequest.job,
        dueUntil: now.later(-Seconds.day), connection)
    }
    // Deleted rows name people until the write-ahead log is truncated.
    accounts.wipeTraces()
  }

  /// Deletes accounts whose address was not confirmed in time.
  private func lapse(before now: Timestamp, _ connection: borrowing Connection) throws -> Int64 {
    let limit = now.later(-Self.confirmationPeriod)
    let old = try connection.rows(
      """
      SELECT \(StoredAccount.columns) FROM account
      WHERE confirmed_at IS NULL AND created_at <= ? ORDER BY created_at LIMIT ?
      """, [.text(limit.text), .integer(Self.portion)], decode: StoredAccount.init)
    let erasure = AccountErasure(now: now, features: accounts.features)
    for account in old { try erasure.erase(account, connection) }
    return Int64(old.count)
  }
}
