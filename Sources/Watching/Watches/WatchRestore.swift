import Accounts
import PrivacyMap
package import Service
package import SpatialDatabase

extension Watches {
  package static let restores = RestoreRule.of(
    "watches",
    [
      "watch": .repeats([.watch, .watchParts]), "watch_sent": .follows("watch"),
      "mail_refusal": .follows("account"), "mail_failure": .follows("account"),
    ])

  package func eraseAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool? {
    switch entry.kind {
    case .watch: try store.eraseAgain(entry.id, connection)
    case .watchParts: try store.endPartsAgain(entry, connection)
    default: nil
    }
  }

  /// Gives every feed another address and every webhook another secret, and notifies the owners. The list of erasures
  /// does not record when they were replaced, so the backup's addresses and secrets may have been revoked.
  package func settleRestore(_ connection: borrowing Connection) throws {
    for (account, labels) in try store.renewSecrets(connection) {
      try mails.tellRenewed(account, labels, connection)
    }
  }
}

extension WatchStore {
  /// Erases a watch that a restored backup has brought back.
  ///
  /// - Returns: whether it was there.
  func eraseAgain(_ id: String, _ connection: borrowing Connection) throws -> Bool {
    try connection.execute("DELETE FROM watch WHERE id = ?", [.text(id)])
    guard connection.changedRowCount > 0 else { return false }
    try nextVersion(connection)
    return true
  }

  /// Switches off the parts of a watch that a restored backup has switched on again.
  ///
  /// - Returns: whether one was on.
  func endPartsAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool {
    guard let watch = try one(id: entry.id, connection) else { return false }
    let off = (entry.value ?? "").split(separator: " ").map(String.init)
    var settings = watch.settings
    if off.contains("feed") { settings.hasFeed = false }
    if off.contains("mail") { settings.mail = .none }
    if off.contains("matching") { settings.isPaused = true }
    if off.contains("webhook") { settings.webhook = nil }
    guard settings.off != watch.settings.off else { return false }
    // This renews the watch, which would otherwise end a year after its last change before the backup.
    try put(settings, of: watch, connection)
    return true
  }

  /// Replaces the keys of all feeds and webhooks.
  ///
  /// - Returns: the labels of their watches by account.
  func renewSecrets(_ connection: borrowing Connection) throws -> [(Int64, [String])] {
    let watches = try connection.rows(
      """
      SELECT rowid, account_rowid, label, feed_key IS NOT NULL, webhook_key IS NOT NULL FROM watch
      WHERE feed_key IS NOT NULL OR webhook_key IS NOT NULL ORDER BY account_rowid, rowid
      """
    ) { row in
      (
        row: row.int(0), account: row.int(1), label: row.text(2), feed: row.bool(3),
        hook: row.bool(4)
      )
    }
    var renewed: [(Int64, [String])] = []
    for watch in watches {
      try connection.execute(
        "UPDATE watch SET feed_key = ?, webhook_key = ? WHERE rowid = ?",
        [
          watch.feed ? .blob(environment.randomBytes(16)) : .null,
          watch.hook ? .blob(environment.randomBytes(16)) : .null, .integer(watch.row),
        ])
      if let last = renewed.indices.last, renewed[last].0 == watch.account {
        renewed[last].1.append(watch.label)
      } else {
        renewed.append((watch.account, [watch.label]))
      }
    }
    if !watches.isEmpty { try nextVersion(connection) }
    return renewed
  }
}

extension WatchMails {
  /// Notifies the owner of watches that their secrets were replaced. The mail is about the account, not about one
  /// watch: its link that ends a series would be encrypted with a key that the restored instance does not have.
  func tellRenewed(
    _ account: Int64, _ labels: [String], _ connection: borrowing Connection
  ) throws {
    guard let owner = try AccountStore().account(account, connection), owner.isConfirmed else {
      return
    }
    try queue.add(
      OutgoingMail(
        to: owner.email, language: owner.locale, account: account,
        template: MailTemplate.watchesRenewed.rawValue,
        arguments: [
          "username": owner.username, "list": labels.map { "• \($0)" }.joined(separator: "\n"),
        ], link: Self.page), connection)
  }
}
