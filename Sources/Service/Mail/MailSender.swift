import JSON
internal import Locking
package import Mail
package import Metrics
package import PrivacyMap
import Secrets
package import SpatialDatabase

/// Sends waiting mail: the handler of jobs of kind `mail`.
package struct MailSender: Sendable {
  /// The kind of job.
  package static let job = "mail"

  private let database: Database
  private let environment: Environment
  private let catalogue: Catalogue
  private let settings: InstanceSettings
  private let addresses: Addresses
  private let seal: MailSeal
  private let sender: Mailbox
  private let bounces: BounceTokens?
  private let transport: any MailTransport
  private let outcomes: Counters<MailOutcome>
  /// Mails that were sent but not yet erased, so that they are not sent twice.
  private let sent = SentMail()

  /// With `bounces`, each mail has its own envelope sender. Otherwise the envelope sender is the address of `sender`.
  package init(
    database: Database, environment: Environment, catalogue: Catalogue,
    settings: InstanceSettings, addresses: Addresses, seal: MailSeal, from sender: Mailbox,
    bounces: BounceTokens? = nil, through transport: any MailTransport,
    outcomes: Counters<MailOutcome>
  ) {
    self.database = database
    self.environment = environment
    self.catalogue = catalogue
    self.settings = settings
    self.addresses = addresses
    self.seal = seal
    self.sender = sender
    self.bounces = bounces
    self.transport = transport
    self.outcomes = outcomes
  }

  /// A waiting mail.
  private struct Waiting {
    let address: String
    let language: String
    let template: String
    let arguments: String
    let link: String?
    let createdAt: String
    let expiresAt: Timestamp?
    let list: String?
    let unsubscribe: String?
    let account: Int64?
    /// Whether the address refused a mail before.
    let isRefused: Bool
    /// Whether the account has a confirmed address.
    let isConfirmed: Bool
  }

  /// Sends the mail of a job; ``erase(_:_:)`` follows. Does nothing if the mail was deleted with its account, or has
  /// expired.
  ///
  /// - Throws: ``MailFailure`` if the job should be retried, ``HopelessJob`` if a retry cannot succeed.
  @Sendable package func send(_ payload: String) throws {
    guard let rowid = Int64(payload), let mail = try waiting(rowid) else { return }
    let isUseless = mail.list != nil && mail.isRefused
    guard !isUseless, mail.expiresAt.map({ $0 > environment.now() }) ?? true else { return }
    let message = try message(mail, rowid)
    try forgetErased()
    guard !sent.contains(message) else { return }
    do throws(MailFailure) { try transport.send(message) } catch {
      outcomes.add(
        error.fault == .policy ? .blocked : error.isPermanent ? .refused : .putOff)
      if let fault = error.fault { try note(fault, of: mail) }
      if error.isPermanent { throw HopelessJob(reason: error.reason) }
      throw error
    }
    outcomes.add(.sent)
    sent.add(message, rowid)
  }

  /// Forgets the sent mails whose end is recorded.
  private func forgetErased() throws {
    let known = sent.rows
    guard !known.isEmpty else { return }
    let waiting = try database.read { connection in
      try known.filter {
        try connection.integer("SELECT 1 FROM mail WHERE rowid = ?", [.integer($0)]) != nil
      }
    }
    sent.keep(waiting)
  }

  /// The kind of the job that removes the bytes of erased rows from the files of the database.
  package static let wiping = "erase_traces"

  /// Erases the mail of a job that has ended, in the transaction that records the end.
  @Sendable package func erase(_ payload: String, _ connection: Connection) throws {
    guard let rowid = Int64(payload) else { return }
    let template = try connection.text(
      "SELECT template FROM mail WHERE rowid = ?", [.integer(rowid)])
    try connection.execute("DELETE FROM mail WHERE rowid = ?", [.integer(rowid)])
    // Its address was the last trace of a deleted account; the log and the page of the row still contain it.
    guard template.flatMap(MailTemplate.init(rawValue:))?.occasion == .former else { return }
    try JobRunner.schedule(Self.wiping, due: environment.now(), connection)
  }

  /// Records that a mail to the address of an account has failed.
  private func note(_ fault: DeliveryFault, of mail: Waiting) throws {
    guard let account = mail.account, let address = try? EmailAddress(mail.address) else { return }
    try database.write { connection in
      try MailRefusals().note(fault, of: address, account, at: environment.now(), connection)
    }
  }

  private func waiting(_ rowid: Int64) throws -> Waiting? {
    try database.read { connection in
      try connection.first(
        """
        SELECT address, language, template, arguments, link, mail.created_at, expires_at,
          account.confirmed_at IS NOT NULL, list, unsubscribe, mail.account_rowid,
          EXISTS (SELECT 1 FROM mail_refusal AS refusal
            WHERE refusal.account_rowid = mail.account_rowid
              AND refusal.address = account.email_key)
        FROM mail LEFT JOIN account ON account.rowid = mail.account_rowid
        WHERE mail.rowid = ?
        """, [.integer(rowid)]
      ) { row in
        Waiting(
          address: row.text(0), language: row.text(1), template: row.text(2),
          arguments: row.text(3), link: row.optionalText(4), createdAt: row.text(5),
          expiresAt: row.optionalText(6).flatMap { Timestamp(text: $0) },
          list: row.optionalText(8), unsubscribe: row.optionalText(9),
          account: row.optionalInt(10), isRefused: row.bool(11), isConfirmed: row.bool(7))
      }
    }
  }

  private func message(_ mail: Waiting, _ rowid: Int64) throws -> MailMessage {
    let language =
      catalogue.languages.contains(mail.language) ? mail.language : Catalogue.defaultLanguage
    guard let template = MailTemplate(rawValue: mail.template),
      let created = Timestamp(text: mail.createdAt), let to = try? EmailAddress(mail.address)
    else { throw HopelessJob(reason: "mail “\(mail.template)” cannot be made") }
    let lifetime = mail.expiresAt.map { $0.secondsSinceEpoch - created.secondsSinceEpoch }
    var values = Self.texts(mail.arguments)
    if !mail.isConfirmed { values["username"] = nil }
    let link = try mail.link.map { try seal.open($0, to: mail.address) }
    let list = try list(of: mail)
    let words = MailWords(
      template, values, link: link.map { ($0, lifetime) }, unsubscribe: list?.unsubscribe,
      language: language, settings: settings, addresses: addresses, catalogue: catalogue)
    do throws(InvalidMail) {
      return try MailMessage(
        from: sender, to: to, subject: words.subject, language: language, text: words.text,
        html: words.html, date: created, messageID: messageID(mail, rowid), list: list,
        envelopeSender: bounces?.address(for: to, of: mail.account, at: created))
    } catch {
      throw HopelessJob(reason: "mail “\(mail.template)” cannot be made: its \(error)")
    }
  }

  private func list(of mail: Waiting) throws -> MailList? {
    guard let id = mail.list, let sealed = mail.unsubscribe else { return nil }
    return MailList(
      id: "\(id).\(sender.address.domain)",
      unsubscribe: addresses.url(try seal.open(sealed, to: mail.address)))
  }

  /// The same for every attempt, so that mail programs recognise a duplicate. It reveals nothing about
  /// the mail.
  private func messageID(_ mail: Waiting, _ rowid: Int64) -> String {
    let whole = [
      "\(rowid)", mail.createdAt, mail.address, mail.template, mail.arguments, mail.link ?? "",
    ].joined(separator: "\n")
    let text = Hexadecimal.text(of: Digest.sha256(Array(whole.utf8)).prefix(16))
    return "\(text)@\(sender.address.domain)"
  }

  private static func texts(_ json: String) -> [String: String] {
    guard let members = (try? JSONValue(parsing: Array(json.utf8)))?.objectValue?.members else {
      return [:]
    }
    return members.reduce(into: [:]) { $0[$1.key] = $1.value.stringValue }
  }
}

/// The Message-IDs of mails that were sent and are not erased yet, for instance because the database cannot be
/// written, by their rows.
///
/// The list is lost on restart. Such a mail is then sent a second time, with the same Message-ID.
private final class SentMail: Sendable {
  private let identities = Locked<[Int64: String]>([:])

  var rows: [Int64] { identities.withLock { $0.keys.sorted() } }

  func contains(_ message: MailMessage) -> Bool {
    identities.withLock { $0.values.contains(message.messageID) }
  }

  func add(_ message: MailMessage, _ row: Int64) {
    identities.withLock { $0[row] = message.messageID }
  }

  /// Forgets all rows but these.
  func keep(_ rows: [Int64]) {
    identities.withLock { known in known = known.filter { rows.contains($0.key) } }
  }
}
