package import Service
import SpatialDatabase

extension DeviceRecords {
  package static let exports = [devices, revisions]

  private static let devices = ExportSection(
    name: "devices",
    sql: """
      SELECT device.rowid, device.id, device.name, device.category, device.created_at,
        device.precision, device.hidden <> 0, device_location.longitude, device_location.latitude
      FROM device JOIN device_location ON device_location.device_rowid = device.rowid
      WHERE device.account_rowid = ? AND device.rowid > ? ORDER BY device.rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("name", .text), ("category", .text), ("created_at", .text),
      ("precision", .text), ("hidden", .flag), ("longitude", .degrees), ("latitude", .degrees),
    ], holdsPositions: true)

  private static let revisions = ExportSection(
    name: "revisions",
    sql: """
      SELECT revision.made_at, revision.device_rowid, revision.number,
        device.id, revision.number, revision.kind, revision.made_at, revision.comment,
        (SELECT json_group_array(key) FROM json_each(revision.before))
      FROM revision JOIN device ON device.rowid = revision.device_rowid
      WHERE revision.account_rowid = ?
        AND (revision.made_at, revision.device_rowid, revision.number) > (?, ?, ?)
      ORDER BY revision.made_at, revision.device_rowid, revision.number LIMIT ?
      """, start: ["", 0, 0],
    members: [
      ("device", .text), ("revision", .number), ("kind", .text), ("made_at", .text),
      ("comment", .text), ("changed", .json),
    ])
}

extension VerificationStore {
  /// The verdicts of a person.
  package static let export = ExportSection(
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
