import Accounts
import Devices
import PrivacyMap
import Service
import SpatialDatabase

/// The mails of watches. Each is queued in the transaction that records it, so it is sent once.
struct WatchMails: Sendable {
  let environment: Environment
  let store: WatchStore
  let queue: MailQueue
  let secrets: WatchSecrets
  let catalogue: Catalogue
  let names: DeviceNames
  let addresses: Addresses
  let news: WatchNews
  let digest: QueueDigest

  /// The maximum number of changes in a mail; the rest is counted.
  static let maxListed = 50
  /// The number up to which changes are counted. Comparing one takes some 30 µs, and a busy country has many thousands.
  static let maxCounted = 200
  /// The seconds until the remaining changes are compared if a filter takes long.
  static let rest: Int64 = 600
  /// The maximum number of watches in a transaction, so that neither other writes nor new changes wait long.
  static let portion = 10
  static let page = "/watches"

  /// The owner of a watch; nil if the address is not confirmed.
  private func owner(
    of watch: StoredWatch, _ connection: borrowing Connection
  ) throws -> StoredAccount? {
    let account = try AccountStore().account(watch.account, connection)
    return account?.isConfirmed == true ? account : nil
  }

  /// The watches whose mail is due. Digests, which are many at some hours, come after mails that are sent at once.
  func due(_ connection: borrowing Connection) throws -> [Int64] {
    var due: [Int64] = []
    let now = environment.now()
    let mails = [WatchMail.atOnce, .daily, .weekly]
    // Almost always no mail is due.
    try connection.expect(mails.map { (Self.dueOnes, Self.values($0, now, Self.portion)) })
    for mail in mails where due.count < Self.portion {
      due += try connection.rows(
        Self.dueOnes, Self.values(mail, now, Self.portion - due.count)
      ) { $0.int(0) }
    }
    return due
  }

  private static func values(_ mail: WatchMail, _ now: Timestamp, _ limit: Int) -> [SQLValue] {
    [.text(mail.rawValue), .text(now.text), SQLValue(limit)]
  }

  static let dueOnes = """
    SELECT rowid FROM watch WHERE mail = ? AND mail_due_at <= ? ORDER BY mail_due_at LIMIT ?
    """

  /// A mail that is due, with the changes since the last one as lines.
  struct Due: Sendable {
    let row: Int64
    let through: Int64
    /// The number of changes; 0 if there is nothing to mail.
    let count: Int
    let list: String
    /// Whether nothing is left to compare for this mail.
    let isWhole: Bool
  }

  /// The news of a watch whose mail is due; nil if the watch does not exist. Reading takes longer than writing, so it
  /// comes before.
  func dueNews(of row: Int64, _ connection: borrowing Connection) throws -> Due? {
    guard let watch = try store.one(row: row, connection) else { return nil }
    guard watch.settings.area != .queue else {
      return Due(row: row, through: 0, count: 0, list: "", isWhole: true)
    }
    let through = try connection.integer(
      "SELECT mailed_through FROM watch WHERE rowid = ?", [.integer(row)])
    let found = try news.later(
      watch, than: through ?? 0, listed: Self.maxListed, counted: Self.maxCounted, connection)
    let language = try AccountStore().account(watch.account, connection)?.locale ?? "en"
    return Due(
      row: row, through: found.through, count: found.count,
      list: found.count > 0 ? try list(found, language, connection) : "", isWhole: found.isWhole)
  }

