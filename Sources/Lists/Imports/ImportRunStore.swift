import Import
import PrivacyMap
import Reference
import Service
import SpatialDatabase

/// The `import_run` table, the notes on rows and the devices missing from a file.
struct ImportRunStore {
  /// Adds an import that a user, or a schedule of a user, has started.
  func add(
    file: String, mapping: String, by account: Int64, schedule: Int64? = nil, isDryRun: Bool,
    at now: Timestamp, _ connection: borrowing Connection
  ) throws -> Int64 {
    try connection.execute(
      """
      INSERT INTO import_run (file, mapping, state, started_at, account_rowid, dry_run, schedule_rowid)
      VALUES (?, ?, 'running', ?, ?, ?, ?)
      """,
      [
        .text(file), .text(mapping), .text(now.text), .integer(account), SQLValue(isDryRun),
        SQLValue(schedule),
      ])
    return connection.lastInsertedRowID
  }

  /// Adds an import of the command line.
  func add(
    file: String, mapping: String, source: Int64, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws -> Int64 {
    try connection.execute(
      """
      INSERT INTO import_run (file, mapping, source_rowid, state, started_at)
      VALUES (?, ?, ?, 'running', ?)
      """, [.text(file), .text(mapping), .integer(source), .text(now.text)])
    return connection.lastInsertedRowID
  }

  func setSource(_ source: Int64, of id: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE import_run SET source_rowid = ? WHERE rowid = ?", [.integer(source), .integer(id)])
  }

  /// Stores the counts of an import.
  func keep(_ report: ImportRun.Report, of id: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      """
      UPDATE import_run SET rows = ?, added = ?, changed = ?, unchanged = ?, matched = ?,
        gone = ?, flagged = ?, skipped = ?, refused = ?, columns = COALESCE(?, columns),
        incomplete = ?
      WHERE rowid = ?
      """,
      [
        SQLValue(report.rows), SQLValue(report.added), SQLValue(report.changed),
        SQLValue(report.unchanged), SQLValue(report.matched),
        SQLValue(report.gone), SQLValue(report.flagged), SQLValue(report.skipped),
        SQLValue(report.refused), SQLValue(report.columns?.stored), SQLValue(report.incomplete),
        .integer(id),
      ])
  }

