import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// The `watch` table.
struct WatchStore: Sendable {
  let environment: Environment

  /// The maximum number of watches of an account, and of its watches with a webhook.
  static let maximum: Int64 = 20
  static let maxWebhooks: Int64 = 5
  static let notThere = NotFound(Message("error.not_found.watch"))

  private var now: String { environment.now().text }

  private static let columns = """
    watch.rowid, watch.id, watch.account_rowid, watch.label, watch.area, watch.filter, watch.events,
    watch.properties, watch.mail, watch.hour, watch.weekday, watch.time_zone, watch.paused,
    watch.mail_key, watch.feed_key, watch.webhook, watch.webhook_key, watch.created_at,
    watch.renewed_at, watch.webhook_ended_at, watch.failed_at, watch.since, watch.webhook_proven_at
    """

  /// The watches of an account, oldest first.
  func all(of account: Int64, _ connection: borrowing Connection) throws -> [StoredWatch] {
    try connection.rows(
      "SELECT \(Self.columns) FROM watch WHERE account_rowid = ? ORDER BY rowid",
      [.integer(account)], decode: Self.watch
    ).compactMap { $0 }
  }

  /// The watch of an account with an id.
  ///
  /// - Throws: ``NotFound`` if the account has no such watch.
  func one(
    _ id: String?, of account: Int64, _ connection: borrowing Connection
  ) throws -> StoredWatch {
    let found = try connection.first(
      "SELECT \(Self.columns) FROM watch WHERE id = ? AND account_rowid = ?",
      [SQLValue(id), .integer(account)], decode: Self.watch)
    guard let watch = found ?? nil else { throw Self.notThere }
    return watch
  }

  /// The watch of any account with an id.
  func one(id: String, _ connection: borrowing Connection) throws -> StoredWatch? {
    try connection.first(
      "SELECT \(Self.columns) FROM watch WHERE id = ?", [.text(id)], decode: Self.watch) ?? nil
  }

  func one(row: Int64, _ connection: borrowing Connection) throws -> StoredWatch? {
    try connection.first(
      "SELECT \(Self.columns) FROM watch WHERE rowid = ?", [.integer(row)], decode: Self.watch)
      ?? nil
  }

  /// The watch whose feed has this key.
  func one(feed key: [UInt8], _ connection: borrowing Connection) throws -> StoredWatch? {
    try connection.first(
      "SELECT \(Self.columns) FROM watch WHERE feed_key = ?", [.blob(key)], decode: Self.watch)
      ?? nil
  }

  private static func watch(_ row: Row) -> StoredWatch? {
    func value(_ column: Int) -> JSONValue {
      (try? JSONValue(parsing: Array(row.text(column).utf8))) ?? .null
    }
    func texts(_ column: Int) -> [String] {
      value(column).arrayValue?.compactMap(\.stringValue) ?? []
    }
    guard let area = WatchArea(stored: value(4)) else { return nil }
    let settings = WatchSettings(
      label: row.text(3), area: area, filter: value(5).objectValue ?? JSONObject(),
      events: texts(6).compactMap(WatchEvent.init), properties: texts(7),
      mail: WatchMail(rawValue: row.text(8)) ?? .none, hour: Int(row.int(9)),
      weekday: Int(row.int(10)), timeZone: row.text(11), isPaused: row.bool(12),
      hasFeed: !row.isNull(14), webhook: row.optionalText(15))
    let keys = WatchKeys(
      mail: row.blob(13), feed: row.optionalBlob(14), webhook: row.optionalBlob(16))
    return StoredWatch(
      rowid: row.int(0), id: row.text(1), account: row.int(2), settings: settings, keys: keys,
      createdAt: row.text(17), renewedAt: row.text(18), webhookEndedAt: row.optionalText(19),
      failedAt: row.optionalText(20), webhookProvenAt: row.optionalText(22), since: row.int(21))
  }

  /// Adds a watch. It reports later changes only.
  ///
  /// - Throws: a 409 ``Refusal`` if the account has reached its maximum.
  func add(
    _ settings: WatchSettings, of account: Int64, _ connection: borrowing Connection
  ) throws -> StoredWatch {
    let count = try connection.integer(
      "SELECT count(*) FROM watch WHERE account_rowid = ?", [.integer(account)])
    guard count ?? 0 < Self.maximum else {
      throw Refusal(
        .conflict, "error.watch.too_many", ["maximum": "\(Self.maximum)"], type: "too-many-watches")
    }
    let id = environment.newDeviceID().text
    let version = try nextVersion(connection)
    try connection.execute(
      """
      INSERT INTO watch (id, account_rowid, label, area, filter, events, properties, mail, hour,
        weekday, time_zone, mail_key, created_at, renewed_at, version, since, mailed_through, called_through)
      VALUES (?, ?, ?, ?, '{}', '[]', '[]', 'none', 0, 1, 'UTC', ?, ?, ?, ?,
        (SELECT coalesce(max(sequence), 0) FROM change), (\(ChangeLog.last)), (\(ChangeLog.last)))
      """,
      [
        .text(id), .integer(account), .text(settings.label), .text(settings.area.json.text),
        .blob(environment.randomBytes(16)), .text(now), .text(now), .integer(version),
      ])
    try put(settings, of: try one(id, of: account, connection), connection)
    return try one(id, of: account, connection)
  }

