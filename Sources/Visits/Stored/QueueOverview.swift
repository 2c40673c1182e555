import PrivacyMap
import SpatialDatabase

/// The queues of all zones, for moderators, and the figures of the statistics.
struct QueueOverview: Sendable {
  /// The open requests near volunteers, or in rows of cells without any.
  struct Zone: Sendable {
    let cell: VisitCell
    var requests = 0
    var maxWait: Int64 = 0
    var volunteers = 0
  }

  let now: Timestamp

  /// Zones in the answer.
  private static let maxZones = 100
  /// Requests that are counted.
  private static let maxRequests = 5_000

  static let visitsQuery = """
    SELECT \(StoredVisit.columns) FROM visit_request
    WHERE state = ? AND rowid < ? ORDER BY rowid DESC LIMIT ?
    """
  static let allQuery = """
    SELECT \(StoredVisit.columns) FROM visit_request WHERE rowid < ? ORDER BY rowid DESC LIMIT ?
    """

  /// Requests in a state, or all, latest first and before a row.
  func visits(
    in state: VisitState?, before last: Int64, limit: Int, _ connection: borrowing Connection
  ) throws -> [StoredVisit] {
    guard let state else {
      return try connection.rows(
        Self.allQuery, [.integer(last), SQLValue(limit)], decode: StoredVisit.init)
    }
    return try connection.rows(
      Self.visitsQuery, [.text(state.rawValue), .integer(last), SQLValue(limit)],
      decode: StoredVisit.init)
  }

  func counts(_ connection: borrowing Connection) throws -> [VisitState: Int64] {
    var counts = Dictionary(uniqueKeysWithValues: VisitState.allCases.map { ($0, Int64(0)) })
    try connection.forEach("SELECT state, count(*) FROM visit_request GROUP BY state") {
      if let state = VisitState(rawValue: $0.text(0)) { counts[state] = $0.int(1) }
    }
    return counts
  }

  /// The zones with waiting requests, the longest wait first. A request counts in the cell of its device.
  func zones(_ connection: borrowing Connection) throws -> [Zone] {
    var zones: [VisitCell: Zone] = [:]
    try connection.forEach(
      """
      SELECT device.longitude, device.latitude, visit_request.asked_at
      FROM visit_request JOIN device ON device.rowid = visit_request.device_rowid
      WHERE visit_request.closed_at IS NULL AND visit_request.due_at > '' LIMIT ?
      """, [SQLValue(Self.maxRequests)]
    ) { row in
      let cell = VisitCell(.clamped(longitude: row.double(0), latitude: row.double(1)))
      let asked = Timestamp(text: row.text(2)) ?? now
      var zone = zones[cell] ?? Zone(cell: cell)
      zone.requests += 1
      zone.maxWait = max(
        zone.maxWait, now.secondsSinceEpoch - asked.secondsSinceEpoch)
      zones[cell] = zone
    }
    try connection.forEach(
      "SELECT cell, count(*) FROM visit_volunteer WHERE paused = 0 GROUP BY cell"
    ) { row in
      if let cell = VisitCell(text: row.text(0)) { zones[cell]?.volunteers = Int(row.int(1)) }
    }
    return Array(
      zones.values.sorted { ($0.maxWait, $0.cell.text) > ($1.maxWait, $1.cell.text) }
        .prefix(Self.maxZones))
  }
}
