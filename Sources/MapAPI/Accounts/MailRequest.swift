import JSON
import Mail
import PrivacyMap
import SpatialDatabase
import WebServer

/// A mail that somebody asked for by naming a login, theirs or not.
///
/// The request only notes what was asked, so that its answer takes the same time for everybody; who
/// is meant is looked up by a job a moment later.
struct MailRequest: Sendable {
  enum Kind: String, Sendable {
    /// The link that confirms an address.
    case confirm
    /// The link that sets a password.
    case reset
  }

  /// The kind of job.
  static let job = "account_mail"

  let kind: Kind
  /// A username or an e-mail address, as it was typed.
  let login: String
  /// The row of who asked, where they are signed in.
  let account: Int64?
  /// Who asked, by the number that ``Askers`` gave.
  let asker: Int?

  init(kind: Kind, login: String, account: Int64?, asker: Int?) {
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
      asker: json["asker"]?.intValue)
  }

  func schedule(at now: Timestamp, _ connection: borrowing Connection) throws {
    var json = JSONWriter()
    json.value([
      "kind": .string(kind.rawValue), "login": .string(login),
      "account": account.map { .integer($0) } ?? .null,
      "asker": asker.map { .integer(Int64($0)) } ?? .null,
    ])
    try JobRunner.schedule(
      Self.job, payload: String(decoding: json.bytes, as: UTF8.self), due: now, connection)
  }
}

extension Accounts {
  /// Does what a ``MailRequest`` asks.
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
      // Whoever has confirmed an address already can only want to get in.
      case .confirm:
        try account.isConfirmed
          ? mails.remind(account, from: network, connection)
          : confirm(account, from: network, connection)
      }
    }
    askers.forget(request.asker)
  }

  /// Whether the address of an account is not another's.
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

  /// Of several accounts that claim one address: that of who asks, else the one that has confirmed it,
  /// else the newest.
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
