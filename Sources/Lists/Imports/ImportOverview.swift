package import SpatialDatabase

/// Imports, for overviews outside of the lists.
package enum ImportOverview {
  /// An import that changed devices.
  package typealias Import = (
    id: Int64, file: String, state: String, startedAt: String, finishedAt: String?, rows: Int64,
    added: Int64
  )

  /// The latest imports.
  package static func latest(_ connection: borrowing Connection) throws -> [Import] {
    try connection.rows(
      """
      SELECT rowid, file, state, started_at, finished_at, rows, added FROM import_run
      WHERE dry_run = 0 ORDER BY rowid DESC LIMIT 5
      """
    ) { row in
      (
        row.int(0), row.text(1), row.text(2), row.text(3), row.optionalText(4), row.int(5),
        row.int(6)
      )
    }
  }

  /// All imports and dry runs, one line each, in the order of their numbers.
  package static func lines(_ connection: borrowing Connection) throws -> [String] {
    try connection.rows(
      "SELECT rowid, state, file, rows, added, changed, refused FROM import_run ORDER BY rowid"
    ) { row in
      "\(row.int(0)) \(row.text(1)) \(row.text(2)): \(row.int(3)) rows, \(row.int(4)) added, "
        + "\(row.int(5)) changed, \(row.int(6)) refused"
    }
  }
}
