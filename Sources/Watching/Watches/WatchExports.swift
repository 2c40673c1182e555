package import Service
package import SpatialDatabase

extension Watches {
  package static let exports = [watches, deliveries, MailExports.refusal, MailExports.failure]

  /// Without the secrets: their holder could read and end the watch.
  private static let watches = ExportSection(
    name: "watches",
    sql: """
      SELECT rowid, id, label, area, filter, events, properties, mail, hour, weekday, time_zone,
        paused, webhook, created_at, renewed_at, webhook_proven_at, webhook_ended_at, failed_at
      FROM watch WHERE account_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("label", .text), ("area", .json), ("filter", .json), ("events", .json),
      ("properties", .json), ("mail", .text), ("hour", .number), ("weekday", .number),
      ("time_zone", .text), ("paused", .flag), ("webhook", .text), ("created_at", .text),
      ("renewed_at", .text), ("webhook_proven_at", .text), ("webhook_ended_at", .text),
      ("failed_at", .text),
    ])

  private static let deliveries = ExportSection(
    name: "watch_deliveries",
    sql: """
      SELECT watch_sent.rowid, watch.id, channel, matches, outcome, sent_at
      FROM watch_sent JOIN watch ON watch.rowid = watch_sent.watch_rowid
      WHERE watch.account_rowid = ? AND watch_sent.rowid > ? ORDER BY watch_sent.rowid LIMIT ?
      """, start: [0],
    members: [
      ("watch", .text), ("channel", .text), ("changes", .number), ("outcome", .text),
      ("sent_at", .text),
    ])

  package static let portions = [
    """
    DELETE FROM watch_sent WHERE rowid IN (
      SELECT watch_sent.rowid FROM watch_sent JOIN watch ON watch.rowid = watch_sent.watch_rowid
      WHERE watch.account_rowid = ? LIMIT 50)
    """
  ]

  package static func erase(
    _ account: ErasedAccount, _ connection: borrowing Connection
  ) throws {
    // The index of watches is read again.
    try connection.execute(
      """
      UPDATE watch_progress SET version = version + 1
      WHERE EXISTS (SELECT 1 FROM watch WHERE account_rowid = ?)
      """, [.integer(account.rowid)])
    try connection.execute("DELETE FROM watch WHERE account_rowid = ?", [.integer(account.rowid)])
    try MailRefusals().forget(account.rowid, connection)
  }
}
