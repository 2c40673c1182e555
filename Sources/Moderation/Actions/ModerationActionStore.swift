import Devices
import JSON
import PrivacyMap
package import Service
package import SpatialDatabase

/// The kinds of moderation actions.
package enum ModerationAction: String, CaseIterable, Sendable {
  case hide, restore, revert, redact, merge, warn, suspend, unsuspend, dismiss, accept
  /// Admins only, through its own endpoint.
  case delete

  /// The actions that `POST /api/moderation/actions` accepts.
  static let requested = allCases.filter { $0 != .delete }
}

/// One row of `moderation_action`.
package struct ModerationActionRecord: Sendable {
  let rowid: Int64
  package let id: String
  let action: ModerationAction
  let target: Target
  /// The role of the actor.
  let role: Role
  /// The reason given by the actor.
  let reason: String
  /// The data needed to undo the action.
  let undo: JSONValue
  let isUndone: Bool
}

/// The `moderation_action` table: moderation actions and the data needed to undo them. Each row is
/// inserted in the transaction of its action, together with its entry in the audit log.
package struct ModerationActionStore: Sendable {
  let environment: Environment

  private var audit: AuditStore { AuditStore(environment: environment) }

  /// Inserts an action. ``setUndo(_:of:_:)`` adds the data needed to undo it in the same transaction. If there is a
  /// `code`, the audit log gets it instead of the reason, because nothing is ever erased from that log. Without a
  /// reason, the action stores its own name, because its column must not be empty, and the audit log stores nothing.
  package func enter(
    _ action: ModerationAction, _ target: Target, reason: String?, code: String? = nil,
    by principal: Principal, _ connection: borrowing Connection
  ) throws -> ModerationActionRecord {
    let id = environment.newDeviceID().text
    let kept = reason ?? action.rawValue
    try connection.execute(
      """
      INSERT INTO moderation_action (id, action, target_type, target_id, account_rowid, role,
        reason, made_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id), .text(action.rawValue), .text(target.kind.rawValue), .text(target.id),
        .integer(principal.account), .text(principal.role.rawValue), .text(kept),
        .text(environment.now().text),
      ])
    let rowid = connection.lastInsertedRowID
    try audit.note(
      action.rawValue, target: target.text, by: "\(principal.account)", reason: code ?? reason,
      act: rowid, connection)
    return ModerationActionRecord(
      rowid: rowid, id: id, action: action, target: target, role: principal.role,
      reason: kept, undo: [:], isUndone: false)
  }

  /// Stores the data needed to undo an action.
  func setUndo(
    _ undo: JSONValue, of act: ModerationActionRecord, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE moderation_action SET undo = ? WHERE rowid = ?",
      [.text(undo.text), .integer(act.rowid)])
  }

  /// - Throws: ``NotFound`` if the action does not exist.
  func act(_ id: String, _ connection: borrowing Connection) throws -> ModerationActionRecord {
    let found = try connection.first(
      """
      SELECT rowid, action, target_type, target_id, role, undo, undone_at, reason
      FROM moderation_action WHERE id = ?
      """, [.text(id)]
    ) { row in
      ModerationActionRecord(
        rowid: row.int(0), id: id, action: ModerationAction(rawValue: row.text(1)) ?? .dismiss,
        target: Target(kind: Target.Kind(rawValue: row.text(2)) ?? .flag, id: row.text(3)),
        role: Role(rawValue: row.text(4)) ?? .admin, reason: row.text(7),
        undo: (try? JSONValue(parsing: row.blob(5))) ?? [:], isUndone: !row.isNull(6))
    }
    guard let found else { throw NotFound.act }
    return found
  }

  /// Marks an action as undone and reopens the flags and reviews that it closed.
  func markUndone(
    _ act: ModerationActionRecord, reason: String, by principal: Principal,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE moderation_action SET undone_at = ?, undone_by = ? WHERE rowid = ?",
      [.text(environment.now().text), .integer(principal.account), .integer(act.rowid)])
    // If the same person has raised the flag again meanwhile, only the newer one stays open.
    try connection.execute(
      """
      UPDATE flag SET outcome = NULL, closed_at = NULL, action_rowid = NULL
      WHERE action_rowid = ?
        AND NOT EXISTS (SELECT 1 FROM flag AS newer WHERE newer.account_rowid = flag.account_rowid
          AND newer.target_type = flag.target_type AND newer.target_id = flag.target_id
          AND newer.outcome IS NULL)
      """, [.integer(act.rowid)])
    try ReviewStore.reopen(closedBy: act.rowid, connection)
    try audit.note(
      "undo", target: act.target.text, by: "\(principal.account)", reason: reason, act: act.rowid,
      connection)
  }

  /// Stores which revision an action created.
  func keep(
    _ revision: (device: Int64, number: Int64), of act: ModerationActionRecord,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO moderation_revision (action_rowid, device_rowid, number) VALUES (?, ?, ?)
      """, [.integer(act.rowid), .integer(revision.device), .integer(revision.number)])
  }

  /// The revisions that an action created, ordered by device.
  func revisions(
    of act: ModerationActionRecord, after device: Int64, limit: Int,
    _ connection: borrowing Connection
  ) throws -> [(device: Int64, number: Int64)] {
    try connection.rows(
      """
      SELECT device_rowid, number FROM moderation_revision
      WHERE action_rowid = ? AND device_rowid > ? ORDER BY device_rowid LIMIT ?
      """, [.integer(act.rowid), .integer(device), SQLValue(limit)]
    ) { ($0.int(0), $0.int(1)) }
  }

  /// The authors affected by an action whose target does not name them: of the reverted revision, of the
  /// closed reviews, and of the targets of dismissed flags.
  func authors(
    concernedBy act: ModerationActionRecord, _ connection: borrowing Connection
  ) throws -> [Int64] {
    switch act.action {
    case .accept, .dismiss:
      return try connection.rows(
        """
        \(ReviewStore.authors)
        UNION SELECT about_rowid FROM flag WHERE action_rowid = ?1 AND about_rowid IS NOT NULL
        """, [.integer(act.rowid)]
      ) { $0.int(0) }
    case .revert where act.target.kind == .device:
      // Older actions lack the revision number. They concern all who have edited the device.
      return try connection.rows(
        """
        SELECT DISTINCT revision.account_rowid
        FROM revision JOIN device ON device.rowid = revision.device_rowid
        WHERE device.id = ?1 AND revision.account_rowid IS NOT NULL
          AND (CAST(?2 AS BIGINT) IS NULL OR revision.number = ?2)
        """, [.text(act.target.id), SQLValue(act.undo["revision"]?.intValue.map { Int64($0) })]
      ) { $0.int(0) }
    default: return []
    }
  }

  /// Whether an action of this kind on a target is in effect.
  func stands(
    _ action: ModerationAction, on target: Target, but other: ModerationActionRecord? = nil,
    _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM moderation_action
      WHERE target_type = ? AND target_id = ? AND action = ? AND undone_at IS NULL AND rowid <> ?
      """,
      [
        .text(target.kind.rawValue), .text(target.id), .text(action.rawValue),
        .integer(other?.rowid ?? 0),
      ]) != nil
  }
}