  /// Stores the settings of a watch, which also renews it. After a pause or with another selection, the watch reports
  /// later changes only. A watch that was set aside runs again with another selection.
  ///
  /// - Throws: a 409 ``Refusal`` if the account has reached its maximum of webhooks.
  func put(
    _ settings: WatchSettings, of watch: StoredWatch, _ connection: borrowing Connection
  ) throws {
    let isNewHook = settings.webhook != watch.settings.webhook
    if settings.webhook != nil, watch.settings.webhook == nil {
      let hooks = try connection.integer(
        "SELECT count(*) FROM watch WHERE account_rowid = ? AND webhook IS NOT NULL",
        [.integer(watch.account)])
      guard hooks ?? 0 < Self.maxWebhooks else {
        throw Refusal(
          .conflict, "error.watch.too_many_webhooks", ["maximum": "\(Self.maxWebhooks)"],
          type: "too-many-webhooks")
      }
    }
    let feed = settings.hasFeed ? watch.keys.feed ?? environment.randomBytes(16) : nil
    let hook =
      settings.webhook == nil
      ? nil : isNewHook ? environment.randomBytes(16) : watch.keys.webhook
    try connection.execute(
      """
      UPDATE watch SET label = ?, area = ?, filter = ?, events = ?, properties = ?, mail = ?,
        hour = ?, weekday = ?, time_zone = ?, paused = ?, feed_key = ?, webhook = ?,
        webhook_key = ?, renewed_at = ?, reminded_at = NULL, version = ?
      WHERE rowid = ?
      """,
      [
        .text(settings.label), .text(settings.area.json.text),
        .text(JSONValue.object(settings.filter).text),
        .text(JSONText.strings(settings.events.map(\.rawValue))),
        .text(JSONText.strings(settings.properties)), .text(settings.mail.rawValue),
        SQLValue(settings.hour), SQLValue(settings.weekday), .text(settings.timeZone),
        SQLValue(settings.isPaused), SQLValue(feed), SQLValue(settings.webhook), SQLValue(hook),
        .text(now), .integer(try nextVersion(connection)), .integer(watch.rowid),
      ])
    let off = settings.off
    if off != watch.settings.off {
      try ErasureList.note(
        .watchParts, [watch.id], value: off.joined(separator: " "), at: environment.now(),
        connection)
    }
    let selectsAnew =
      settings.area != watch.settings.area || settings.filter != watch.settings.filter
      || watch.settings.isPaused != settings.isPaused
    if selectsAnew { try beginAnew(watch.rowid, connection) }
    if settings.mail != watch.settings.mail { try skipMails(watch.rowid, connection) }
    if isNewHook {
      try restartCalls(watch.rowid, connection)
      try forgetProof(watch.rowid, connection)
    }
    if isChallenged(by: settings, over: watch) {
      try connection.execute(
        "UPDATE watch SET call_due_at = ? WHERE rowid = ?", [.text(now), .integer(watch.rowid)])
    }
    if settings.mail != .atOnce { try scheduleDigest(settings, of: watch.rowid, connection) }
  }

