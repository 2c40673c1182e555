import JSON
import Logging
import Mail
import PrivacyMap
import SpatialDatabase

/// Erases a person from the database and keeps their contributions to the map without an author.
///
/// The schema clears the author of contributions, verdicts, photos and flags and the
/// notes of revisions and verdicts. It deletes sessions, tokens, codes, networks and queued mail. All
/// other rows that name the person are erased here.
struct AccountErasure: Sendable {
  /// The kind of the job that truncates the write-ahead log once the last mail has been sent.
  static let job = "erase_traces"
  /// Seconds between two attempts.
  static let pause: Int64 = 60

  let now: Timestamp

  /// Statements for tables in which an account can have many rows, applied in portions. Contributions
  /// lose their author and notes, as the schema does on deletion; the ledger is erased.
  private static let portions = [
    """
    UPDATE revision SET account_rowid = NULL, comment = NULL WHERE (device_rowid, number) IN (
      SELECT device_rowid, number FROM revision WHERE account_rowid = ? LIMIT 50)
    """,
    """
    UPDATE device SET account_rowid = NULL WHERE rowid IN (
      SELECT rowid FROM device WHERE account_rowid = ? LIMIT 50)
    """,
    """
    UPDATE verdict SET account_rowid = NULL, note = NULL WHERE rowid IN (
      SELECT rowid FROM verdict WHERE account_rowid = ? LIMIT 50)
    """,
    """
    UPDATE photo SET account_rowid = NULL WHERE rowid IN (
      SELECT rowid FROM photo WHERE account_rowid = ? LIMIT 50)
    """,
    """
    DELETE FROM choice WHERE rowid IN (
      SELECT rowid FROM choice WHERE account_rowid = ? LIMIT 50)
    """,
  ]

  /// Erases the rows whose number grows with the contributions, before ``erase(_:_:)``. It uses short
  /// transactions so that other writes run in between. After an interruption, a new request finishes.
  func eraseAtLength(_ account: Int64, in database: Database) throws {
    for portion in Self.portions {
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

  func erase(_ account: StoredAccount, _ connection: borrowing Connection) throws {
    let key = EmailAddress.key(of: account.email)
    // An unconfirmed address may belong to another person, who may have mail in the queue.
    if account.isConfirmed {
      try eraseClaims(to: key, but: account.rowid, connection)
      try connection.execute("DELETE FROM mail WHERE lower(address) = ?", [.text(key)])
      try connection.execute("UPDATE flag SET email = NULL WHERE lower(email) = ?", [.text(key)])
    }
    try eraseRequests(account, key, connection)
    let moment = now
    try DataRequestFarewell(mails: DataRequestMails(queue: MailQueue(now: { moment })))
      .tell(account.rowid, connection)
    let organisations = OrganisationStore(surroundings: Surroundings(now: { [now] in now }))
    if let organisation = try organisations.organisation(of: account.rowid, connection) {
      try organisations.erase(organisation, connection)
    }
    try eraseFromDeletedDevices(account.rowid, connection)
    try connection.execute("DELETE FROM account WHERE rowid = ?", [.integer(account.rowid)])
    // Accounts that were never confirmed need no entry: after a restore they lapse again.
    if account.isConfirmed {
      try ErasureList.note(.account, [account.id], at: now, connection)
    }
  }

  /// Erases the account from the stored content of deleted devices, which can still be restored.
  private func eraseFromDeletedDevices(
    _ account: Int64, _ connection: borrowing Connection
  ) throws {
    let kept = try connection.rows(
      "SELECT id, content FROM tombstone_content WHERE instr(content, ?) > 0",
      [.text("\"account_rowid\":\(account)")]
    ) { (id: $0.text(0), rows: DeviceRows(json: $0.text(1))) }
    for (id, rows) in kept {
      guard var rows, rows.forget(account) else { continue }
      try connection.execute(
        "UPDATE tombstone_content SET content = ? WHERE id = ?", [.text(rows.json), .text(id)])
    }
  }

  /// Deletes unconfirmed claims of the address by other accounts.
  private func eraseClaims(
    to key: String, but account: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "DELETE FROM account WHERE email_key = ? AND rowid <> ?", [.text(key), .integer(account)])
    try connection.execute("DELETE FROM mail_token WHERE lower(email) = ?", [.text(key)])
  }

  /// Deletes queued requests for account mails.
  private func eraseRequests(
    _ account: StoredAccount, _ emailKey: String, _ connection: borrowing Connection
  ) throws {
    let waiting = try connection.rows(
      "SELECT rowid, payload FROM job WHERE kind = ?", [.text(MailRequest.job)]
    ) { ($0.int(0), MailRequest(payload: $0.text(1))?.login ?? "") }
    for (rowid, login) in waiting
    where EmailAddress.key(of: login) == emailKey
      || Username.key(of: login) == Username.key(of: account.username)
    {
      try connection.execute("DELETE FROM job WHERE rowid = ?", [.integer(rowid)])
    }
  }

  /// Schedules the truncation of the write-ahead log. Until the last mail is sent it holds an address.
  func scheduleWiping(_ connection: borrowing Connection) throws {
    let due = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + Self.pause)
    try JobRunner.schedule(Self.job, due: due, connection)
  }
}

extension Accounts {
  /// Truncates the write-ahead log, which otherwise keeps erased data. If open readers prevent that,
  /// the scheduled job does it later.
  func wipeTraces() {
    do { try database.checkpoint(truncate: true) } catch {
      logger.info("the write-ahead log is truncated later", metadata: ["reason": "\(error)"])
    }
  }

  /// Runs the job of kind ``AccountErasure/job``.
  @Sendable func wipeTracesOnceMailIsGone(_ payload: String) throws {
    let isWaiting = try database.read { connection in
      try connection.integer(
        "SELECT 1 FROM mail WHERE template = ? LIMIT 1", [.text(AccountMails.goodbye)]) != nil
    }
    if isWaiting {
      return try database.write { try AccountErasure(now: now).scheduleWiping($0) }
    }
    try database.checkpoint(truncate: true)
  }
}
