package import Service
import SpatialDatabase

extension Research {
  package static let exports = [researchAccess]

  /// Requests of the person for research access, with the decisions.
  private static let researchAccess = ExportSection(
    name: "research_access",
    sql: """
      SELECT rowid, id, project, purpose, wanted_until, state, until, reason, asked_at, decided_at
      FROM research_access WHERE account_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("project", .text), ("purpose", .text), ("wanted_until", .text),
      ("state", .text), ("until", .text), ("reason", .text), ("asked_at", .text),
      ("decided_at", .text),
    ])
}
