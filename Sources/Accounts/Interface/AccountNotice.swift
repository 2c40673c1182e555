package import PrivacyMap
package import Service
package import SpatialDatabase

extension MailQueue {
  /// Notifies an account. Accounts without a confirmed address get no mail. `arguments` are the values of the template
  /// in the language of the account, except its username.
  package func tell(
    _ account: Int64, _ template: MailTemplate, link: String, expires: Timestamp? = nil,
    _ connection: borrowing Connection, _ arguments: (_ language: String) throws -> [String: String]
  ) throws {
    guard let account = try AccountStore().account(account, connection), account.isConfirmed
    else { return }
    try add(
      OutgoingMail(
        to: account.email, language: account.locale, account: account.rowid,
        template: template.rawValue,
        arguments: try arguments(account.locale).merging(["username": account.username]) { $1 },
        link: link, expires: expires),
      connection)
  }

  /// Notifies an account with values that are the same in every language.
  package func tell(
    _ account: Int64, _ template: MailTemplate, _ arguments: [String: String], link: String,
    _ connection: borrowing Connection
  ) throws {
    try tell(account, template, link: link, connection) { _ in arguments }
  }
}
