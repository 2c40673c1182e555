package import Service
import SpatialDatabase

extension VerificationRoutes {
  package static let exports = [verdicts]

  private static let verdicts = ExportSection(
    name: "verdicts",
    sql: """
      SELECT verdict.rowid, device.id, claim, verdict, basis, note, made_at
      FROM verdict JOIN device ON device.rowid = verdict.device_rowid
      WHERE verdict.account_rowid = ? AND verdict.rowid > ? ORDER BY verdict.rowid LIMIT ?
      """, start: [0],
    members: [
      ("device", .text), ("claim", .text), ("verdict", .text), ("basis", .text), ("note", .text),
      ("made_at", .text),
    ])
}