  /// Schedules the next digest of a watch. The changes themselves schedule the mails that are sent at once.
  func scheduleDigest(
    _ settings: WatchSettings, of row: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE watch SET mail_due_at = ? WHERE rowid = ?",
      [SQLValue(nextDigest(settings)?.text), .integer(row)])
  }

  /// The time of the next digest; nil for a watch without digests.
  func nextDigest(_ settings: WatchSettings) -> Timestamp? {
    settings.isPaused ? nil : MailTime(settings).nextDigest(after: environment.now())
  }

  private func beginAnew(_ row: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      """
      UPDATE watch SET since = (SELECT coalesce(max(sequence), 0) FROM change), failed_at = NULL
      WHERE rowid = ?
      """,
      [.integer(row)])
    try skipMails(row, connection)
    try restartCalls(row, connection)
  }

  /// Marks all changes so far as mailed.
  private func skipMails(_ row: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE watch SET mail_due_at = NULL, mailed_through = (\(ChangeLog.last)) WHERE rowid = ?",
      [.integer(row)])
  }

  /// Marks all changes so far as sent to the webhook, and forgets its failures.
  func restartCalls(_ row: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      """
      UPDATE watch SET call_due_at = NULL, calls_failed = 0, failing_since = NULL, test_id = NULL,
        webhook_ended_at = NULL, called_through = (\(ChangeLog.last))
      WHERE rowid = ?
      """, [.integer(row)])
  }

  /// Sets a watch aside: it reports nothing until its selection is changed.
  ///
  /// - Returns: false if it was set aside before, or does not exist.
  func setAside(_ row: Int64, _ connection: borrowing Connection) throws -> Bool {
    let version = try nextVersion(connection)
    try connection.execute(
      """
      UPDATE watch SET failed_at = ?, mail_due_at = NULL, call_due_at = NULL, version = ?
      WHERE rowid = ? AND failed_at IS NULL
      """, [.text(now), .integer(version), .integer(row)])
    return connection.changedRowCount == 1
  }

  /// Postpones a watch whose filter takes long: its pending mail and calls are due again after `seconds`.
  func putOff(_ row: Int64, by seconds: Int64, _ connection: borrowing Connection) throws {
    let next = environment.now().later(seconds)
    try connection.execute(
      """
      UPDATE watch SET mail_due_at = CASE WHEN mail_due_at IS NULL THEN NULL ELSE ?1 END,
        call_due_at = CASE WHEN webhook IS NULL THEN NULL ELSE ?1 END
      WHERE rowid = ?2
      """, [.text(next.text), .integer(row)])
  }

  private func forgetProof(_ row: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE watch SET webhook_proven_at = NULL WHERE rowid = ?", [.integer(row)])
  }

  /// Whether a change of the settings makes a challenge of the webhook at once (``WebhookChallenge``).
  func isChallenged(by settings: WatchSettings, over watch: StoredWatch?) -> Bool {
    guard let url = settings.webhook, !settings.isPaused else { return false }
    return url != watch?.settings.webhook || watch?.webhookProvenAt == nil
  }

  /// Ends the mails of the watch with this key.
  ///
  /// - Returns: false if there is no such watch.
  func endMails(_ key: [UInt8], _ connection: borrowing Connection) throws -> Bool {
    let found = try connection.first(
      "SELECT \(Self.columns) FROM watch WHERE mail_key = ?", [.blob(key)], decode: Self.watch)
    guard var watch = found ?? nil else { return false }
    watch.settings.mail = .none
    try connection.execute(
      "UPDATE watch SET mail = 'none', mail_due_at = NULL, version = ? WHERE rowid = ?",
      [.integer(try nextVersion(connection)), .integer(watch.rowid)])
    try ErasureList.note(
      .watchParts, [watch.id], value: watch.settings.off.joined(separator: " "),
      at: environment.now(), connection)
    return true
  }

  /// Erases a watch with everything that it found.
  ///
  /// - Throws: ``NotFound`` if the account has no such watch.
  func delete(_ id: String?, of account: Int64, _ connection: borrowing Connection) throws {
    let watch = try one(id, of: account, connection)
    try connection.execute("DELETE FROM watch WHERE rowid = ?", [.integer(watch.rowid)])
    try ErasureList.note(.watch, [watch.id], at: environment.now(), connection)
    _ = try nextVersion(connection)
  }

  /// Counts a change of watches, so that the matcher reads them again. While no watch runs, changes need no
  /// matching, so the first one begins at the end of the change sequence.
  @discardableResult
  func nextVersion(_ connection: borrowing Connection) throws -> Int64 {
    try connection.execute("UPDATE watch_progress SET version = version + 1")
    if try connection.integer("SELECT 1 FROM watch WHERE paused = 0 AND failed_at IS NULL LIMIT 1")
      == nil
    {
      try connection.execute(
        """
        UPDATE watch_progress SET sequence = (SELECT coalesce(max(sequence), 0) FROM change),
          note = coalesce((SELECT max(number) FROM watch_note), note)
        """)
      try connection.execute("DELETE FROM watch_note")
    }
    return try connection.integer("SELECT version FROM watch_progress") ?? 0
  }

  /// The sent news, latest first.
  func sent(_ watch: Int64, limit: Int, _ connection: borrowing Connection) throws -> [SentNews] {
    try connection.rows(
      """
      SELECT channel, matches, outcome, sent_at FROM watch_sent WHERE watch_rowid = ?
      ORDER BY rowid DESC LIMIT ?
      """, [.integer(watch), SQLValue(limit)]
    ) {
      SentNews(channel: $0.text(0), matches: $0.int(1), outcome: $0.text(2), sentAt: $0.text(3))
    }
  }

  func noteSent(
    _ channel: String, of watch: Int64, matches: Int, outcome: String,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "INSERT INTO watch_sent (watch_rowid, channel, matches, outcome, sent_at) VALUES (?, ?, ?, ?, ?)",
      [.integer(watch), .text(channel), SQLValue(matches), .text(outcome), .text(now)])
  }

  /// Adds a test call of the webhook of a watch. After a day without an answer its server has to meet the challenge
  /// again, because the name may belong to another operator by now.
  func addTest(_ watch: StoredWatch, _ connection: borrowing Connection) throws {
    if watch.webhookEndedAt != nil { try forgetProof(watch.rowid, connection) }
    let watch = watch.rowid
    try restartCalls(watch, connection)
    try connection.execute(
      "UPDATE watch SET test_id = ?, call_due_at = ? WHERE rowid = ?",
      [.text(environment.newDeviceID().text), .text(now), .integer(watch)])
  }

  /// Forgets refusals and failures, so that mail is tried again.
  func forgetRefusal(_ account: Int64, _ connection: borrowing Connection) throws {
    try MailRefusals().forget(account, connection)
  }
}

/// A mail or a call of a webhook that was sent.
struct SentNews: Sendable {
  let channel: String
  let matches: Int64
  let outcome: String
  let sentAt: String
}