  /// Queues a mail, unless the watch has been changed since it was due, and schedules the next digest.
  func queue(_ due: Due, _ connection: borrowing Connection) throws {
    let isDue = try connection.integer(
      "SELECT 1 FROM watch WHERE rowid = ? AND mail_due_at <= ?",
      [.integer(due.row), .text(environment.now().text)])
    guard isDue != nil, let watch = try store.one(row: due.row, connection) else { return }
    guard watch.settings.area != .queue else { return try queueDigest(of: watch, connection) }
    // The rest of a filter that takes long is compared later, after the mails of others.
    let next =
      due.isWhole
      ? store.nextDigest(watch.settings)
      : environment.now().later(Self.rest)
    if due.count > 0 {
      let account = try owner(of: watch, connection)
      let isRefused = try MailRefusals().refusedAt(watch.account, connection) != nil
      if let account, !isRefused {
        try queue.add(
          mail(.watchNews, of: watch, to: account, ["list": due.list]), connection)
      }
      try store.noteSent(
        "mail", of: due.row, matches: due.count,
        outcome: account == nil || isRefused ? "failed" : "sent", connection)
    }
    try connection.execute(
      """
      UPDATE watch SET mailed_through = max(mailed_through, ?),
        mailed_at = CASE WHEN ? THEN ? ELSE mailed_at END, mail_due_at = ?
      WHERE rowid = ?
      """,
      [
        .integer(due.through), SQLValue(due.count > 0), .text(environment.now().text),
        SQLValue(next?.text), .integer(due.row),
      ])
  }

  /// Queues the digest of the moderation queue, if something waits there, and schedules the next one.
  private func queueDigest(of watch: StoredWatch, _ connection: borrowing Connection) throws {
    let isRefused = try MailRefusals().refusedAt(watch.account, connection) != nil
    if !isRefused, let account = try owner(of: watch, connection),
      let news = try digest.news(for: account, connection)
    {
      var mail = mail(.watchQueue, of: watch, to: account, ["list": news.list])
      mail.link = "/moderation"
      try queue.add(mail, connection)
      try store.noteSent("mail", of: watch.rowid, matches: news.count, outcome: "sent", connection)
    }
    try store.scheduleDigest(watch.settings, of: watch.rowid, connection)
  }

  /// Queues a test.
  func test(_ watch: StoredWatch, _ connection: borrowing Connection) throws {
    guard let account = try owner(of: watch, connection) else { return }
    try queue.add(mail(.watchTest, of: watch, to: account, [:]), connection)
    try store.noteSent("mail", of: watch.rowid, matches: 0, outcome: "sent", connection)
  }

  /// Queues a mail about the watch itself, such as its end.
  func tell(
    _ template: MailTemplate, about watch: StoredWatch, day: Day? = nil,
    _ connection: borrowing Connection
  ) throws {
    guard let account = try owner(of: watch, connection) else { return }
    let values = day.map { ["day": $0.text] } ?? [:]
    try queue.add(mail(template, of: watch, to: account, values), connection)
  }

  private func mail(
    _ template: MailTemplate, of watch: StoredWatch, to account: StoredAccount,
    _ values: [String: String]
  ) -> OutgoingMail {
    var mail = OutgoingMail(
      to: account.email, language: account.locale, account: account.rowid,
      template: template.rawValue,
      arguments: values.merging(["username": account.username, "label": watch.settings.label]) {
        $1
      },
      link: Self.page)
    mail.list = "\(watch.id).watches"
    mail.unsubscribe = secrets.unsubscribePath(watch.keys)
    return mail
  }

  /// The changes as lines, each with the address of its device. Names, categories and addresses describe the change; no
  /// line contains a position.
  private func list(
    _ found: WatchNews.Found, _ language: String, _ connection: borrowing Connection
  ) throws -> String {
    let lines = WatchLines(language, catalogue, names, news.devices.vocabulary)
    var texts = try found.reported.map { reported in
      let line = try lines.line(reported, connection)
      return line.isOnMap
        ? "• \(line.text)\n  \(addresses.url("/devices/\(reported.device)"))" : "• \(line.text)"
    }
    let more = found.count - texts.count
    if more > 0 {
      let key = found.isMore ? "mail.watch.many" : "mail.watch.more"
      texts.append(catalogue.text(Message(key, ["count": "\(more)"]), in: language))
    }
    return texts.joined(separator: "\n")
  }
}
