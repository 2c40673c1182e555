import Logging
import Mail
package import PrivacyMap
package import Service
package import SpatialDatabase

/// Erases a person from the database and keeps their contributions to the map without an author.
///
/// The schema clears the author of contributions, verdicts, photos and flags and the
/// notes of revisions and verdicts. It deletes sessions, tokens, codes, networks and queued mail. All
/// other rows that name the person are erased here.
package struct AccountErasure: Sendable {
  /// The kind of the job that truncates the write-ahead log. ``MailSender`` schedules it when it has sent the last
  /// mail.
  static let job = MailSender.wiping
  /// Seconds until the log is truncated for the rows of the account, if that could not be done at once.
  static let pause: Int64 = 60

  package let now: Timestamp
  /// The features that hold data of accounts.
  package let features: [any Feature.Type]

  /// Erases the rows whose number grows with the contributions (``Feature/portions``), before ``erase(_:_:)``. It uses
  /// short transactions so that other writes run in between. After an interruption, a new request finishes.
  func eraseAtLength(_ account: Int64, in database: Database) throws {
    for portion in features.flatMap({ $0.portions }) {
      var isDone = false
      while !isDone {
        isDone = try database.write { connection in
          let turn = WriterTurn()
          repeat {
            try connection.execute(portion, [.integer(account)])
            if connection.changedRowCount == 0 { return true }
          } while !turn.isOver
          return false
        }
      }
    }
  }

  package func erase(_ account: StoredAccount, _ connection: borrowing Connection) throws {
    let key = EmailAddress.key(of: account.email)
    // An unconfirmed address may belong to another person, who may have mail in the queue. Claims of the address by
    // other accounts stay until they lapse, because their end would reveal that the address had an account.
    if account.isConfirmed {
      try StoredMail.delete(to: key, connection)
    }
    try eraseRequests(account, key, connection)
    let erased = ErasedAccount(
      rowid: account.rowid, emailKey: account.isConfirmed ? key : nil, now: now)
    for feature in features { try feature.erase(erased, connection) }
    try connection.execute("DELETE FROM account WHERE rowid = ?", [.integer(account.rowid)])
    // Accounts that were never confirmed need no entry: after a restore they lapse again.
    if account.isConfirmed {
      try ErasureList.note(.account, [account.id], at: now, connection)
    }
  }

  /// Deletes queued requests for account mails.
  private func eraseRequests(
    _ account: StoredAccount, _ emailKey: String, _ connection: borrowing Connection
  ) throws {
    let username = Username.key(of: account.username)
    try StoredJobs.delete(
      kind: MailRequest.job,
      where: { payload in
        let login = MailRequest(payload: payload)?.login ?? ""
        return EmailAddress.key(of: login) == emailKey || Username.key(of: login) == username
      }, connection)
  }

  /// Schedules the truncation of the write-ahead log.
  func scheduleWiping(_ connection: borrowing Connection) throws {
    let due = now.later(Self.pause)
    try JobRunner.schedule(Self.job, due: due, connection)
  }
}

extension Accounts {
  /// Erases accounts.
  package var erasure: AccountErasure { AccountErasure(now: now, features: features) }

  /// Truncates the write-ahead log, which otherwise keeps erased data. If open readers prevent that,
  /// the scheduled job does it later.
  func wipeTraces() {
    do { try database.checkpoint(truncate: true) } catch {
      logger.info("the write-ahead log is truncated later", metadata: ["reason": "\(error)"])
    }
  }

  /// Runs the job of kind ``AccountErasure/job``. If open readers prevent it, the job is repeated.
  @Sendable func wipeTracesInJob(_ payload: String) throws {
    try database.checkpoint(truncate: true)
  }
}
