import Mail
import PrivacyMap
import Secrets
import SpatialDatabase
import WebServer

/// The mails that accounts bring about, put into the queue in the transaction of what they tell.
///
/// How many links that open something are sent to one address, ``LinkLimits`` says; what is more is
/// left out without a word, as the answer to whoever asked is always the same. `network` is where a
/// request came from.
struct AccountMails: Sendable {
  let queue: MailQueue
  let tokens: MailTokens
  let networks: KnownNetworks
  let now: @Sendable () -> Timestamp
  private let limits: LinkLimits

  init(
    queue: MailQueue, tokens: MailTokens, networks: KnownNetworks,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.queue = queue
    self.tokens = tokens
    self.networks = networks
    self.now = now
    limits = LinkLimits(now: now)
  }

  /// Something happened to an account that its owner should know of.
  enum Notice: String {
    case passwordChanged = "password_changed"
    case secondFactorOn = "second_factor_on"
    case secondFactorOff = "second_factor_off"
  }

  /// A link that confirms the address an account was made with; whoever owns it already is told
  /// instead that somebody wanted it, with a link that recovers what they have.
  func confirm(
    _ account: Int64, username: String, email: EmailAddress, locale: String,
    from network: ClientAddress, _ connection: borrowing Connection
  ) throws {
    if let owner = try AccountStore().owner(of: email.key, connection), owner.rowid != account {
      return try remind(owner, from: network, connection)
    }
    let recipient = Recipient(
      address: email.text, account: account, username: username, locale: locale)
    try link(.confirm, "confirm", to: recipient, from: network, connection)
  }

  /// A link that gives an account the address it is sent to; whoever owns it already is told instead.
  func change(
    _ account: StoredAccount, to email: EmailAddress, from network: ClientAddress,
    _ connection: borrowing Connection
  ) throws {
    if let owner = try AccountStore().owner(of: email.key, connection), owner.rowid != account.rowid
    {
      // The token is made and sent to nobody: the account looks as if the address were free.
      _ = try tokens.issue(
        .email, for: account.rowid, email: email.text, at: now(), connection)
      return try remind(owner, from: network, connection)
    }
    var recipient = Recipient(account)
    recipient.address = email.text
    try link(.email, "change_email", to: recipient, from: network, connection)
  }

  /// What whoever has confirmed an address is told when it is claimed once more.
  func remind(
    _ account: StoredAccount, from network: ClientAddress, _ connection: borrowing Connection
  ) throws {
    try link(.reset, "already_registered", to: Recipient(account), from: network, connection)
  }

  /// A link that sets a new password.
  func recover(
    _ account: StoredAccount, from network: ClientAddress, _ connection: borrowing Connection
  ) throws {
    try link(.reset, "reset", to: Recipient(account), from: network, connection)
  }

  /// A notice to the address that an account has; one that nobody has confirmed may be a stranger's.
  func tell(
    _ notice: Notice, _ account: StoredAccount, _ connection: borrowing Connection
  ) throws {
    guard account.isConfirmed else { return }
    try queue.add(
      OutgoingMail(
        to: account.email, language: account.locale, account: account.rowid,
        template: notice.rawValue, arguments: ["username": account.username]), connection)
  }

  /// Tells somebody what they may do from now on; `role` and `reason` are words for people.
  func tell(
    _ account: StoredAccount, hasRole role: String, because reason: String,
    _ connection: borrowing Connection
  ) throws {
    try queue.add(
      OutgoingMail(
        to: account.email, language: account.locale, account: account.rowid,
        template: "role_changed",
        arguments: ["username": account.username, "role": role, "reason": reason]), connection)
  }

  /// Tells the owner of an account that a token was made which may do what moderators or admins do;
  /// `scopes` are words for people.
  func tellOfToken(
    _ name: String, scopes: String, until end: Timestamp, to account: StoredAccount,
    _ connection: borrowing Connection
  ) throws {
    try queue.add(
      OutgoingMail(
        to: account.email, language: account.locale, account: account.rowid,
        template: "token_made",
        arguments: [
          "username": account.username, "token": name, "scopes": scopes, "day": end.day.text,
        ], link: "/account"), connection)
  }

