import JSON
package import PrivacyMap
package import SpatialDatabase

/// A mail to send. Its text is looked up in the catalogue when it is sent.
package struct OutgoingMail: Sendable {
  /// An address accepted by ``EmailAddress``.
  package var to: String
  /// The language of the reader (BCP 47).
  package var language: String
  /// The account the mail is about. Deleting the account also deletes its unsent mail.
  package var account: Int64?
  /// The name of a ``MailTemplate``.
  package var template: String
  /// Values of the placeholders in the template; inserted as plain text.
  package var arguments: [String: String] = [:]
  /// Target of the button: a path on this instance with its fragment, such as `/confirm#token=…`.
  package var link: String?
  /// Time after which the mail is discarded unsent.
  package var expires: Timestamp?
  /// Identifies the series that the mail belongs to; nil if it belongs to none.
  package var list: String?
  /// A path that ends the series when it receives a POST request. Needed with ``list``.
  package var unsubscribe: String?

  package init(
    to: String, language: String, account: Int64? = nil, template: String,
    arguments: [String: String] = [:], link: String? = nil, expires: Timestamp? = nil
  ) {
    self.to = to
    self.language = language
    self.account = account
    self.template = template
    self.arguments = arguments
    self.link = link
    self.expires = expires
  }
}

/// The `mail` table: waiting mail. Each row has a job of kind `mail` that sends and then erases it.
package struct MailQueue: Sendable {
  private let now: @Sendable () -> Timestamp
  /// Encrypts links that carry a token; nil in queues whose mails have no such links.
  private let seal: MailSeal?

  package init(now: @escaping @Sendable () -> Timestamp, seal: MailSeal? = nil) {
    self.now = now
    self.seal = seal
  }

  /// Adds a mail in the transaction of the change it reports, so that both are committed or neither.
  ///
  /// - Throws: ``UnfitMail`` when the mail lacks a value that its template needs.
  package func add(_ mail: OutgoingMail, _ connection: borrowing Connection) throws {
    try check(mail)
    let now = now()
    try connection.execute(
      """
      INSERT INTO mail (
        account_rowid, address, language, template, arguments, link, created_at, expires_at, list,
        unsubscribe)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        SQLValue(mail.account), .text(mail.to), .text(mail.language), .text(mail.template),
        .text(Self.json(mail.arguments)), SQLValue(try stored(mail)), .text(now.text),
        SQLValue(mail.expires?.text), SQLValue(mail.list),
        SQLValue(try mail.unsubscribe.map { try sealed($0, mail) }),
      ])
    // The job has no unique key: row numbers are reused, and a failed job keeps its key.
    try JobRunner.schedule(
      MailSender.job, payload: "\(connection.lastInsertedRowID)", due: now, connection)
  }

  /// The link as stored in the row: encrypted if it contains a token.
  private func stored(_ mail: OutgoingMail) throws -> String? {
    guard let link = mail.link, link.contains(Self.secretMark) else { return mail.link }
    return try sealed(link, mail)
  }

  private func sealed(_ link: String, _ mail: OutgoingMail) throws -> String {
    guard let seal else {
      throw UnfitMail(template: mail.template, problem: "its link would be stored in the clear")
    }
    return try seal.seal(link, to: mail.to)
  }

  /// Marks a link that grants access to its holder.
  private static let secretMark = "#token="

  private static func json(_ texts: [String: String]) -> String {
    let members = texts.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
    return JSONValue.object(JSONObject(members)).text
  }

  private func check(_ mail: OutgoingMail) throws(UnfitMail) {
    guard let template = MailTemplate(rawValue: mail.template) else {
      throw UnfitMail(template: mail.template, problem: "there is no such template")
    }
    if let missing = template.arguments.subtracting(mail.arguments.keys).min() {
      throw UnfitMail(template: mail.template, problem: "“\(missing)” is missing")
    }
    guard mail.list == nil || mail.unsubscribe?.hasPrefix("/") == true else {
      throw UnfitMail(template: mail.template, problem: "nothing ends its series")
    }
    guard let link = mail.link else {
      if template.link == .needed {
        throw UnfitMail(template: mail.template, problem: "the link is missing")
      }
      return
    }
    // Only paths on this instance are accepted, so that no mail links to another site.
    guard template.link != .none, link.hasPrefix("/"), !link.hasPrefix("//"),
      link.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !link.contains("\\")
    else { throw UnfitMail(template: mail.template, problem: "the link is not a path") }
  }
}

/// A mail that cannot be composed: a bug in the caller. The text contains no address and no link.
struct UnfitMail: Error, CustomStringConvertible {
  let template: String
  let problem: String
  var description: String { "mail “\(template)”: \(problem)" }
}
