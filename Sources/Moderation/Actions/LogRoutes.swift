import Accounts
import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `GET /api/moderation/log`: all moderation and admin actions, from the append-only audit log.
struct LogRoutes: Sendable {
  let database: Database

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

  @Sendable private func log(_ request: Request, _ caller: Caller) throws -> Response {
    let filter = LogStore.Filter(
      action: request.query["action"], actor: request.query["actor"],
      target: request.query["target"])
    let limit = try PageCursor.limit(request.query["limit"])
    let last = try request.query["cursor"].map { text in
      guard let rowid = Int64(try PageCursor(text: text).keys(count: 1)[0]) else {
        throw InvalidInput("cursor", Message("error.cursor"))
      }
      return rowid
    }
    return try database.read { connection in
      let rows = try LogStore().entries(filter, after: last, limit: limit + 1, connection)
      let shown = rows.prefix(limit)
      let next =
        rows.count > limit ? shown.last.map { PageCursor(keys: ["\($0.rowid)"]).text } : nil
      return .json([
        "entries": .array(shown.map(Self.json)), "next": next.map { .string($0) } ?? .null,
      ])
    }
  }

  private static func json(_ entry: LogStore.Entry) -> JSONValue {
    let isUndoing = entry.action == "undo"
    // The server and the command line act under their own names; a deleted account has no name.
    let isAccount = Int64(entry.actor) != nil
    return [
      "id": isUndoing ? .null : .optional(entry.act), "at": .string(entry.at),
      "actor": isAccount ? .optional(entry.username) : .string(entry.actor),
      "action": .string(entry.action), "target": target(entry), "reason": .optional(entry.reason),
      "undone_at": isUndoing ? .null : .optional(entry.undoneAt),
    ]
  }

  /// The target of an action, with its current name.
  private static func target(_ entry: LogStore.Entry) -> JSONValue {
    let parts = entry.target.split(separator: " ", maxSplits: 1)
    guard let kind = parts.first, let id = parts.dropFirst().first else { return .null }
    return [
      "type": .string(String(kind)), "id": .string(String(id)), "name": .optional(entry.name),
    ]
  }
}
