import Accounts
import PrivacyMap
import SpatialDatabase

/// The append-only audit log, as moderators read it.
struct LogStore {
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

  /// Selects entries with their actor. The actor of an entry without a moderation action is the server,
  /// the command line or an account number.
  static func page(_ filter: Filter, isFurther: Bool) -> String {
    var conditions = ["1"]
    if isFurther { conditions.append("audit.rowid < ?") }
    if filter.action != nil { conditions.append("audit.action = ?") }
    if filter.actor != nil {
      conditions.append(
        "audit.actor = (SELECT CAST(rowid AS TEXT) FROM account WHERE username_key = ?)")
    }
    if filter.target != nil {
      let kinds = ["device", "photo", "account", "review", "flag", "import", "operator"]
      let named = kinds.map { "'\($0) ' || ?" }.joined(separator: ", ")
      conditions.append("audit.target IN (\(named))")
    }
    return """
      SELECT audit.rowid, moderation_action.id, audit.acted_at, audit.actor, account.username,
        audit.action, audit.target, audit.reason, moderation_action.undone_at,
        coalesce(device.name, person.username, import_run.file, organisation.name)
      FROM audit
      LEFT JOIN moderation_action ON moderation_action.rowid = audit.action_rowid
      LEFT JOIN account ON account.rowid = CAST(audit.actor AS INTEGER)
        AND account.created_at <= audit.acted_at
      LEFT JOIN device ON audit.target LIKE 'device %' AND device.id = substr(audit.target, 8)
      LEFT JOIN account AS person
        ON audit.target LIKE 'account %' AND person.id = substr(audit.target, 9)
      LEFT JOIN import_run ON audit.target LIKE 'import %'
        AND import_run.rowid = CAST(substr(audit.target, 8) AS INTEGER)
      LEFT JOIN organisation
        ON audit.target LIKE 'operator %' AND organisation.id = substr(audit.target, 10)
      WHERE \(conditions.joined(separator: " AND "))
      ORDER BY audit.rowid DESC LIMIT ?
      """
  }

  /// Entries, latest first; those before the row `last` if given.
  func entries(
    _ filter: Filter, after last: Int64?, limit: Int, _ connection: borrowing Connection
  ) throws -> [Entry] {
    var arguments: [SQLValue] = last.map { [.integer($0)] } ?? []
    if let action = filter.action { arguments.append(.text(action)) }
    if let actor = filter.actor { arguments.append(.text(Username.key(of: actor))) }
    if let target = filter.target {
      let id = DeviceID(text: target)?.text ?? target
      arguments += Array(repeating: .text(id), count: 7)
    }
    return try connection.rows(
      Self.page(filter, isFurther: last != nil), arguments + [SQLValue(limit)]
    ) { row in
      Entry(
        rowid: row.int(0), act: row.optionalText(1), at: row.text(2), actor: row.text(3),
        username: row.optionalText(4), action: row.text(5), target: row.text(6),
        reason: row.optionalText(7), undoneAt: row.optionalText(8), name: row.optionalText(9))
    }
  }
}
