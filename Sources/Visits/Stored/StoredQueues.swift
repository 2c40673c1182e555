import PrivacyMap
import SpatialDatabase

/// The queues of volunteers in the database, for one request.
struct StoredQueues: VisitQueues {
  let connection: Connection
  let visit: StoredVisit
  /// The account that added the device, which knows it and is not asked.
  let author: Int64?
  let now: Timestamp

  /// The maximum number of volunteers of a zone in one search.
  private static let maxInZone = 500

  static let zonesQuery = "SELECT DISTINCT cell FROM visit_volunteer WHERE cell_row BETWEEN ? AND ?"

  func zones(near cell: VisitCell) throws -> [VisitCell] {
    let rows = cell.rows(within: VisitRules.farthest)
    return try connection.rows(
      Self.zonesQuery, [SQLValue(rows.lowerBound), SQLValue(rows.upperBound)]
    ) { VisitCell(text: $0.text(0)) }.compactMap { $0 }
  }

  /// Binds the asker, the author, the request, a day ago, now, the zone, a limit, and whether Farol itself asks.
  static let queueQuery = query("cell")
  /// The same query by account number instead of cell.
  static let oneQuery = query("visit_volunteer.account_rowid")

  private static func query(_ key: String) -> String {
    """
    SELECT visit_volunteer.account_rowid, radius, kinds, free_from, free_until,
      offers_per_day - (SELECT count(*) FROM visit_offer
        WHERE visit_offer.account_rowid = visit_volunteer.account_rowid AND offered_at > ?4),
      EXISTS (SELECT 1 FROM visit_offer
        WHERE visit_offer.account_rowid = visit_volunteer.account_rowid AND state = 'pending'),
      EXISTS (SELECT 1 FROM visit_request WHERE visitor_rowid = visit_volunteer.account_rowid
        AND closed_at IS NULL AND state = 'accepted'),
      (SELECT count(*) FROM visit_request WHERE visitor_rowid = visit_volunteer.account_rowid
        AND closed_at IS NULL),
      EXISTS (SELECT 1 FROM visit_offer WHERE request_rowid = ?3
        AND visit_offer.account_rowid = visit_volunteer.account_rowid), cell
    FROM visit_volunteer JOIN account ON account.rowid = visit_volunteer.account_rowid
    WHERE \(key) = ?6 AND paused = 0 AND visit_volunteer.account_rowid NOT IN (?1, ?2)
      AND account.confirmed_at IS NOT NULL AND (?8 = 0 OR found = 1)
      AND (account.suspended_at IS NULL OR account.suspended_until <= ?5)
    ORDER BY turn LIMIT ?7
    """
  }

  func queue(of zone: VisitCell) throws -> [VisitCandidate] {
    try candidates(Self.queueQuery, .text(zone.text), in: { _ in zone })
  }

  /// Whether a volunteer found by a search may still get the offer, checked in the transaction that makes the offer.
  func mayAsk(_ account: Int64, about call: VisitCall) throws -> Bool {
    let found = try candidates(Self.oneQuery, .integer(account), in: { VisitCell(text: $0) })
    return found.contains { $0.isWilling(call) && $0.isAvailable(at: now) }
  }

  private func candidates(
    _ query: String, _ key: SQLValue, in zone: (String) -> VisitCell?
  ) throws -> [VisitCandidate] {
    try connection.rows(
      query,
      [
        // No account has the number 0.
        .integer(visit.asker ?? 0), .integer(author ?? 0), .integer(visit.rowid),
        .text(now.later(-Seconds.day).text), .text(now.text), key, SQLValue(Self.maxInZone),
        SQLValue(visit.reason.need != nil),
      ]
    ) { row in
      guard let zone = zone(row.text(10)) else { return nil }
      return VisitCandidate(
        account: row.int(0), zone: zone, radius: Int(row.int(1)),
        kinds: VolunteerStore.codes(row.text(2)),
        freeFrom: row.optionalText(3).flatMap { Timestamp(text: $0) },
        freeUntil: row.optionalText(4).flatMap { Timestamp(text: $0) },
        offersLeft: Int(row.int(5)),
        isBusy: row.bool(6) || row.bool(7) || row.int(8) >= Int64(VisitRules.maxVisits),
        isExcluded: row.bool(9))
    }.compactMap { $0 }
  }
}
