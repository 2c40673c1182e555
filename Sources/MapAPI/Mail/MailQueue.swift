import JSON
import PrivacyMap
import SpatialDatabase

/// A mail to be sent, its words yet to be found in the catalogue under `mail.<template>`.
struct OutgoingMail: Sendable {
  var to: String
  var language: String
  /// The row of the account it belongs to, with which it goes.
  var account: Int64?
  var template: String
  var arguments: [String: String] = [:]
  /// Path and fragment, without the host.
  var link: String?
  /// When it is not worth sending any more.
  var expires: Timestamp?
}

/// The `mail` table.
struct MailQueue: Sendable {
  /// Adds a mail in the transaction of what it tells.
  func add(_ mail: OutgoingMail, _ connection: borrowing Connection) throws {
    var arguments = JSONWriter()
    let members = mail.arguments.sorted { $0.key < $1.key }.map {
      (key: $0.key, value: JSONValue.string($0.value))
    }
    arguments.value(.object(JSONObject(members)))
    try connection.execute(
      """
      INSERT INTO mail (account_rowid, address, language, template, arguments, link, created_at,
        expires_at)
      VALUES (?, ?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ'), ?)
      """,
      [
        SQLValue(mail.account), .text(mail.to), .text(mail.language), .text(mail.template),
        .text(String(decoding: arguments.bytes, as: UTF8.self)), SQLValue(mail.link),
        SQLValue(mail.expires?.text),
      ])
  }
}
