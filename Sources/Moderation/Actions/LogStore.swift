import Accounts
import PrivacyMap
import Service
import SpatialDatabase

/// The append-only audit log, as moderators read it.
struct LogStore: Sendable {
  /// The names that features give to the targets of actions.
  let names: [LogName]

  /// The filters of a query.
  struct Filter {
    var action: String?
    /// A username.
    var actor: String?
    /// In the format of the log, such as `device 0190…`.
    var target: String?
  }

  /// One action. `act` is the id of the moderation action, `name` the current name of the target.
  struct Entry {
    let rowid: Int64
    let act: String?
    let at, actor: String
    let username: String?
    let action, target: String
    let reason, undoneAt, name: String?
  }

  /// The reason as it was typed. The audit log has only a code for a deletion, because nothing is
  /// ever erased from it; the words are in the action.
  private static let reason = """
    CASE audit.action WHEN 'delete' THEN coalesce(moderation_action.reason, audit.reason)
      ELSE audit.reason END
    """

  /// The current name of the target.
  private var name: String {
    guard !names.isEmpty else { return "NULL" }
    let cases = names.map { "WHEN '\($0.kind)' THEN \($0.subquery)" }.joined(separator: "\n  ")
    return """
      CASE substr(audit.target, 1, instr(audit.target, ' ') - 1)
        \(cases)
      END
      """
  }

  /// Selects entries with their actor. The actor of an entry without a moderation action is the server,
  /// the command line or an account number.
  func page(_ filter: Filter, isFurther: Bool) -> String {
    var conditions = ["TRUE"]
    if isFurther { conditions.append("audit.rowid < ?") }
    if filter.action != nil { conditions.append("audit.action = ?") }
    if filter.actor != nil {
      conditions.append(
        "audit.actor = (SELECT CAST(rowid AS TEXT) FROM account WHERE username_key = ?)")
    }
    if filter.target != nil {
      let kinds = [
        "device", "photo", "account", "review", "flag", "import", "operator", "proposal",
      ]
      let named = kinds.map { "'\($0) ' || ?" }.joined(separator: ", ")
      conditions.append("audit.target IN (\(named))")
    }
    return """
      SELECT audit.rowid, moderation_action.id, audit.acted_at, audit.actor, account.username,
        audit.action, audit.target, \(Self.reason), moderation_action.undone_at, \(name)
      FROM \(AuditStore.withActors)
      LEFT JOIN moderation_action ON moderation_action.rowid = audit.action_rowid
      WHERE \(conditions.joined(separator: " AND "))
      ORDER BY audit.rowid DESC LIMIT ?
      """
  }

  /// Entries, latest first, before the row `last` if given.
  func entries(
    _ filter: Filter, after last: Int64?, limit: Int, _ connection: borrowing Connection
  ) throws -> [Entry] {
    var arguments: [SQLValue] = last.map { [.integer($0)] } ?? []
    if let action = filter.action { arguments.append(.text(action)) }
    if let actor = filter.actor { arguments.append(.text(Username.key(of: actor))) }
    if let target = filter.target {
      let id = DeviceID(text: target)?.text ?? target
      arguments += Array(repeating: .text(id), count: 8)
    }
    return try connection.rows(
      page(filter, isFurther: last != nil), arguments + [SQLValue(limit)]
    ) { row in
      Entry(
        rowid: row.int(0), act: row.optionalText(1), at: row.text(2), actor: row.text(3),
        username: row.optionalText(4), action: row.text(5), target: row.text(6),
        reason: row.optionalText(7), undoneAt: row.optionalText(8), name: row.optionalText(9))
    }
  }
}
