import Mail
package import PrivacyMap
package import Service
package import SpatialDatabase
import WebServer

/// The `account` table.
package struct AccountStore: Sendable {

  package init() {}
  /// The values of a new account.
  struct NewAccount {
    let id: String
    let username: Username
    let email: EmailAddress
    let passwordHash: String
    let locale: String
    var role = Role.contributor
    var isConfirmed = false
    /// The secret of a second factor that the owner already has.
    var totpSecret: [UInt8]?
  }

  /// Adds an account.
  ///
  /// - Returns: its rowid, which is never reused: the audit log refers to people by it.
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

  /// Usernames are public, so the response may state the conflict.
  static let usernameTaken = Refusal(
    .conflict, "error.username.taken", type: "username-taken", field: "username")

  /// Whether an account other than `own` has a name that looks like this one. Accounts older than the
  /// comparison may look alike and keep their names.
  func isTaken(
    _ username: Username, but own: Int64?, _ connection: borrowing Connection
  ) throws -> Bool {
    let holders = try connection.rows(
      "SELECT rowid FROM account WHERE username_key = ? OR username_look = ?",
      [.text(username.key), .text(username.look)]
    ) { $0.int(0) }
    guard let own else { return !holders.isEmpty }
    // A different spelling of the account's own name is always allowed.
    let key = try connection.text(
      "SELECT username_key FROM account WHERE rowid = ?", [.integer(own)])
    return key != username.key && holders.contains { $0 != own }
  }

  /// Renames an account.
  func rename(
    _ account: Int64, to username: Username, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE account SET username = ?, username_key = ?, username_look = ? WHERE rowid = ?",
      [.text(username.text), .text(username.key), .text(username.look), .integer(account)])
  }

  /// Whether there are usernames without a stored look-alike key.
  package func lacksLooks(_ connection: borrowing Connection) throws -> Bool {
    try connection.integer("SELECT 1 FROM account WHERE username_look IS NULL LIMIT 1") != nil
  }

  /// Stores missing look-alike keys: at the first start after the column was added.
  package func noteLooks(_ connection: borrowing Connection) throws {
    let names = try connection.rows(
      "SELECT rowid, username FROM account WHERE username_look IS NULL"
    ) { ($0.int(0), $0.text(1)) }
    for (rowid, username) in names {
      try connection.execute(
        "UPDATE account SET username_look = ? WHERE rowid = ?",
        [.text(LookAlikes.look(of: username)), .integer(rowid)])
    }
  }

  package func account(_ rowid: Int64, _ connection: borrowing Connection) throws -> StoredAccount?
  {
    try connection.first(
      "SELECT \(StoredAccount.columns) FROM account WHERE rowid = ?", [.integer(rowid)],
      decode: StoredAccount.init)
  }

  package func account(
    id: String, _ connection: borrowing Connection
  ) throws -> StoredAccount? {
    try connection.first(
      "SELECT \(StoredAccount.columns) FROM account WHERE id = ?", [.text(id)],
      decode: StoredAccount.init)
  }

  package func account(
    named username: String, _ connection: borrowing Connection
  ) throws -> StoredAccount? {
    try connection.first(
      "SELECT \(StoredAccount.columns) FROM account WHERE username_key = ?",
      [.text(Username.key(of: username))], decode: StoredAccount.init)
  }

  /// The account that has confirmed an address, then the newest other one that claims it: one of each at most.
  ///
  /// An older claim is never returned. Otherwise its holder could find out whether the address has an owner, who takes
  /// its place.
  func accounts(
    claiming emailKey: String, _ connection: borrowing Connection
  ) throws -> [StoredAccount] {
    let found = try connection.rows(
      """
      SELECT \(StoredAccount.columns) FROM account WHERE email_key = ?
      ORDER BY confirmed_at IS NULL, rowid DESC LIMIT 2
      """, [.text(emailKey)], decode: StoredAccount.init)
    return found.first?.isConfirmed == true ? found : Array(found.prefix(1))
  }

  /// The account that has confirmed an address.
  func owner(
    of emailKey: String, _ connection: borrowing Connection
  ) throws -> StoredAccount? {
    try accounts(claiming: emailKey, connection).first { $0.isConfirmed }
  }

  func setLocale(
    _ locale: String, of account: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE account SET locale = ? WHERE rowid = ?", [.text(locale), .integer(account)])
  }

  /// Sets whether others may send requests for the person's records.
  func setDataRequests(
    _ isOn: Bool, of account: Int64, at now: Timestamp, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE account SET data_requests = ? WHERE rowid = ?", [SQLValue(isOn), .integer(account)])
    try ErasureList.note(
      .recordRequests, "account", row: account, value: "\(isOn)", at: now, connection)
  }

  /// Replaces the hash of an unchanged password.
  func renewHash(
    _ hash: String, of account: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE account SET password_hash = ? WHERE rowid = ?", [.text(hash), .integer(account)])
  }

  /// Sets a password and ends everything that the previous one gave access to: sessions, personal
  /// tokens and mailed links.
  func setPassword(
    _ hash: String, of account: Int64, _ connection: borrowing Connection
  ) throws {
    try renewHash(hash, of: account, connection)
    try endEverything(of: account, connection)
    try connection.execute("DELETE FROM mail_token WHERE account_rowid = ?", [.integer(account)])
  }

  /// Changes the address of an account.
  ///
  /// Links mailed to the previous address become invalid: a database trigger (migration 0023) deletes
  /// all mail tokens of an account whose address changes.
  func setEmail(
    _ email: EmailAddress, of account: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE account SET email = ?, email_key = ? WHERE rowid = ?",
      [.text(email.text), .text(email.key), .integer(account)])
  }

  /// Marks the address of an account as confirmed, unless it already is.
  func confirm(
    _ account: Int64, at now: Timestamp, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE account SET confirmed_at = ? WHERE rowid = ? AND confirmed_at IS NULL",
      [.text(now.text), .integer(account)])
  }

  /// Ends every session and every personal token.
  func endEverything(of account: Int64, _ connection: borrowing Connection) throws {
    try connection.execute("DELETE FROM session WHERE account_rowid = ?", [.integer(account)])
    try connection.execute(
      "DELETE FROM personal_token WHERE account_rowid = ?", [.integer(account)])
  }

  /// Changes the role of an account and ends its personal tokens.
  ///
  /// Gaining or losing a moderator or admin role also ends every session, because sessions of these
  /// roles are shorter and start with a second factor. A change between contributor and operator keeps
  /// the sessions. The gate reads the role on every request, so a session never keeps a permission
  /// that was withdrawn.
  package func setRole(
    _ role: Role, of account: Int64, at now: Timestamp, _ connection: borrowing Connection
  ) throws {
    let before = try connection.text(
      "SELECT role FROM account WHERE rowid = ?", [.integer(account)]
    ).flatMap(Role.init(rawValue:))
    guard let before, before != role else { return }
    try connection.execute(
      "UPDATE account SET role = ? WHERE rowid = ?", [.text(role.rawValue), .integer(account)])
    try ErasureList.note(.role, "account", row: account, value: role.rawValue, at: now, connection)
    if before.needsSecondFactor || role.needsSecondFactor {
      try endEverything(of: account, connection)
    } else {
      try connection.execute(
        "DELETE FROM personal_token WHERE account_rowid = ?", [.integer(account)])
    }
  }

  /// Repeats a loss of permissions, or the refusal of requests for records, that a restored backup has undone.
  ///
  /// - Returns: whether the account had the permissions, or received requests.
  func withdrawAgain(
    _ entry: ErasureList.Entry, at now: Timestamp, _ connection: borrowing Connection
  ) throws -> Bool {
    guard let account = try account(id: entry.id, connection) else { return false }
    if entry.kind == .role {
      guard let role = entry.value.flatMap(Role.init(rawValue:)), role < account.role else {
        return false
      }
      try setRole(role, of: account.rowid, at: now, connection)
    } else {
      guard entry.value == "false", account.takesDataRequests else { return false }
      try setDataRequests(false, of: account.rowid, at: now, connection)
    }
    return true
  }

  /// Whether the account is the only admin.
  package func isLastAdmin(_ account: Int64, _ connection: borrowing Connection) throws -> Bool {
    let admins = try connection.rows(
      "SELECT rowid FROM account WHERE role = 'admin' LIMIT 2"
    ) { $0.int(0) }
    return admins == [account]
  }

  /// Whether public responses other than the profile name the account: the history of a device on the
  /// map, or an approved organisation.
  func isNamed(_ account: Int64, _ connection: borrowing Connection) throws -> Bool {
    try connection.integer(
      """
      SELECT EXISTS (SELECT 1 FROM revision JOIN device ON device.rowid = revision.device_rowid
          WHERE revision.account_rowid = ?1 AND device.hidden = 0)
        OR EXISTS (SELECT 1 FROM organisation
          WHERE organisation.account_rowid = ?1 AND organisation.state = 'approved')
      """, [.integer(account)]) == 1
  }

  /// Whether an account has researcher access today.
  static func isResearcher(
    _ account: Int64, on today: Day, _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.integer(
      "SELECT EXISTS (\(researcherQuery))", [.integer(account), .text(today.text)]) == 1
  }

  /// Returns a row if account ?1 has access on day ?2.
  static let researcherQuery = """
    SELECT 1 FROM research_access
    WHERE account_rowid = ? AND state = 'granted' AND until >= ?
    """
}
