/// Pending items that have a separate moderation page. The moderation queue shows how many there are.
package struct PendingCount: Sendable {
  /// Selects the kind, the number of pending items and the time of the oldest;
  /// returns no row for zero items.
  package let sql: String

  /// `kind` is the name of the count in the queue. `rows` are the table and the condition of pending items, such as
  /// `proposal WHERE state = 'open'`; `time` is the column with the time at which an item became pending.
  package init(_ kind: String, rows: String, since time: String) {
    sql = "SELECT '\(kind)', count(*), min(\(time)) FROM \(rows) HAVING count(*) > 0"
  }
}
