import Devices
package import Service
import SpatialDatabase

extension ModerationFeature {
  package static let exports = [ReviewStore.export, flagsMade, flagsReceived, decisions, acts]

  private static let flagsMade = ExportSection(
    name: "flags_made",
    sql: """
      SELECT rowid, id, target_type, target_id, reason, note, created_at, outcome, closed_at
      FROM flag WHERE account_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("target_type", .text), ("target_id", .text), ("reason", .text),
      ("note", .text), ("created_at", .text), ("outcome", .text), ("closed_at", .text),
    ])

  /// Only after the decision, with the day of the flag only, and without the note. An open flag would show its reason
  /// to the person while the moderator decides, and the time or the words could identify who flagged.
  private static let flagsReceived = ExportSection(
    name: "flags_received",
    sql: """
      SELECT rowid, target_type, target_id, reason, substr(created_at, 1, 10), outcome, closed_at
      FROM flag WHERE about_rowid = ? AND outcome IS NOT NULL AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("target_type", .text), ("target_id", .text), ("reason", .text), ("flagged_on", .text),
      ("outcome", .text), ("closed_at", .text),
    ])

  /// Decisions of moderators about the person and their contributions. The reason of a deletion is a note for
  /// moderators.
  private static let decisions = ExportSection(
    name: "decisions",
    sql: """
      SELECT rowid, action, target_type, target_id,
        CASE action WHEN 'delete' THEN NULL ELSE reason END, made_at, undone_at
      FROM moderation_action
      WHERE (target_type = 'account' AND target_id = ?
        OR target_type = 'device' AND target_id IN (SELECT id FROM device WHERE account_rowid = ?)
        OR target_type = 'photo' AND target_id IN (SELECT id FROM photo WHERE account_rowid = ?))
        AND rowid > ?
      ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("action", .text), ("target_type", .text), ("target_id", .text), ("reason", .text),
      ("made_at", .text), ("undone_at", .text),
    ], whose: { [.text($0.id), .integer($0.account), .integer($0.account)] })

  /// Actions of the person as a moderator.
  private static let acts = ExportSection(
    name: "acts",
    sql: """
      SELECT rowid, action, target_type, target_id, reason, made_at, undone_at
      FROM moderation_action WHERE account_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("action", .text), ("target_type", .text), ("target_id", .text), ("reason", .text),
      ("made_at", .text), ("undone_at", .text),
    ])
}
