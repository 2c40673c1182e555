import PrivacyMap
import SpatialDatabase

/// Erases the participants of a day some time after it, and plans that never became public. Runs every hour.
struct DaySweep: Sendable {
  /// The kind of job.
  static let job = "mapping_day_sweep"
  static let every = Duration.seconds(3_600)
  /// The days after which no record names the participants.
  static let memory: Int64 = 30
  /// The days without a change after which a plan that is not public is deleted.
  static let life: Int64 = 180
  /// Rows in a transaction, so that other writes do not wait long.
  private static let portion = 200

  let days: DayStore
  let database: Database

  func run() throws {
    while try database.write(forgetParticipants) == Self.portion {}
    while try database.write(deletePlans) == Self.portion {}
  }

  private func ago(_ days: Int64) -> SQLValue {
    let now = self.days.environment.now().secondsSinceEpoch
    return .text(Timestamp(secondsSinceEpoch: now - Seconds.days(days)).text)
  }

  private func forgetParticipants(_ connection: borrowing Connection) throws -> Int {
    let rows = try connection.rows(
      Self.oldParticipants + " LIMIT ?", [ago(Self.memory), SQLValue(Self.portion)]
    ) { $0.int(0) }
    for row in rows {
      try connection.execute(
        "DELETE FROM mapping_day_participant WHERE rowid = ?", [.integer(row)])
    }
    return rows.count
  }

  private func deletePlans(_ connection: borrowing Connection) throws -> Int {
    let rows = try connection.rows(
      Self.oldPlans + " LIMIT ?", [ago(Self.life), SQLValue(Self.portion)]
    ) { $0.int(0) }
    for row in rows {
      if let day = try days.one(row: row, connection) { try days.delete(day, connection) }
    }
    return rows.count
  }

  /// Participants of days that are past. A mail to them is queued within seconds of the end.
  static let oldParticipants = """
    SELECT mapping_day_participant.rowid FROM mapping_day
      JOIN mapping_day_participant ON mapping_day_participant.day_rowid = mapping_day.rowid
    WHERE mapping_day.state IN ('over', 'cancelled') AND mapping_day.ends_at <= ?
    """
  static let oldPlans = """
    SELECT rowid FROM mapping_day WHERE state IN ('draft', 'rejected') AND changed_at <= ?
    """
}
