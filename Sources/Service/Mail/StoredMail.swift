package import PrivacyMap
package import SpatialDatabase

/// The mails in the table `mail` that wait to be sent.
package enum StoredMail {
  /// Seconds after which mail without a job is deleted. All attempts end earlier.
  package static let life: Int64 = Seconds.days(3)

  /// SQL condition: a row of `mail` that no job will send.
  static let isAbandoned = """
    NOT EXISTS (SELECT 1 FROM job WHERE kind = '\(MailSender.job)' AND failed_at IS NULL
      AND payload = CAST(mail.rowid AS TEXT))
    """

  /// Deletes all mails to an address.
  package static func delete(to key: String, _ connection: borrowing Connection) throws {
    try connection.execute("DELETE FROM mail WHERE lower(address) = ?", [.text(key)])
  }

  /// Lets the mails of an account made from these templates expire.
  package static func expire(
    _ templates: [String], of account: Int64, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    let marks = templates.map { _ in "?" }.joined(separator: ", ")
    try connection.execute(
      "UPDATE mail SET expires_at = ? WHERE account_rowid = ? AND template IN (\(marks))",
      [.text(now.text), .integer(account)] + templates.map { .text($0) })
  }

  /// Whether a mail to this address, made from one of these templates, will be sent.
  package static func isWaiting(
    _ templates: [String], to key: String, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws -> Bool {
    let marks = templates.map { _ in "?" }.joined(separator: ", ")
    return try connection.integer(
      """
      SELECT 1 FROM mail WHERE lower(address) = ? AND template IN (\(marks))
        AND (expires_at IS NULL OR expires_at > ?) AND NOT \(isAbandoned) LIMIT 1
      """, [.text(key)] + templates.map { .text($0) } + [.text(now.text)]) != nil
  }

  /// The number of waiting mails, and when the oldest was added.
  package static func waiting(
    _ connection: borrowing Connection
  ) throws -> (count: Int64, oldestAt: String?) {
    try connection.first("SELECT count(*), min(created_at) FROM mail") {
      ($0.int(0), $0.optionalText(1))
    } ?? (0, nil)
  }

  /// The number of mails whose delivery was abandoned.
  package static func failedCount(_ connection: borrowing Connection) throws -> Int64 {
    try connection.integer(
      "SELECT count(*) FROM job WHERE kind = ? AND failed_at IS NOT NULL",
      [.text(MailSender.job)]) ?? 0
  }
}
