package import PrivacyMap
package import SpatialDatabase

/// Counts of choices for the monitoring of an instance.
package enum ChoiceFigures {
  static let overdueQuery = """
    SELECT count(*) FROM choice
    WHERE \(LedgerState.runningCondition) AND last_day < ?
    """

  /// The number of choices whose time limit for an answer has passed.
  package static func overdue(on day: Day, _ connection: borrowing Connection) throws -> Int64 {
    try connection.integer(overdueQuery, [.text(day.text)]) ?? 0
  }
}
