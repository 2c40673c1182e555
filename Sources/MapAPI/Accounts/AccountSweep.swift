import PrivacyMap
import SpatialDatabase

/// Throws away what accounts leave behind with time; done every hour.
struct AccountSweep: Sendable {
  /// The kind of job.
  static let job = "account_sweep"
  static let every = Duration.seconds(3_600)
  /// Seconds that an account has to be confirmed.
  static let patience: Int64 = 7 * 86_400
  /// Seconds after which mail that no job sends is forgotten: attempts end before.
  static let mailPatience: Int64 = 3 * 86_400
  /// Seconds that work which was given up is kept, for whoever looks why.
  static let failureMemory: Int64 = 30 * 86_400
  /// Whether no job will send a row of `mail`.
  static let isForgotten = """
    NOT EXISTS (SELECT 1 FROM job WHERE kind = '\(MailSender.job)' AND failed_at IS NULL
      AND payload = CAST(mail.rowid AS TEXT))
    """
  /// Whether a row of `job` was given up long ago; what was erased waits until the list has it.
  static let isGivenUp = "failed_at <= ? AND kind <> '\(ErasureList.job)'"
  /// Accounts that lapse in one transaction, so that no write waits long.
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
    // What was thrown away names people until the log is cut.
    accounts.wipeTraces()
  }

  /// Accounts whose address nobody has confirmed in time.
  private func lapse(before now: Timestamp, _ connection: borrowing Connection) throws -> Int64 {
    let limit = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch - Self.patience)
    let old = try connection.rows(
      """
      SELECT \(StoredAccount.columns) FROM account
      WHERE confirmed_at IS NULL AND created_at <= ? ORDER BY created_at LIMIT ?
      """, [.text(limit.text), .integer(Self.portion)], decode: StoredAccount.init)
    let erasure = AccountErasure(now: now)
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
      ("DELETE FROM mail_token WHERE expires_at <= ?", now.text),
      ("DELETE FROM known_network WHERE last_seen_on < ?", days(KnownNetworks.days)),
      ("DELETE FROM idempotency WHERE made_at <= ?", yesterday),
      // Asked for so long ago that nobody waits any more; each names somebody.
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
