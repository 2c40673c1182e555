/// What the caller of a read knows about its queries. Each engine makes of it what saves time: SQLite saves statements,
/// PostgreSQL round trips. Results are the same without it.
package struct ReadPlan: Sendable {
  /// Whether each query finds its rows by a key or an index, and is interrupted early.
  var isQuick = false
  /// Whether the read usually makes one query.
  var isOneQuery = false
}
