import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// `GET /api/moderation/log`: all moderation and admin actions, from the append-only audit log.
struct LogRoutes: Sendable {
  let database: Database

  /// The filters of a query.
  struct Filter {
    var action: String?
    /// A username.
    var actor: String?
    /// In the format of the log, such as `device 0190…`.
    var target: String?
  }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getLog", .get, "/api/moderation/log", tag: "Keeping order",
        summary: "All moderation and admin actions, latest first.", access: .moderator,
        parameters: [
          .query("action", .text(maxLength: 60), "Only actions of this name, such as `hide`."),
          .query("actor", .text(maxLength: 60), "Only actions of this user (username)."),
          .query("target", .text(maxLength: 100), "Only actions on the target with this id."),
        ] + PageCursor.parameters("Entries"),
        answers: [.ok("A page of the log.", schema: "log")], .personal(log))
    ]
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

  @Sendable private func log(_ request: Request, _ caller: Caller) throws -> Response {
    let filter = Filter(
      action: request.query["action"], actor: request.query["actor"],
      target: request.query["target"])
    let limit = try PageCursor.limit(request.query["limit"])
    let last = try request.query["cursor"].map { text in
      guard let rowid = Int64(try PageCursor(text: text).keys(count: 1)[0]) else {
        throw InvalidInput("cursor", Message("error.cursor"))
      }
      return rowid
    }
    var arguments: [SQLValue] = last.map { [.integer($0)] } ?? []
    if let action = filter.action { arguments.append(.text(action)) }
    if let actor = filter.actor { arguments.append(.text(Username.key(of: actor))) }
    if let target = filter.target {
      let id = DeviceID(text: target)?.text ?? target
      arguments += Array(repeating: .text(id), count: 7)
    }
    return try database.read { connection in
      let rows = try connection.rows(
        Self.page(filter, isFurther: last != nil), arguments + [SQLValue(limit + 1)]
      ) { (rowid: $0.int(0), json: Self.entry($0)) }
      let shown = rows.prefix(limit)
      let next =
        rows.count > limit ? shown.last.map { PageCursor(keys: ["\($0.rowid)"]).text } : nil
      return .json([
        "entries": .array(shown.map(\.json)), "next": next.map { .string($0) } ?? .null,
      ])
    }
  }

  private static func entry(_ row: Row) -> JSONValue {
    let isUndoing = row.text(5) == "undo"
    // The server and the command line act under their own names; a deleted account has no name.
    let isAccount = Int64(row.text(3)) != nil
    return [
      "id": isUndoing ? .null : .text(row, 1), "at": .string(row.text(2)),
      "actor": isAccount ? .text(row, 4) : .text(row, 3), "action": .string(row.text(5)),
      "target": target(row), "reason": .text(row, 7),
      "undone_at": isUndoing ? .null : .text(row, 8),
    ]
  }

  /// The target of an action, with its current name.
  private static func target(_ row: Row) -> JSONValue {
    let parts = row.text(6).split(separator: " ", maxSplits: 1)
    guard let kind = parts.first, let id = parts.dropFirst().first else { return .null }
    return ["type": .string(String(kind)), "id": .string(String(id)), "name": .text(row, 9)]
  }
}
