package import Service
import SpatialDatabase

extension Outcomes {
  package static let exports = [outcomeShares]

  /// Published figures to which the person contributed.
  private static let outcomeShares = ExportSection(
    name: "outcome_shares",
    sql: """
      SELECT outcome.rowid, outcome.kind, outcome.name, outcome_member.standing,
        outcome_member.days, outcome.as_of
      FROM outcome_member JOIN outcome ON outcome.rowid = outcome_member.outcome_rowid
      WHERE outcome_member.person = ? AND outcome.rowid > ? ORDER BY outcome.rowid LIMIT ?
      """, start: [0],
    members: [
      ("kind", .text), ("name", .text), ("standing", .text), ("days", .number), ("as_of", .text),
    ])
}
