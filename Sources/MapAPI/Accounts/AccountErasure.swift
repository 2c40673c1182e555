import JSON
import Logging
import Mail
import PrivacyMap
import SpatialDatabase

/// Takes a person out of the database and leaves what they gave to the map.
///
/// The schema lets contributions, verdicts, photos and flags lose their author, and takes sessions,
/// tokens, codes, networks and waiting mail along, and the words beside changes and verdicts; what else
/// names the person goes here.
struct AccountErasure: Sendable {
  /// The kind of job that looks whether the log can be cut, once the last mail has gone.
  static let job = "erase_traces"
  /// Seconds between two looks.
  static let pause: Int64 = 60

  let now: Timestamp

  /// What an account may have much of, in portions: what it contributed loses its author and the words
  /// beside it, as the schema does for what is left when the account goes, and its ledger is erased.
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

  /// Does what takes time with the number of contributions, before ``erase(_:_:)``, in transactions that
  /// let others write in between. Broken off, it is finished by asking again.
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
    // An address that was never confirmed may be somebody else's, with mail of theirs under way.
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
    // One that was never confirmed would lapse again.
    if account.isConfirmed {
      try ErasureList.note(.account, [account.id], at: now, connection)
    }
  }

  /// What is kept of deleted devices, for the day somebody puts one back.
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

  /// What others who cannot have confirmed it did with the address.
  private func eraseClaims(
    to key: String, but account: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "DELETE FROM account WHERE email_key = ? AND rowid <> ?", [.text(key), .integer(account)])
    try connection.execute("DELETE FROM mail_token WHERE lower(email) = ?", [.text(key)])
  }

  /// Requests for mail that nobody has come to answer.
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

  /// Has the log of the database cut when no goodbye waits any more: until then it holds an address.
  func scheduleWiping(_ connection: borrowing Connection) throws {
    let due = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + Self.pause)
    try JobRunner.schedule(Self.job, due: due, connection)
  }
}

extension Accounts {
  /// Cuts the log, which holds what was erased until it is. Where readers stay in the way the job that
  /// comes after does it.
  func wipeTraces() {
    do { try database.checkpoint(truncate: true) } catch {
      logger.info("the log is cut later", metadata: ["reason": "\(error)"])
    }
  }

  /// Does the job of kind ``AccountErasure/job``.
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
