import JSON
import Moderation
import Service
import SpatialDatabase

/// An import as shown to admins.
struct ImportReport {
  let desk: ImportWorker
  private var store: ImportRunStore { ImportRunStore() }

  func value(_ id: Int64, _ connection: borrowing Connection) throws -> JSONValue? {
    let undoing = desk.undoing
    guard let run = try store.run(id, connection) else { return nil }
    let members: [(key: String, value: JSONValue)] = [
      ("id", .integer(id)), ("file", .string(run.file)), ("mapping", .string(run.mapping)),
      ("state", .string(undoing == id ? "undoing" : run.state)), ("error", .optional(run.error)),
      ("started_at", .string(run.startedAt)), ("finished_at", .optional(run.finishedAt)),
      ("undone_at", .optional(run.undoneAt)), ("dry_run", .bool(run.isDryRun)),
      ("by", .optional(run.by)),
      (
        "source",
        run.source.map { ["name": .string($0), "licence": .optional(run.licence)] } ?? .null
      ),
    ]
    return .object(JSONObject(members + run.counts.map { ($0, .integer($1)) }))
  }

  /// Maximum number of missing devices listed; `gone` counts all of them.
  private static let shownGone = 100

  /// The first devices that are missing from the file, in their present state.
  func gone(of id: Int64, _ connection: borrowing Connection) throws -> JSONValue {
    .array(
      try store.gone(of: id, limit: Self.shownGone, connection).map { device in
        [
          "id": .string(device.id), "name": .string(device.name),
          "category": .string(device.category), "status": .string(device.status),
        ]
      })
  }

  /// The number of notes per reason, and a page of notes about rows.
  func notes(
    of id: Int64, after last: (row: Int64, rowid: Int64)?, limit: Int,
    _ connection: borrowing Connection
  ) throws -> [(key: String, value: JSONValue)] {
    let reasons = try store.reasons(of: id, connection).map { reason -> JSONValue in
      [
        "severity": .string(reason.severity), "field": .optional(reason.field),
        "code": .string(reason.code), "count": .integer(reason.count),
      ]
    }
    let total = try store.noteCount(of: id, connection)
    let notes = try store.notes(of: id, after: last, limit: limit + 1, connection)
    let shown = notes.prefix(limit)
    let next =
      notes.count > limit
      ? shown.last.map { PageCursor(keys: ["\($0.row)", "\($0.rowid)"]).text } : nil
    return [
      ("reasons", .array(reasons)), ("notes", .array(shown.map(Self.json))),
      ("notes_total", .integer(total)), ("next", next.map { .string($0) } ?? .null),
    ]
  }

  private static func json(_ note: ImportRunStore.Note) -> JSONValue {
    [
      "row": .integer(note.row), "severity": .string(note.severity),
      "field": .optional(note.field), "code": .string(note.code), "detail": .string(note.detail),
    ]
  }
}
