import Mail
import PrivacyMap
import Secrets
import SpatialDatabase

/// The mails that accounts bring about, put into the queue in the transaction of what they tell.
///
/// Links that open something are sent to one address three times an hour at most; what is more is
/// left out without a word, as the answer to whoever asked is always the same.
struct AccountMails: Sendable {
  let queue: MailQueue
  let tokens: MailTokens
  let now: @Sendable () -> Timestamp
  /// Links to one address, by the address folded.
  private let links: Throttle<String>

  init(queue: MailQueue, tokens: MailTokens, now: @escaping @Sendable () -> Timestamp) {
    self.queue = queue
    self.tokens = tokens
    self.now = now
    links = Throttle(limit: 3, window: .seconds(3_600), now: now)
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
    _ connection: borrowing Connection
  ) throws {
    if let owner = try AccountStore().owner(of: email.key, connection), owner.rowid != account {
      return try remind(owner, connection)
    }
    try link(.confirm, "confirm", to: email.text, of: account, username, locale, connection)
  }

  /// A link that gives an account the address it is sent to; whoever owns it already is told instead.
  func change(
    _ account: StoredAccount, to email: EmailAddress, _ connection: borrowing Connection
  ) throws {
    if let owner = try AccountStore().owner(of: email.key, connection), owner.rowid != account.rowid
    {
      // The token is made and sent to nobody: the account looks as if the address were free.
      _ = try tokens.issue(
        .email, for: account.rowid, email: email.text, at: now(), connection)
      return try remind(owner, connection)
    }
    try link(
      .email, "change_email", to: email.text, of: account.rowid, account.username, account.locale,
      connection)
  }

  /// What whoever has confirmed an address is told when it is claimed once more.
  func remind(_ account: StoredAccount, _ connection: borrowing Connection) throws {
    try link(
      .reset, "already_registered", to: account.email, of: account.rowid, account.username,
      account.locale, connection)
  }

  /// A link that sets a new password.
  func recover(_ account: StoredAccount, _ connection: borrowing Connection) throws {
    try link(
      .reset, "reset", to: account.email, of: account.rowid, account.username, account.locale,
      connection)
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

  private func link(
    _ kind: MailTokens.Kind, _ template: String, to address: String, of account: Int64,
    _ username: String, _ locale: String, _ connection: borrowing Connection
  ) throws {
    let now = now()
    // Where too many mails went already, the token is made all the same: it is what shows that an
    // address waits to be confirmed.
    let token = try tokens.issue(kind, for: account, email: address, at: now, connection)
    guard links.take(address.lowercased()) == nil else { return }
    try queue.add(
      OutgoingMail(
        to: address, language: locale, account: account, template: template,
        arguments: ["username": username], link: "\(Self.page(kind))#token=\(token.text)",
        expires: MailTokens.end(of: kind, from: now)), connection)
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
