import Mail
import PrivacyMap
import SpatialDatabase
import WebServer

/// The `account` table.
struct AccountStore: Sendable {
  /// What a new account is made of.
  struct NewAccount {
    let id: String
    let username: Username
    let email: EmailAddress
    let passwordHash: String
    let locale: String
    var role = Role.contributor
    var isConfirmed = false
    /// A second factor that its owner has been given already.
    var totpSecret: [UInt8]?
  }

  /// Adds an account.
  ///
  /// - Returns: its row, a number that no account before it had: the audit log names people by it.
  /// - Throws: ``usernameTaken``.
  func add(
    _ new: NewAccount, at now: Timestamp, _ connection: borrowing Connection
  ) throws -> Int64 {
    guard try !isTaken(new.username, but: nil, connection) else { throw Self.usernameTaken }
    let confirmedAt = new.isConfirmed ? now.text : nil
    let enrolledAt = new.totpSecret == nil ? nil : now.text
    try connection.execute(
      """
      INSERT INTO account (rowid, id, username, username_key, username_look, email, email_key,
        password_hash, locale, role, created_at, terms_accepted_at, confirmed_at, totp_secret,
        totp_confirmed_at)
      VALUES ((SELECT last + 1 FROM account_number), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(new.id), .text(new.username.text), .text(new.username.key), .text(new.username.look),
        .text(new.email.text), .text(new.email.key), .text(new.passwordHash), .text(new.locale),
        .text(new.role.rawValue),
        .text(now.text), .text(now.text), SQLValue(confirmedAt), SQLValue(new.totpSecret),
        SQLValue(enrolledAt),
      ])
    return connection.lastInsertedRowID
  }

  /// Usernames are public, so a taken one is told; ours to say is how to recover.
  static let usernameTaken = Refusal(
    .conflict, "error.username.taken", type: "username-taken", field: "username")

  /// Whether another account than `own` has a name that looks like this one. Accounts of before names
  /// were compared so may look alike and keep their names.
  func isTaken(
    _ username: Username, but own: Int64?, _ connection: borrowing Connection
  ) throws -> Bool {
    let holders = try connection.rows(
      "SELECT rowid FROM account WHERE username_key = ? OR username_look = ?",
      [.text(username.key), .text(username.look)]
    ) { $0.int(0) }
    guard let own else { return !holders.isEmpty }
    // Another spelling of one's own name is nobody else's.
    let key = try connection.text(
      "SELECT username_key FROM account WHERE rowid = ?", [.integer(own)])
    return key != username.key && holders.contains { $0 != own }
  }

  /// Gives an account another name.
  func rename(
    _ account: Int64, to username: Username, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE account SET username = ?, username_key = ?, username_look = ? WHERE rowid = ?",
      [.text(username.text), .text(username.key), .text(username.look), .integer(account)])
  }

  /// Whether there are names of which nobody has noted what they look like.
  func lacksLooks(_ connection: borrowing Connection) throws -> Bool {
    try connection.integer("SELECT 1 FROM account WHERE username_look IS NULL LIMIT 1") != nil
  }

  /// Notes what the names look like of which that is not known: at the first start after the column came.
  func noteLooks(_ connection: borrowing Connection) throws {
    let names = try connection.rows(
      "SELECT rowid, username FROM account WHERE username_look IS NULL"
    ) { ($0.int(0), $0.text(1)) }
    for (rowid, username) in names {
      try connection.execute(
        "UPDATE account SET username_look = ? WHERE rowid = ?",
        [.text(LookAlikes.look(of: username)), .integer(rowid)])
    }
  }

  func account(_ rowid: Int64, _ connection: borrowing Connection) throws -> StoredAccount? {
    try connection.first(
      "SELECT \(StoredAccount.columns) FROM account WHERE rowid = ?", [.integer(rowid)],
      decode: StoredAccount.init)
  }

  func account(
    named username: String, _ connection: borrowing Connection
  ) throws -> StoredAccount? {
    try connection.first(
      "SELECT \(StoredAccount.columns) FROM account WHERE username_key = ?",
      [.text(Username.key(of: username))], decode: StoredAccount.init)
  }

  /// The account that has confirmed an address, and then the newest that claim it: two at most.
  func accounts(
    claiming emailKey: String, _ connection: borrowing Connection
  ) throws -> [StoredAccount] {
    try connection.rows(
      """
      SELECT \(StoredAccount.columns) FROM account WHERE email_key = ?
      ORDER BY confirmed_at IS NULL, rowid DESC LIMIT 2
      """, [.text(emailKey)], decode: StoredAccount.init)
  }

  /// The account that has confirmed an address.
  func owner(
    of emailKey: String, _ connection: borrowing Connection
  ) throws -> StoredAccount? {
    try accounts(claiming: emailKey, connection).first { $0.isConfirmed }
  }

  /// Keeps another hash of the same password.
  func renewHash(
    _ hash: String, of account: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE account SET password_hash = ? WHERE rowid = ?", [.text(hash), .integer(account)])
  }

  /// Sets a password and ends everything that the one before it opened: sessions, tokens of programs
  /// and links that wait in mailboxes.
  func setPassword(
    _ hash: String, of account: Int64, _ connection: borrowing Connection
  ) throws {
    try renewHash(hash, of: account, connection)
    try endEverything(of: account, connection)
    try connection.execute("DELETE FROM mail_token WHERE account_rowid = ?", [.integer(account)])
  }

  /// Gives an account another address.
  ///
  /// Links that went to the address before open nothing any more: a trigger of the database
  /// (migration 0023) ends all mail tokens of an account whose address changes.
  func setEmail(
    _ email: EmailAddress, of account: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE account SET email = ?, email_key = ? WHERE rowid = ?",
      [.text(email.text), .text(email.key), .integer(account)])
  }

  /// Notes that an account has proved that its address is its own, unless it has already.
  func confirm(
    _ account: Int64, at now: Timestamp, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE account SET confirmed_at = ? WHERE rowid = ? AND confirmed_at IS NULL",
      [.text(now.text), .integer(account)])
  }

  /// Ends every session and every program's token.
  func endEverything(of account: Int64, _ connection: borrowing Connection) throws {
    try connection.execute("DELETE FROM session WHERE account_rowid = ?", [.integer(account)])
    try connection.execute(
      "DELETE FROM personal_token WHERE account_rowid = ?", [.integer(account)])
  }

  /// Gives an account another role and ends the personal tokens of the account.
  ///
  /// A role that acts on what others made also ends every session, whether the account gains the
  /// role or loses it: such a session is shorter and begins with a second factor. Between
  /// contributor and operator the sessions go on. The gate reads the role at every request, so
  /// these sessions hold no power that was withdrawn.
  func setRole(_ role: Role, of account: Int64, _ connection: borrowing Connection) throws {
    let before = try connection.text(
      "SELECT role FROM account WHERE rowid = ?", [.integer(account)]
    ).flatMap(Role.init(rawValue:))
    guard let before, before != role else { return }
    try connection.execute(
      "UPDATE account SET role = ? WHERE rowid = ?", [.text(role.rawValue), .integer(account)])
    if before.needsSecondFactor || role.needsSecondFactor {
      try endEverything(of: account, connection)
    } else {
      try connection.execute(
        "DELETE FROM personal_token WHERE account_rowid = ?", [.integer(account)])
    }
  }

  /// Whether nobody else could do what an admin does, were this account gone or no admin.
  func isLastAdmin(_ account: Int64, _ connection: borrowing Connection) throws -> Bool {
    let admins = try connection.rows(
      "SELECT rowid FROM account WHERE role = 'admin' LIMIT 2"
    ) { $0.int(0) }
    return admins == [account]
  }

  /// Whether an answer that everybody gets, other than the profile, says who an account is: the history
  /// of a device on the map, or an approved organisation.
  func isNamed(_ account: Int64, _ connection: borrowing Connection) throws -> Bool {
    try connection.integer(
      """
      SELECT EXISTS (SELECT 1 FROM revision JOIN device ON device.rowid = revision.device_rowid
          WHERE revision.account_rowid = ?1 AND device.hidden = 0)
        OR EXISTS (SELECT 1 FROM organisation
          WHERE organisation.account_rowid = ?1 AND organisation.state = 'approved')
      """, [.integer(account)]) == 1
  }
}