  /// Tells the address that an account had until now.
  func tellFormerAddress(_ account: StoredAccount, _ connection: borrowing Connection) throws {
    try queue.add(
      OutgoingMail(
        to: account.email, language: account.locale, account: account.rowid,
        template: "email_changed", arguments: ["username": account.username]), connection)
  }

  /// The last mail of an account that is gone: its row belongs to nobody and is not kept for long.
  func sayGoodbye(_ account: StoredAccount, _ connection: borrowing Connection) throws {
    guard account.isConfirmed else { return }
    try queue.add(
      OutgoingMail(
        to: account.email, language: account.locale, account: nil, template: Self.goodbye,
        expires: Timestamp(secondsSinceEpoch: now().secondsSinceEpoch + 86_400)), connection)
  }

  static let goodbye = "account_deleted"

  /// Where a link goes, and whose it is.
  private struct Recipient {
    var address: String
    let account: Int64
    let username: String
    let locale: String

    init(address: String, account: Int64, username: String, locale: String) {
      self.address = address
      self.account = account
      self.username = username
      self.locale = locale
    }

    init(_ account: StoredAccount) {
      self.init(
        address: account.email, account: account.rowid, username: account.username,
        locale: account.locale)
    }
  }

  /// Puts a link into the queue, if one more may go to the address.
  private func link(
    _ kind: MailTokens.Kind, _ template: String, to recipient: Recipient,
    from network: ClientAddress, _ connection: borrowing Connection
  ) throws {
    let now = now()
    let key = EmailAddress.key(of: recipient.address)
    let isAllowed = limits.take(
      LinkLimits.Pair(address: key, network: network),
      isKnown: try isKnown(network, toOwnerOf: key, connection), for: kind)
    // A link that is not sent replaces none. The token of an address that waits to be confirmed is
    // made all the same: it is what shows that the address waits.
    guard isAllowed || kind == .email else { return }
    if kind == .reset { try replaceResets(of: recipient.account, connection) }
    let token = try tokens.issue(
      kind, for: recipient.account, email: recipient.address, at: now, connection)
    guard isAllowed else { return }
    try queue.add(
      OutgoingMail(
        to: recipient.address, language: recipient.locale, account: recipient.account,
        template: template, arguments: ["username": recipient.username],
        link: "\(Self.page(kind))#token=\(token.text)",
        expires: MailTokens.end(of: kind, from: now)), connection)
  }

  /// Ends the links that set a password and were sent before. Mails that still wait with one expire:
  /// after an outage of the mail server they could arrive after the newest.
  private func replaceResets(of account: Int64, _ connection: borrowing Connection) throws {
    try tokens.end(.reset, of: account, connection)
    try connection.execute(
      """
      UPDATE mail SET expires_at = ?
      WHERE account_rowid = ? AND template IN ('reset', 'already_registered')
      """, [.text(now().text), .integer(account)])
  }

  /// Whether the owner of an address has signed in from a network. Only who has confirmed an address
  /// owns it.
  private func isKnown(
    _ network: ClientAddress, toOwnerOf key: String, _ connection: borrowing Connection
  ) throws -> Bool {
    guard let owner = try AccountStore().owner(of: key, connection) else { return false }
    return try networks.knows(network, owner, connection)
  }

  /// The page whose one button uses a token up: scanners that follow links in mails press none.
  private static func page(_ kind: MailTokens.Kind) -> String {
    switch kind {
    case .confirm: "/confirm"
    case .email: "/confirm-email"
    case .reset: "/reset"
    }
  }
}

extension EmailAddress {
  /// What addresses are compared by, also of a text that may be none.
  static func key(of text: String) -> String { text.lowercased() }
}
