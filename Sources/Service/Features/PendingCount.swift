/// What waits for a moderator on a page of its own. The queue of moderation counts it.
package struct PendingCount: Sendable {
  /// Its name in the counts of the queue.
  package let kind: String
  /// Selects the kind, the number that waits and the time of the oldest; no row if none waits.
  package let sql: String

  /// `rows` are the table and the condition of those that wait, such as `proposal WHERE state = 'open'`; `time` is the
  /// column with the time since which one waits.
  package init(_ kind: String, rows: String, since time: String) {
    self.kind = kind
    sql = "SELECT '\(kind)', count(*), min(\(time)) FROM \(rows) HAVING count(*) > 0"
  }
}
