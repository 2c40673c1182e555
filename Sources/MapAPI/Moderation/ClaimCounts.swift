import SpatialDatabase

/// Whether verdicts count, and what of their devices follows from it.
struct ClaimCounts: Sendable {
  let store: ClaimStore

  /// Lets a verdict count from now on.
  func count(_ verdict: Int64, _ connection: borrowing Connection) throws {
    try set(1, verdict, connection)
  }

  /// Lets a verdict count no more.
  func uncount(_ verdict: Int64, _ connection: borrowing Connection) throws {
    try set(0, verdict, connection)
  }

  private func set(
    _ counts: SQLValue, _ verdict: Int64, _ connection: borrowing Connection
  ) throws {
    let device = try connection.integer(
      "SELECT device_rowid FROM verdict WHERE rowid = ?", [.integer(verdict)])
    guard let device else { return }
    try connection.execute(
      "UPDATE verdict SET counts = ? WHERE rowid = ?", [counts, .integer(verdict)])
    try settle(device, connection)
  }

  /// Makes a device follow from the verdicts on it.
  func settle(_ device: Int64, _ connection: borrowing Connection) throws {
    try store.settle(device, connection)
  }
}
