import PrivacyMap
import Service
import SpatialDatabase

/// Deletes expired data of accounts; runs every hour.
package struct AccountSweep: Sendable {
  /// The kind of job.
  package static let job = "account_sweep"
  static let every = Duration.seconds(3_600)
  /// Seconds within which an account must be confirmed.
  package static let patience: Int64 = 7 * 86_400
  /// Seconds after which mail without a job is deleted. All attempts end earlier.
  package static let mailPatience: Int64 = 3 * 86_400
  /// Retention of failed jobs in seconds, for troubleshooting.
  package static let failureMemory: Int64 = 30 * 86_400
  /// SQL condition: no job will send this row of `mail`.
  package static let isForgotten = """
    NOT EXISTS (SELECT 1 FROM job WHERE kind = '\(MailSender.job)' AND failed_at IS NULL
      AND payload = CAST(mail.rowid AS TEXT))
    """
  /// SQL condition: this row of `job` failed long ago. Jobs of the erasure list stay until done.
  package static let isGivenUp = "failed_at <= ? AND kind <> '\(ErasureList.job)'"
  /// Accounts deleted per transaction, so that other writes do not wait long.
  private static let portion: Int64 = 200

  let accounts: Accounts

  func run() throws {
    let now = accounts.now
    var lapsed: Int64
    repeat {
      lapsed = try accounts.database.write { try lapse(before: now, $0) }
    } while lapsed == Self.portion
    try accounts.database.write { connection in
      for (sql, limit) in Self.outdated(now) { try connection.execute(sql, [.text(limit)]) }
    }
    // Deleted rows name people until the write-ahead log is truncated.
    accounts.wipeTraces()
  }

  /// Deletes accounts whose address was not confirmed in time.
  private func lapse(before now: Timestamp, _ connection: borrowing Connection) throws -> Int64 {
    let limit = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch - Self.patience)
    let old = try connection.rows(
      """
      SELECT \(StoredAccount.columns) FROM account
      WHERE confirmed_at IS NULL AND created_at <= ? ORDER BY created_at LIMIT ?
      """, [.text(limit.text), .integer(Self.portion)], decode: StoredAccount.init)
    let erasure = AccountErasure(now: now, features: accounts.features)
    for account in old { try erasure.erase(account, connection) }
    return Int64(old.count)
  }

  private static func outdated(_ now: Timestamp) -> [(sql: String, limit: String)] {
    func days(_ count: Int32) -> String {
      Day(daysSinceEpoch: now.day.daysSinceEpoch - count).text
    }
    func seconds(_ count: Int64) -> String {
      Timestamp(secondsSinceEpoch: now.secondsSinceEpoch - count).text
    }
    let yesterday = seconds(86_400)
    return [
      ("DELETE FROM session WHERE expires_at <= ?", now.text),
      ("DELETE FROM session WHERE last_seen_on <= ?", SessionStore.idleSince(now).text),
      ("DELETE FROM personal_token WHERE expires_at <= ?", now.text),
      ("DELETE FROM counted_event WHERE ends_at <= ?", now.text),
      ("DELETE FROM mail_token WHERE expires_at <= ?", now.text),
      ("DELETE FROM known_network WHERE last_seen_on < ?", days(KnownNetworks.days)),
      ("DELETE FROM idempotency WHERE made_at <= ?", yesterday),
      // These requests name people and are too old to be useful.
      ("DELETE FROM job WHERE kind = '\(MailRequest.job)' AND due_at <= ?", yesterday),
      ("DELETE FROM job WHERE \(isGivenUp)", seconds(failureMemory)),
      ("DELETE FROM mail WHERE created_at <= ? AND \(isForgotten)", seconds(mailPatience)),
      (
        """
        UPDATE account SET suspended_at = NULL, suspended_until = NULL, suspended_reason = NULL
        WHERE suspended_until <= ?
        """, now.text
      ),
    ]
  }
}
