import JSON
import PrivacyMap
import SpatialDatabase

/// A mail that is to be sent, its words yet to be found in the catalogue.
struct OutgoingMail: Sendable {
  /// An address that ``EmailAddress`` has read.
  var to: String
  /// The language of the reader (BCP 47).
  var language: String
  /// The row of the account it is about; when that goes before the mail does, the mail goes too.
  var account: Int64?
  /// The name of a ``MailTemplate``.
  var template: String
  /// What fills the gaps in the words; shown as text.
  var arguments: [String: String] = [:]
  /// Where its button leads: a path of ours with its fragment, such as `/confirm#token=…`.
  var link: String?
  /// When it is not worth sending any more.
  var expires: Timestamp?
}

/// Mail that waits in the `mail` table, each with a job of kind `mail` that sends and erases it.
struct MailQueue: Sendable {
  private let now: @Sendable () -> Timestamp
  /// What encrypts links that open something; nil in queues whose mails have none.
  private let seal: MailSeal?

  init(now: @escaping @Sendable () -> Timestamp, seal: MailSeal? = nil) {
    self.now = now
    self.seal = seal
  }

  /// Adds a mail in the transaction of what it tells: both happen or neither.
  ///
  /// - Throws: ``UnfitMail`` when the mail lacks something that its template needs.
  func add(_ mail: OutgoingMail, _ connection: borrowing Connection) throws {
    try check(mail)
    let now = now()
    try connection.execute(
      """
      INSERT INTO mail (
        account_rowid, address, language, template, arguments, link, created_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        SQLValue(mail.account), .text(mail.to), .text(mail.language), .text(mail.template),
        .text(Self.json(mail.arguments)), SQLValue(try stored(mail)), .text(now.text),
        SQLValue(mail.expires?.text),
      ])
    // No key: row numbers are used again, and a job that was given up keeps its key.
    try JobRunner.schedule(
      MailSender.job, payload: "\(connection.lastInsertedRowID)", due: now, connection)
  }

  /// Tells an account by its name what became of something; nobody where its address is not confirmed.
  func tell(
    _ account: Int64, _ template: MailTemplate, _ arguments: [String: String], link: String,
    _ connection: borrowing Connection
  ) throws {
    guard let account = try AccountStore().account(account, connection), account.isConfirmed
    else { return }
    try add(
      OutgoingMail(
        to: account.email, language: account.locale, account: account.rowid,
        template: template.rawValue,
        arguments: arguments.merging(["username": account.username]) { $1 }, link: link),
      connection)
  }

  /// The link of a mail as its row keeps it: encrypted where it holds a token.
  private func stored(_ mail: OutgoingMail) throws -> String? {
    guard let link = mail.link, link.contains(Self.secretMark) else { return mail.link }
    guard let seal else {
      throw UnfitMail(template: mail.template, problem: "its link would be stored in the clear")
    }
    return try seal.seal(link, to: mail.to)
  }

  /// What a link that opens something to whoever has it contains.
  private static let secretMark = "#token="

  private static func json(_ texts: [String: String]) -> String {
    var json = JSONWriter()
    json.beginObject()
    for (key, value) in texts.sorted(by: { $0.key < $1.key }) {
      json.key(key)
      json.string(value)
    }
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func check(_ mail: OutgoingMail) throws(UnfitMail) {
    guard let template = MailTemplate(rawValue: mail.template) else {
      throw UnfitMail(template: mail.template, problem: "there is no such template")
    }
    if let missing = template.arguments.subtracting(mail.arguments.keys).min() {
      throw UnfitMail(template: mail.template, problem: "“\(missing)” is missing")
    }
    guard let link = mail.link else {
      if template.link == .needed {
        throw UnfitMail(template: mail.template, problem: "the link is missing")
      }
      return
    }
    // A path alone, so that no mail of ours leads elsewhere.
    guard template.link != .none, link.hasPrefix("/"), !link.hasPrefix("//"),
      link.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !link.contains("\\")
    else { throw UnfitMail(template: mail.template, problem: "the link is no path") }
  }
}

/// A mail that cannot be made: a fault of the program, without an address or a link in it.
struct UnfitMail: Error, CustomStringConvertible {
  let template: String
  let problem: String
  var description: String { "mail “\(template)”: \(problem)" }
}
