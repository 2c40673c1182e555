import Devices
import JSON
import PrivacyMap
import Reading
import SafeFetch
import SpatialDatabase

/// Reads the watches for the index, and schedules their mails.
struct MatchStore: Sendable {
  let environment: Environment
  let filter: WatchFilter

  /// The shortest time between two mails of a watch, in seconds.
  static let pause: Int64 = 300

  /// Updates an index to the current watches; `version` is the version of its content.
  func refresh(
    _ index: inout WatchIndex, after version: Int64, _ connection: borrowing Connection
  ) throws {
    var filters: [String: LiveFilter] = [:]
    try connection.forEach(
      """
      SELECT rowid, since, area, events, properties, filter, paused <> 0 OR failed_at IS NOT NULL,
        mail = 'at_once', webhook, mail_due_at IS NOT NULL
      FROM watch WHERE version > ?
      """, [.integer(version)]
    ) { row in
      let rowid = row.int(0)
      guard !row.bool(6), let stored = WatchArea(stored: Self.json(row, 2)) else {
        return index.remove(rowid)
      }
      let (area, regions) = filter.bordered(stored)
      let events = Set(Self.texts(row, 3).compactMap(WatchEvent.init))
      let keys = ChangeKey.keys(of: area, events)
      let host = row.optionalText(8).flatMap(WebhookAddress.init)?.host
      guard row.bool(7) || host != nil else { return index.put(rowid, keys: keys, nil) }
      let text = row.text(5)
      let known = filters[text] ?? live(Self.json(row, 5))
      // A filter that is unknown to this Farol version matches nothing.
      guard let known else { return index.remove(rowid) }
      filters[text] = known
      index.put(
        rowid, keys: keys,
        WatchIndex.Entry(
          rowid: rowid, since: row.int(1),
          watch: Matching.Watch(
            area: area, regions: regions, events: events, properties: Set(Self.texts(row, 4)),
            number: index.number(of: text), filter: known),
          mailsAtOnce: row.bool(7), host: host))
      if row.bool(9) { index.mailing.insert(rowid) }
    }
    let count =
      try connection.integer("SELECT count(*) FROM watch WHERE paused = 0 AND failed_at IS NULL")
      ?? 0
    guard count != Int64(index.count) else { return }
    let present = Set(try connection.rows("SELECT rowid FROM watch") { $0.int(0) })
    for rowid in Array(index.rows) where !present.contains(rowid) { index.remove(rowid) }
  }

  private func live(_ stored: JSONValue) -> LiveFilter? {
    guard let filter = try? filter.filter(stored.objectValue ?? JSONObject()) else { return nil }
    return LiveFilter(filter, vocabulary: self.filter.parameters.vocabulary)
  }

  private static func json(_ row: borrowing Row, _ column: Int) -> JSONValue {
    (try? JSONValue(parsing: Array(row.text(column).utf8))) ?? .null
  }

  private static func texts(_ row: borrowing Row, _ column: Int) -> [String] {
    json(row, column).arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// Schedules the mail of a watch that reports a change now, unless it is scheduled.
  func scheduleMail(of rowid: Int64, _ connection: borrowing Connection) throws {
    let now = environment.now()
    let last = try connection.text(
      "SELECT mailed_at FROM watch WHERE rowid = ?", [.integer(rowid)]
    ).flatMap { Timestamp(text: $0) }
    let due = MailTime.atOnce(after: now, last: last, pause: Self.pause)
    // The watch may have been stopped since the index was read.
    try connection.execute(
      """
      UPDATE watch SET mail_due_at = ?
      WHERE rowid = ? AND paused = 0 AND failed_at IS NULL AND mail = 'at_once'
        AND mail_due_at IS NULL
      """, [.text(due.text), .integer(rowid)])
  }
}
