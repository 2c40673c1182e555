import PrivacyMap
package import Service
package import SpatialDatabase

extension Visits {
  package static let exports = [volunteer, asked, visited, offers]

  private static let volunteer = ExportSection(
    name: "volunteer",
    sql: """
      SELECT account_rowid, cell, radius, kinds, offers_per_day, until, weekly, time_zone, mail,
        found, paused, renewed_at
      FROM visit_volunteer WHERE account_rowid = ? AND account_rowid > ?
      ORDER BY account_rowid LIMIT ?
      """, start: [0],
    members: [
      ("cell", .text), ("radius_km", .number), ("kinds", .json), ("offers_per_day", .number),
      ("until", .text), ("weekly", .json), ("time_zone", .text), ("mail", .flag),
      ("found", .flag), ("paused", .flag), ("renewed_at", .text),
    ])

  /// Without members that reveal when a volunteer goes there.
  private static let asked = ExportSection(
    name: "visits_asked",
    sql: """
      SELECT rowid, id, device_id, reason, asked_at,
        CASE WHEN state IN ('offered', 'accepted', 'planned') THEN 'waiting' ELSE state END,
        outcome, closed_at, closed_because
      FROM visit_request WHERE asker_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("device", .text), ("reason", .text), ("asked_at", .text),
      ("state", .text), ("outcome", .text), ("closed_at", .text), ("closed_because", .text),
    ])

  private static let visited = ExportSection(
    name: "visits_made",
    sql: """
      SELECT rowid, id, device_id, reason, state, planned_for, outcome, closed_at, closed_because
      FROM visit_request WHERE visitor_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("device", .text), ("reason", .text), ("state", .text),
      ("planned_for", .text), ("outcome", .text), ("closed_at", .text),
      ("closed_because", .text),
    ])

  private static let offers = ExportSection(
    name: "visit_offers",
    sql: """
      SELECT visit_offer.rowid, visit_request.id, visit_offer.state, offered_at, ends_at, answered_at
      FROM visit_offer JOIN visit_request ON visit_request.rowid = visit_offer.request_rowid
      WHERE visit_offer.account_rowid = ? AND visit_offer.rowid > ?
      ORDER BY visit_offer.rowid LIMIT ?
      """, start: [0],
    members: [
      ("visit", .text), ("state", .text), ("offered_at", .text), ("ends_at", .text),
      ("answered_at", .text),
    ])

  package static let retention = [
    RetentionRule(
      code: "volunteer", entry: "visits", what: "areas and hours of volunteers who do not use them",
      why: "to ask the nearest volunteer", period: .days(VisitSweep.life / Seconds.day),
      job: VisitSweep.job, due: "SELECT count(*) FROM visit_volunteer WHERE renewed_at <= ?",
      limit: .ago(VisitSweep.life)),
    RetentionRule(
      code: "visit_people", entry: "visits",
      what: "who asked for a visit, who was asked and who went there",
      why: "so that both sides can flag each other, and nobody is asked twice",
      period: .days(VisitSweep.memory / Seconds.day), job: VisitSweep.job,
      due: """
        SELECT count(*) FROM visit_request WHERE closed_at <= ?
          AND (asker_rowid IS NOT NULL OR visitor_rowid IS NOT NULL)
        """, limit: .ago(VisitSweep.memory)),
    RetentionRule(
      code: "visit_offer", entry: "visits", what: "offers of visits to volunteers",
      why: "so that nobody is asked twice", period: .days(VisitSweep.memory / Seconds.day),
      job: VisitSweep.job,
      due: """
        SELECT count(*) FROM visit_offer
        JOIN visit_request ON visit_request.rowid = visit_offer.request_rowid
        WHERE visit_request.closed_at <= ?
        """, limit: .ago(VisitSweep.memory)),
  ]

  package static let restores = RestoreRule.of(
    "visits",
    [
      "visit_volunteer": .repeats([.volunteer, .volunteerParts]),
      "visit_request": .remains(
        "a request that ended since the backup waits again; its people can end it again"),
      "visit_offer": .follows("visit_request"),
    ])

  package static let portions = [
    """
    DELETE FROM visit_offer WHERE rowid IN (
      SELECT rowid FROM visit_offer WHERE account_rowid = ? AND state <> 'pending' LIMIT 50)
    """,
    """
    UPDATE visit_request SET asker_rowid = NULL WHERE rowid IN (
      SELECT rowid FROM visit_request WHERE asker_rowid = ? LIMIT 50)
    """,
    """
    UPDATE visit_request SET visitor_rowid = NULL WHERE rowid IN (
      SELECT rowid FROM visit_request WHERE visitor_rowid = ? AND closed_at IS NOT NULL LIMIT 50)
    """,
  ]

  /// The offer of a volunteer who leaves goes to the next one, and accepted visits return to the queue. The person's
  /// own requests stay without a name.
  package static func erase(
    _ account: ErasedAccount, _ connection: borrowing Connection
  ) throws {
    let workflow = VisitWorkflow(environment: Environment(now: { account.now }), mails: nil)
    try workflow.leave(account.rowid, connection)
    try workflow.volunteers.delete(account.rowid, connection)
  }

  package func eraseAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool? {
    if entry.kind == .volunteerParts {
      return try workflow.volunteers.endPartsAgain(entry, connection)
    }
    guard entry.kind == .volunteer else { return nil }
    let account = try connection.integer(
      "SELECT account_rowid FROM visit_volunteer WHERE id = ?", [.text(entry.id)])
    guard let account else { return false }
    try workflow.leave(account, connection)
    try workflow.volunteers.delete(account, connection)
    return true
  }
}
