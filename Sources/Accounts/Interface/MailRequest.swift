import JSON
import Mail
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// A mail that a caller requested by entering a login, which may belong to another person.
///
/// The request is only stored, so that its response always takes the same time. A job looks up the
/// account a moment later.
package struct MailRequest: Sendable {
  enum Kind: String, Sendable {
    /// Send the link that confirms an address.
    case confirm
    /// Send the link that sets a password.
    case reset
  }

  /// The kind of job.
  package static let job = "account_mail"

  let kind: Kind
  /// A username or an e-mail address, as entered.
  let login: String
  /// The rowid of the caller's account, if signed in.
  let account: Int64?
  /// The text that ``Askers`` gave to the caller's network.
  let asker: String?

  init(kind: Kind, login: String, account: Int64?, asker: String?) {
    self.kind = kind
    self.login = login
    self.account = account
    self.asker = asker
  }

  init?(payload: String) {
    guard let json = try? JSONValue(parsing: Array(payload.utf8)),
      let kind = json["kind"]?.stringValue.flatMap(Kind.init(rawValue:)),
      let login = json["login"]?.stringValue
    else { return nil }
    self.init(
      kind: kind, login: login, account: json["account"]?.intValue.map { Int64($0) },
      asker: json["asker"]?.stringValue)
  }

  func schedule(at now: Timestamp, _ connection: borrowing Connection) throws {
    let payload: JSONValue = [
      "kind": .string(kind.rawValue), "login": .string(login), "account": account.json,
      "asker": asker.json,
    ]
    try JobRunner.schedule(Self.job, payload: payload.text, due: now, connection)
  }
}

extension Accounts {
  /// Carries out a ``MailRequest``.
  @Sendable func answerMailRequest(_ payload: String) throws {
    guard let request = MailRequest(payload: payload) else { return }
    let network = askers.network(request.asker)
    try database.write { connection in
      guard let account = try meant(by: request, connection) else { return }
      switch request.kind {
      case .reset:
        try isOwn(account, connection)
          ? mails.recover(account, from: network, connection)
          : confirm(account, from: network, connection)
      // The owner of a confirmed address needs no confirmation, so send a link to recover access.
      case .confirm:
        try account.isConfirmed
          ? mails.remind(account, from: network, connection)
          : confirm(account, from: network, connection)
      }
    }
    askers.forget(request.asker)
  }

  /// Whether no other account has confirmed the address.
  private func isOwn(
    _ account: StoredAccount, _ connection: borrowing Connection
  ) throws -> Bool {
    guard !account.isConfirmed else { return true }
    return try store.owner(of: EmailAddress.key(of: account.email), connection) == nil
  }

  private func confirm(
    _ account: StoredAccount, from network: ClientAddress, _ connection: borrowing Connection
  ) throws {
    guard let email = try? EmailAddress(account.email) else { return }
    try mails.confirm(
      account.rowid, username: account.username, email: email, locale: account.locale,
      from: network, connection)
  }

  /// If several accounts claim the address: the caller's account, otherwise the one that has confirmed
  /// it, otherwise the newest.
  private func meant(
    by request: MailRequest, _ connection: borrowing Connection
  ) throws -> StoredAccount? {
    guard request.login.contains("@") else {
      return try store.account(named: request.login, connection)
    }
    let key = EmailAddress.key(of: request.login)
    if let asking = request.account, let own = try store.account(asking, connection),
      EmailAddress.key(of: own.email) == key
    {
      return own
    }
    return try store.accounts(claiming: key, connection).first
  }
}
