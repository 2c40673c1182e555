package import Service
package import SpatialDatabase

extension MailQueue {
  /// Notifies an account of a decision. Accounts without a confirmed address get no mail.
  package func tell(
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
}
