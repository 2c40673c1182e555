import JSON
import Service
import SpatialDatabase
import WebServer

/// `GET /api/moderation/log`: all moderation and admin actions, from the append-only audit log.
struct LogRoutes: Sendable {
  let database: Database
  let store: LogStore

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getLog", .get, "/api/moderation/log", tag: "Moderation",
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
    // The table with the names of deleted devices also contains their true points.
    return try database.readPrivate { connection in
      let rows = try store.entries(filter, after: last, limit: limit + 1, connection)
      let (shown, next) = PageCursor.cut(rows, to: limit) { ["\($0.rowid)"] }
      return .json(ListPage(shown.map(Self.entry.json), next: next), as: Self.page)
    }
  }

  static let page = JSONShape<ListPage>("log", of: entry.schema, in: "entries")

  private static let entry = JSONShape<LogStore.Entry>(
    nil, .text("id") { $0.isUndoing ? nil : $0.act }, .time("at", \.at),
    // The server and the command line act under their own names; a deleted account has no name.
    .text("actor") { Int64($0.actor) != nil ? $0.username : $0.actor },
    .text("action", \.action),
    // The target of an action, with its current name.
    .group(
      "target", if: { $0.subject != nil }, .text("type") { $0.subject?.kind ?? "" },
      .text("id") { $0.subject?.id ?? "" }, .text("name", \.name)),
    .text("reason", \.reason), .time("undone_at") { $0.isUndoing ? nil : $0.undoneAt })
}

extension LogStore.Entry {
  fileprivate var isUndoing: Bool { action == "undo" }

  fileprivate var subject: (kind: String, id: String)? {
    let parts = target.split(separator: " ", maxSplits: 1).map(String.init)
    return parts.count == 2 ? (parts[0], parts[1]) : nil
  }
}
