import Mail
import PrivacyMap
import Secrets
import Service
import SpatialDatabase
import WebServer

/// The mails about accounts, queued in the same transaction as the change that they report.
///
/// ``LinkLimits`` limits the number of links mailed to one address. Links beyond the limit are dropped
/// silently, because the response must not depend on the address. `network` is the network that sent
/// the request. Nothing here may be visible to an account that does not own the address: see
/// [decision 32](docs/decisions/0032-no-information-about-unproven-addresses.md).
struct AccountMails: Sendable {
  let queue: MailQueue
  let tokens: MailTokens
  let networks: KnownNetworks
  let now: @Sendable () -> Timestamp
  private let limits: LinkLimits

  init(
    queue: MailQueue, tokens: MailTokens, networks: KnownNetworks, rates: RateLimits
  ) {
    self.queue = queue
    self.tokens = tokens
    self.networks = networks
    now = rates.now
    limits = LinkLimits(rates)
  }

  /// An event that the owner of an account should know about.
  enum Notice: String {
    case passwordChanged = "password_changed"
    case secondFactorOn = "second_factor_on"
    case secondFactorOff = "second_factor_off"
  }

  /// Mails a link that confirms the address of a new account. If another account has confirmed the
  /// address, its owner receives a notice and a link to recover that account instead.
  func confirm(
    _ account: Int64, username: String, email: EmailAddress, locale: String,
    from network: ClientAddress, _ connection: borrowing Connection
  ) throws {
    if let owner = try AccountStore().owner(of: email.key, connection), owner.rowid != account {
      return try remind(owner, from: network, connection)
    }
    let recipient = Recipient(
      address: email.text, account: account, username: username, locale: locale)
    try link(.confirm, Self.confirmation, to: recipient, from: network, connection)
  }

  /// Mails a link that confirms a new address of an account, or a notice to the address's owner.
  func change(
    _ account: StoredAccount, to email: EmailAddress, from network: ClientAddress,
    _ connection: borrowing Connection
  ) throws {
    if let owner = try AccountStore().owner(of: email.key, connection), owner.rowid != account.rowid
    {
      // Issue a token but mail it to no one, so that the account looks as if the address were free.
      _ = try tokens.issue(
        .email, for: account.rowid, email: email.text, at: now(), connection)
      return try remind(owner, from: network, connection)
    }
    var recipient = Recipient(account)
    recipient.address = email.text
    try link(.email, Self.changed, to: recipient, from: network, connection)
  }

  /// Notifies the owner of a confirmed address that another account has claimed it.
  func remind(
    _ account: StoredAccount, from network: ClientAddress, _ connection: borrowing Connection
  ) throws {
    try link(.reset, Self.reminder, to: Recipient(account), from: network, connection)
  }

  /// Mails a link that sets a new password.
  func recover(
    _ account: StoredAccount, from network: ClientAddress, _ connection: borrowing Connection
  ) throws {
    try link(.reset, "reset", to: Recipient(account), from: network, connection)
  }

  /// Mails a notice to the address of an account, if confirmed: others may belong to a stranger.
  func tell(
    _ notice: Notice, _ account: StoredAccount, _ connection: borrowing Connection
  ) throws {
    guard account.isConfirmed else { return }
    try mail(notice.rawValue, to: account, connection)
  }

  /// Mails the owner of an account their new permissions. `role` and `reason` are display texts.
  func tell(
    _ account: StoredAccount, hasRole role: String, because reason: String,
    _ connection: borrowing Connection
  ) throws {
    try mail("role_changed", to: account, with: ["role": role, "reason": reason], connection)
  }

  /// Notifies the owner of an account that a token with moderator or admin scopes was created.
  /// `scopes` is display text.
  func tellOfToken(
    _ name: String, scopes: String, until end: Timestamp, to account: StoredAccount,
    _ connection: borrowing Connection
  ) throws {
    try mail(
      "token_made", to: account, with: ["token": name, "scopes": scopes, "day": end.day.text],
      link: "/account", connection)
  }

  /// Notifies the previous address of an account.
  func tellFormerAddress(_ account: StoredAccount, _ connection: borrowing Connection) throws {
    try mail("email_changed", to: account, connection)
  }

  private func mail(
    _ template: String, to account: StoredAccount, with facts: [String: String] = [:],
    link: String? = nil, _ connection: borrowing Connection
  ) throws {
    try queue.add(
      OutgoingMail(
        to: account.email, language: account.locale, account: account.rowid, template: template,
        arguments: facts.merging(["username": account.username]) { $1 }, link: link), connection)
  }

  /// The last mail of a deleted account. Its row has no owner and a short retention period.
  func sayGoodbye(_ account: StoredAccount, _ connection: borrowing Connection) throws {
    guard account.isConfirmed else { return }
    try queue.add(
      OutgoingMail(
        to: account.email, language: account.locale, account: nil, template: Self.goodbye,
        expires: now().later(Seconds.day)), connection)
  }

  static let goodbye = "account_deleted"

  private static let confirmation = "confirm"
  private static let changed = "change_email"
  private static let reminder = "already_registered"
  /// The mails to an address that was entered by a person who claims it.
  private static let claims = [confirmation, changed, reminder]

  /// The address and the account that a link is for.
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

  /// Queues a mail with a link, if the limits of the address allow it.
  private func link(
    _ kind: MailTokens.Kind, _ template: String, to recipient: Recipient,
    from network: ClientAddress, _ connection: borrowing Connection
  ) throws {
    let now = now()
    let key = EmailAddress.key(of: recipient.address)
    let isAllowed = try limits.take(
      LinkLimits.Pair(address: key, network: network),
      for: LinkLimits.Link(
        kind: kind, isClaim: Self.claims.contains(template),
        isKnown: try isKnown(network, toOwnerOf: key, connection))
    ) { try isWaiting(key, at: now, connection) }
    // A link that is not sent replaces no earlier link. For a change of address the token is issued
    // anyway, because it marks the address as unconfirmed.
    guard isAllowed || kind == .email else { return }
    if kind == .reset { try tokens.replaceResets(of: recipient.account, at: now, connection) }
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

  /// Whether a mail that was caused by entering an address is in the queue and will be sent.
  private func isWaiting(
    _ key: String, at now: Timestamp, _ connection: borrowing Connection
  ) throws -> Bool {
    try StoredMail.isWaiting(Self.claims, to: key, at: now, connection)
  }

  /// Whether the owner of an address has signed in from a network. Only an account that has confirmed
  /// the address is its owner.
  private func isKnown(
    _ network: ClientAddress, toOwnerOf key: String, _ connection: borrowing Connection
  ) throws -> Bool {
    guard let owner = try AccountStore().owner(of: key, connection) else { return false }
    return try networks.knows(network, owner, connection)
  }

  /// The page with the button that uses a token. Mail scanners follow links but press no buttons.
  private static func page(_ kind: MailTokens.Kind) -> String {
    switch kind {
    case .confirm: "/confirm"
    case .email: "/confirm-email"
    case .reset: "/reset"
    }
  }
}

extension EmailAddress {
  /// The key by which addresses are compared. Accepts any text, even an invalid address.
  static func key(of text: String) -> String { text.lowercased() }
}
