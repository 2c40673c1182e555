import Mail
import PrivacyMap
import QRCode
import Secrets
package import Service
import SpatialDatabase

/// Commands on accounts for the administrator of the server; each is written to the audit log.
package struct AccountPowers: Sendable {
  /// A new second factor to add to an authenticator app, shown once.
  package struct SecondFactorGiven: Sendable {
    /// Base32.
    package let secret: String
    /// `otpauth://totp/…`
    package let uri: String
    /// The same URI as a QR code for a terminal, row by row.
    package let picture: [String]
    package let recoveryCodes: [String]
  }

  /// The reason of a failure, in a sentence without personal data.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private let accounts: Accounts

  package init(accounts: Accounts) { self.accounts = accounts }

  /// Creates an admin whose address is already confirmed.
  ///
  /// - Throws: ``Failure`` if the name, the address or the password is not acceptable.
  package func createAdmin(
    username: String, email: String, password: String
  ) throws -> SecondFactorGiven {
    let name = try refusing { () throws(InvalidUsername) in try Username(username) }
    guard let address = try? EmailAddress(email) else { throw failure(Message("error.email")) }
    try check(password, of: [name.text, address.text])
    let hash = try accounts.hashing.hash(password)
    let secret = OneTimePassword()
    return try accounts.database.write { connection in
      guard try accounts.store.owner(of: address.key, connection) == nil else {
        throw Failure(description: "an account with this e-mail address already exists")
      }
      guard try !accounts.store.isTaken(name, but: nil, connection) else {
        throw failure(Message("error.username.taken"))
      }
      let id = accounts.environment.newDeviceID().text
      let rowid = try accounts.store.add(
        AccountStore.NewAccount(
          id: id, username: name, email: address, passwordHash: hash,
          locale: Catalogue.defaultLanguage, role: .admin, isConfirmed: true,
          totpSecret: secret.secret), at: accounts.now, connection)
      try note("create_admin", id, connection)
      return try given(secret, to: rowid, named: name.text, connection)
    }
  }

  /// Changes the role of an account and signs it out. A new moderator or admin must set up a second
  /// factor first.
  ///
  /// - Throws: ``Failure``.
  package func changeRole(of username: String, to role: Role) throws {
    try accounts.database.write { connection in
      let account = try account(username, connection)
      guard account.role != role else { return }
      if try role < .admin && accounts.store.isLastAdmin(account.rowid, connection) {
        throw failure(Message("error.last_admin"))
      }
      guard account.isConfirmed else {
        throw Failure(description: "this account has not confirmed its address yet")
      }
      try accounts.store.setRole(role, of: account.rowid, at: accounts.now, connection)
      try note("make_\(role.rawValue)", account.id, connection)
      try accounts.mails.tell(
        account, hasRole: say(Message("role.\(role.rawValue)"), account),
        because: say(Message("mail.role_changed.by_host"), account), connection)
    }
  }

  /// Sets a password and, if requested, replaces a lost second factor. All sessions and tokens of the
  /// account end.
  ///
  /// - Throws: ``Failure``.
  package func resetPassword(
    of username: String, to password: String, renewsSecondFactor: Bool
  ) throws -> SecondFactorGiven? {
    let before = try accounts.database.read { try account(username, $0) }
    try check(password, of: [before.username, before.email])
    let hash = try accounts.hashing.hash(password)
    return try accounts.database.write { connection in
      let account = try account(username, connection)
      try accounts.store.setPassword(hash, of: account.rowid, connection)
      try accounts.mails.tell(.passwordChanged, account, connection)
      try note("reset_password", account.id, connection)
      guard renewsSecondFactor else { return nil }
      let secret = OneTimePassword()
      try SecondFactorStore().replace(secret, of: account.rowid, at: accounts.now, connection)
      try note("renew_second_factor", account.id, connection)
      return try given(secret, to: account.rowid, named: account.username, connection)
    }
  }

  private func account(
    _ username: String, _ connection: borrowing Connection
  ) throws -> StoredAccount {
    guard let account = try accounts.store.account(named: username, connection) else {
      throw Failure(description: "there is no such account")
    }
    return account
  }

  private func check(_ password: String, of names: [String]) throws {
    if let fault = accounts.rules.fault(in: password, of: names) { throw failure(fault.message) }
  }

  private func given(
    _ secret: OneTimePassword, to account: Int64, named name: String,
    _ connection: borrowing Connection
  ) throws -> SecondFactorGiven {
    let uri = secret.uri(issuer: accounts.instance, account: name)
    return SecondFactorGiven(
      secret: secret.base32, uri: uri, picture: try QRCode(uri).terminalRows,
      recoveryCodes: try SecondFactorStore().renewCodes(of: account, connection))
  }

  /// Logs an action under the code that the log of the pages translates.
  private func note(
    _ action: String, _ account: String, _ connection: borrowing Connection
  ) throws {
    try AuditStore(environment: accounts.environment).note(
      action, target: "account \(account)", by: AuditStore.commandLine, reason: nil, connection)
  }

  private func say(_ message: Message, _ account: StoredAccount) -> String {
    accounts.catalogue.text(message, in: account.locale)
  }

  private func refusing<T>(_ body: () throws(InvalidUsername) -> T) throws(Failure) -> T {
    do { return try body() } catch { throw failure(error.message) }
  }

  private func failure(_ message: Message) -> Failure {
    Failure(description: accounts.catalogue.text(message, in: Catalogue.defaultLanguage))
  }
}
