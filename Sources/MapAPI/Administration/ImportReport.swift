import JSON
import SpatialDatabase

/// An import as shown to admins.
struct ImportReport {
  let desk: ImportDesk

  private static let counts = [
    "rows", "added", "changed", "unchanged", "matched", "gone", "flagged", "skipped", "refused",
  ]

  func value(_ id: Int64, _ connection: borrowing Connection) throws -> JSONValue? {
    let undoing = desk.undoing
    return try connection.first(
      """
      SELECT import_run.rowid, file, mapping, state, error, started_at, finished_at, undone_at,
        dry_run, account.username, source.name, source.licence,
        \(Self.counts.joined(separator: ", "))
      FROM import_run LEFT JOIN account ON account.rowid = import_run.account_rowid
      LEFT JOIN source ON source.rowid = import_run.source_rowid
      WHERE import_run.rowid = ?
      """, [.integer(id)]
    ) { row in
      var members: [(key: String, value: JSONValue)] = [
        ("id", .integer(row.int(0))), ("file", .string(row.text(1))),
        ("mapping", .string(row.text(2))),
        ("state", .string(undoing == id ? "undoing" : row.text(3))), ("error", .text(row, 4)),
        ("started_at", .string(row.text(5))), ("finished_at", .text(row, 6)),
        ("undone_at", .text(row, 7)), ("dry_run", .bool(row.bool(8))), ("by", .text(row, 9)),
        (
          "source",
          row.isNull(10) ? .null : ["name": .string(row.text(10)), "licence": .text(row, 11)]
        ),
      ]
      for (place, name) in Self.counts.enumerated() {
        members.append((name, .integer(row.int(12 + place))))
      }
      return .object(JSONObject(members))
    }
  }

  /// Maximum number of missing devices listed; `gone` counts all of them.
  private static let shownGone = 100

  /// The first devices that are missing from the file, in their present state.
  func gone(of id: Int64, _ connection: borrowing Connection) throws -> JSONValue {
    let devices = try connection.rows(
      """
      SELECT device.id, name, category, status FROM import_gone
      JOIN device ON device.rowid = import_gone.device_rowid
      WHERE import_rowid = ? ORDER BY device_rowid LIMIT ?
      """, [.integer(id), SQLValue(Self.shownGone)]
    ) { row -> JSONValue in
      [
        "id": .string(row.text(0)), "name": .string(row.text(1)),
        "category": .string(row.text(2)), "status": .string(row.text(3)),
      ]
    }
    return .array(devices)
  }

  /// The number of notes per reason, and a page of notes about rows.
  func notes(
    of id: Int64, after last: (row: Int64, rowid: Int64)?, limit: Int,
    _ connection: borrowing Connection
  ) throws -> [(key: String, value: JSONValue)] {
    let reasons = try connection.rows(
      """
      SELECT severity, field, code, count(*) FROM import_note WHERE import_rowid = ?
      GROUP BY severity, field, code ORDER BY count(*) DESC LIMIT 100
      """, [.integer(id)]
    ) { row -> JSONValue in
      [
        "severity": .string(row.text(0)), "field": .text(row, 1), "code": .string(row.text(2)),
        "count": .integer(row.int(3)),
      ]
    }
    let total = try connection.integer(
      "SELECT count(*) FROM import_note WHERE import_rowid = ?", [.integer(id)])
    let notes = try connection.rows(
      """
      SELECT row, severity, field, code, detail, rowid FROM import_note
      WHERE import_rowid = ? AND (row, rowid) > (?, ?) ORDER BY row, rowid LIMIT ?
      """,
      [.integer(id), .integer(last?.row ?? -1), .integer(last?.rowid ?? 0), SQLValue(limit + 1)]
    ) { row in
      (
        place: ["\(row.int(0))", "\(row.int(5))"],
        json: [
          "row": .integer(row.int(0)), "severity": .string(row.text(1)), "field": .text(row, 2),
          "code": .string(row.text(3)), "detail": .string(row.text(4)),
        ] as JSONValue
      )
    }
    let shown = notes.prefix(limit)
    let next =
      notes.count > limit ? shown.last.map { PageCursor(keys: $0.place).text } : nil
    return [
      ("reasons", .array(reasons)), ("notes", .array(shown.map(\.json))),
      ("notes_total", .integer(total ?? 0)), ("next", next.map { .string($0) } ?? .null),
    ]
  }
}