  /// Stores the size of the file and the mapping as a JSON text.
  func keep(
    mapping: String, bytes: Int?, of id: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE import_run SET mapping_file = ?, bytes = ? WHERE rowid = ?",
      [.text(mapping), SQLValue(bytes), .integer(id)])
  }

  /// The mapping as a JSON text; nil for an unknown import and for an older one.
  func mapping(of id: Int64, _ connection: borrowing Connection) throws -> String? {
    try connection.text("SELECT mapping_file FROM import_run WHERE rowid = ?", [.integer(id)])
  }

  /// Adds a note on a row of the file, and on the device that a flagged row became.
  func add(
    _ row: RowNote, device: Int64?, to id: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO import_note (import_rowid, row, severity, field, code, detail, device_rowid)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(id), SQLValue(row.row), .text(row.severity), SQLValue(row.note.field),
        .text(row.note.code), .text(row.note.detail), SQLValue(device),
      ])
  }

  /// Adds the changes that a dry run would make in a device.
  func add(_ change: RowChange, to id: Int64, _ connection: borrowing Connection) throws {
    for difference in change.differences {
      try connection.execute(
        """
        INSERT INTO import_change (import_rowid, row, device_rowid, field, before, after)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        [
          .integer(id), SQLValue(change.row), .integer(change.device), .text(difference.field),
          SQLValue(difference.before), SQLValue(difference.after),
        ])
    }
  }

  /// A field that a dry run would change.
  typealias Change = (
    row: Int64, device: String, name: String, field: String, before: String?, after: String?
  )

  /// The first changes of a dry run, in the order of the file.
  func changes(of id: Int64, _ connection: borrowing Connection) throws -> [Change] {
    try connection.rows(
      """
      SELECT row, device.id, device.name, field, before, after FROM import_change
      JOIN device ON device.rowid = import_change.device_rowid
      WHERE import_rowid = ? ORDER BY row, import_change.rowid
      """, [.integer(id)]
    ) {
      ($0.int(0), $0.text(1), $0.text(2), $0.text(3), $0.optionalText(4), $0.optionalText(5))
    }
  }

  /// Adds a device that is missing from the file, unless it has been deleted meanwhile.
  func addGone(_ device: Int64, to id: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      """
      INSERT INTO import_gone (import_rowid, device_rowid)
      SELECT ?, rowid FROM device WHERE rowid = ?
      """, [.integer(id), .integer(device)])
  }

  func end(
    _ id: Int64, state: String, error: String?, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE import_run SET state = ?, error = ?, finished_at = ? WHERE rowid = ?",
      [.text(state), SQLValue(error), .text(now.text), .integer(id)])
  }

  /// Marks running imports as failed.
  func endBroken(at now: Timestamp, _ connection: borrowing Connection) throws {
    try connection.execute(
      """
      UPDATE import_run SET state = 'failed', error = 'the program ended', finished_at = ?
      WHERE state = 'running'
      """, [.text(now.text)])
  }

  /// Deletes the report of a dry run.
  func forgetDryRun(_ id: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "DELETE FROM import_run WHERE rowid = ? AND dry_run = 1", [.integer(id)])
  }

  func forgetDryRuns(before day: Day, _ connection: borrowing Connection) throws {
    try connection.execute(
      "DELETE FROM import_run WHERE dry_run = 1 AND state <> 'running' AND started_at < ?",
      [.text(Timestamp(startOf: day).text)])
  }

  func progress(of id: Int64, _ connection: borrowing Connection) throws -> String? {
    try connection.text("SELECT state FROM import_run WHERE rowid = ?", [.integer(id)])
  }

  func state(of id: Int64, _ connection: borrowing Connection) throws -> (String, isDryRun: Bool)? {
    try connection.first(
      "SELECT state, dry_run FROM import_run WHERE rowid = ?", [.integer(id)]
    ) { ($0.text(0), $0.bool(1)) }
  }

  /// A portion of the devices that an import changed.
  func devices(
    of id: Int64, after last: Int64, limit: Int, _ connection: borrowing Connection
  ) throws -> [Int64] {
    try connection.rows(
      """
      SELECT DISTINCT device_rowid FROM revision
      WHERE import_rowid = ? AND kind = 'import' AND device_rowid > ?
      ORDER BY device_rowid LIMIT ?
      """, [.integer(id), .integer(last), SQLValue(limit)]
    ) { $0.int(0) }
  }

  func markUndone(
    _ id: Int64, _ report: ImportUndo.Report, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      UPDATE import_run SET state = 'undone', undone_at = ?, withdrawn = ?, restored = ?, kept = ?
      WHERE rowid = ?
      """,
      [
        .text(now.text), SQLValue(report.withdrawn), SQLValue(report.restored),
        SQLValue(report.kept), .integer(id),
      ])
  }

  /// The numbers of imports, newest first, without dry runs.
  func all(before last: Int64?, limit: Int, _ connection: borrowing Connection) throws -> [Int64] {
    try connection.rows(
      """
      SELECT rowid FROM import_run WHERE dry_run = 0 AND (CAST(?1 AS BIGINT) IS NULL OR rowid < ?1)
      ORDER BY rowid DESC LIMIT ?2
      """, [SQLValue(last), SQLValue(limit)]
    ) { $0.int(0) }
  }

  /// An import with the user who started it and its source.
  struct Run {
    let file, mapping, state: String
    let error: String?
    /// The file's own statement that it is incomplete; nil without one.
    let incomplete: String?
    let startedAt: String
    let finishedAt, undoneAt: String?
    let isDryRun: Bool
    let by: String?
    var source, licence: String?
    let columns: ColumnUse?
    /// The size of the file as it was sent; nil for a stream and for an older import.
    let bytes: Int64?
    let hasMapping: Bool
    /// The schedule that started it; nil if a user did or if the schedule was deleted.
    let schedule: (id: Int64, name: String)?
    let counts: [String: Int64]
  }

  static let counts = [
    "rows", "added", "changed", "unchanged", "matched", "gone", "flagged", "skipped", "refused",
  ]

  func run(_ id: Int64, _ connection: borrowing Connection) throws -> Run? {
    let found = try connection.first(
      """
      SELECT import_run.rowid, file, import_run.mapping, state, error, started_at, finished_at, undone_at,
        dry_run, account.username, import_run.source_rowid, columns, bytes,
        mapping_file IS NOT NULL, import_schedule.rowid, import_schedule.name, incomplete,
        \(Self.counts.joined(separator: ", "))
      FROM import_run LEFT JOIN account ON account.rowid = import_run.account_rowid
      LEFT JOIN import_schedule ON import_schedule.rowid = import_run.schedule_rowid
      WHERE import_run.rowid = ?
      """, [.integer(id)]
    ) { row in
      let run = Run(
        file: row.text(1), mapping: row.text(2), state: row.text(3), error: row.optionalText(4),
        incomplete: row.optionalText(16), startedAt: row.text(5), finishedAt: row.optionalText(6),
        undoneAt: row.optionalText(7),
        isDryRun: row.bool(8), by: row.optionalText(9),
        columns: row.optionalText(11).flatMap(ColumnUse.init(stored:)),
        bytes: row.optionalInt(12), hasMapping: row.bool(13),
        schedule: row.optionalInt(14).map { ($0, row.optionalText(15) ?? "") },
        counts: Dictionary(
          Self.counts.enumerated().map { ($1, row.int(17 + $0)) }, uniquingKeysWith: { $1 }))
      return (run: run, source: row.optionalInt(10))
    }
    guard var run = found?.run else { return nil }
    let source = try found?.source.flatMap { try SourceStore.credit(of: $0, connection) }
    (run.source, run.licence) = (source?.name, source?.licence)
    return run
  }

  /// The first devices that are missing from the file, in their present state.
  func gone(
    of id: Int64, limit: Int, _ connection: borrowing Connection
  ) throws -> [Gone] {
    try connection.rows(
      """
      SELECT device.id, name, category, status, hidden = 2 FROM import_gone
      JOIN device ON device.rowid = import_gone.device_rowid
      WHERE import_rowid = ? ORDER BY device_rowid LIMIT ?
      """, [.integer(id), SQLValue(limit)]
    ) { ($0.text(0), $0.text(1), $0.text(2), $0.text(3), $0.bool(4)) }
  }

  /// The query of ``missing(from:after:limit:_:)``.
  static let missing = """
    SELECT import_gone.device_rowid FROM import_gone
    JOIN import_run ON import_run.rowid = import_gone.import_rowid
    JOIN device ON device.rowid = import_gone.device_rowid
    WHERE import_gone.import_rowid = ? AND import_gone.device_rowid > ? AND hidden = 0
      AND status IN ('reported', 'confirmed', 'disputed')
      AND (last_confirmed IS NULL OR last_confirmed <= import_run.started_at)
      AND NOT EXISTS (
        SELECT 1 FROM revision WHERE revision.device_rowid = import_gone.device_rowid
          AND revision.import_rowid IS NULL AND made_at > import_run.started_at)
    ORDER BY import_gone.device_rowid LIMIT ?
    """

  /// A portion of the devices that are missing from a file and were neither edited nor confirmed since.
  func missing(
    from id: Int64, after last: Int64, limit: Int, _ connection: borrowing Connection
  ) throws -> [Int64] {
    try connection.rows(
      Self.missing, [.integer(id), .integer(last), SQLValue(limit)]
    ) { $0.int(0) }
  }

  /// A portion of all devices that were missing from a file.
  func allMissing(
    from id: Int64, after last: Int64, limit: Int, _ connection: borrowing Connection
  ) throws -> [Int64] {
    try connection.rows(
      """
      SELECT device_rowid FROM import_gone WHERE import_rowid = ? AND device_rowid > ?
      ORDER BY device_rowid LIMIT ?
      """, [.integer(id), .integer(last), SQLValue(limit)]
    ) { $0.int(0) }
  }

  /// The number of notes per reason.
  func reasons(
    of id: Int64, _ connection: borrowing Connection
  ) throws -> [Reason] {
    try connection.rows(
      """
      SELECT severity, field, code, count(*) FROM import_note WHERE import_rowid = ?
      GROUP BY severity, field, code
      ORDER BY count(*) DESC, severity, field NULLS FIRST, code LIMIT 100
      """, [.integer(id)]
    ) { ($0.text(0), $0.optionalText(1), $0.text(2), $0.int(3)) }
  }

  func noteCount(
    of id: Int64, severity: String?, _ connection: borrowing Connection
  ) throws -> Int64 {
    try connection.integer(
      """
      SELECT count(*) FROM import_note WHERE import_rowid = ?1 AND (CAST(?2 AS TEXT) IS NULL OR severity = ?2)
      """, [.integer(id), SQLValue(severity)]) ?? 0
  }

  /// The undoing of an import: the account, the reason and the result. `by` is nil for the command line and for a
  /// deleted account; the counts are nil for an older import.
  struct Undoing {
    let by, reason: String?
    let isByCommand: Bool
    let withdrawn, restored, kept: Int64?
  }

  func undoing(of id: Int64, _ connection: borrowing Connection) throws -> Undoing? {
    let act = try connection.first(
      """
      SELECT audit.actor, account.username, audit.reason FROM \(AuditStore.withActors)
      WHERE audit.target = ? AND audit.action = 'undo_import'
      ORDER BY audit.rowid DESC LIMIT 1
      """, [.text("import \(id)")]
    ) { (actor: $0.text(0), by: $0.optionalText(1), reason: $0.optionalText(2)) }
    return try connection.first(
      """
      SELECT withdrawn, restored, kept FROM import_run WHERE rowid = ? AND undone_at IS NOT NULL
      """, [.integer(id)]
    ) { row in
      Undoing(
        by: act?.by, reason: act?.reason, isByCommand: act?.actor == AuditStore.commandLine,
        withdrawn: row.optionalInt(0), restored: row.optionalInt(1), kept: row.optionalInt(2))
    }
  }

  typealias Gone = (
    id: String, name: String, category: String, status: String, isWithdrawn: Bool
  )
  typealias Reason = (severity: String, field: String?, code: String, count: Int64)

  /// A note on a row of the file.
  typealias Note = (
    row: Int64, severity: String, field: String?, code: String, detail: String, rowid: Int64,
    device: String?
  )

  /// Notes in the order of the file, of one outcome or of all.
  func notes(
    of id: Int64, severity: String?, after last: (row: Int64, rowid: Int64)?, limit: Int,
    _ connection: borrowing Connection
  ) throws -> [Note] {
    try connection.rows(
      """
      SELECT row, severity, field, code, detail, import_note.rowid, device.id FROM import_note
      LEFT JOIN device ON device.rowid = import_note.device_rowid AND device.hidden = 0
      WHERE import_rowid = ?1 AND (row, import_note.rowid) > (?2, ?3)
        AND (CAST(?5 AS TEXT) IS NULL OR severity = ?5)
      ORDER BY row, import_note.rowid LIMIT ?4
      """,
      [
        .integer(id), .integer(last?.row ?? -1), .integer(last?.rowid ?? 0), SQLValue(limit),
        SQLValue(severity),
      ]
    ) { row in
      (
        row.int(0), row.text(1), row.optionalText(2), row.text(3), row.text(4), row.int(5),
        row.optionalText(6)
      )
    }
  }
}
