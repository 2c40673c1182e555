import JSON
import PrivacyMap
import Reference
import SafeFetch
import Service
import SpatialDatabase
import WebServer

/// The `import_schedule` table.
struct ImportScheduleStore: Sendable {
  let environment: Environment

  /// The maximum number of schedules of an instance.
  static let maximum = 100
  /// Failures in succession after which a schedule is disabled.
  static let maxFailures: Int64 = 5
  /// Seconds after which an unfinished run no longer counts, so that another run can start.
  private static let maxRunTime: Int64 = Seconds.day

  private static let columns = """
    import_schedule.rowid, name, url, mapping, source_name, licence, every, day, hour, enabled,
    import_schedule.account_rowid, username, import_schedule.created_at, due_at, queued_at, ended_by, etag,
    last_modified, digest, ran_at, outcome, problem, facts, import_rowid, failures, missing,
    missing_limit
    """
  private static let table = """
    import_schedule LEFT JOIN account ON account.rowid = import_schedule.account_rowid
    """

  func all(_ connection: borrowing Connection) throws -> [ImportSchedule] {
    try connection.rows(
      "SELECT \(Self.columns) FROM \(Self.table) ORDER BY import_schedule.rowid",
      decode: schedule
    ).compactMap(\.self)
  }

  func one(_ id: Int64, _ connection: borrowing Connection) throws -> ImportSchedule? {
    try connection.first(
      "SELECT \(Self.columns) FROM \(Self.table) WHERE import_schedule.rowid = ?", [.integer(id)],
      decode: schedule) ?? nil
  }

  /// Nil for a row that no version has written.
  private func schedule(_ row: Row) -> ImportSchedule? {
    guard let link = PublicLink(row.text(2)),
      let every = ImportSchedule.Timing.Interval(rawValue: row.text(6))
    else { return nil }
    let settings = ImportSchedule.Settings(
      name: row.text(1), link: link, mapping: row.text(3), source: row.optionalText(4),
      licence: row.optionalText(5),
      timing: ImportSchedule.Timing(
        every: every, day: Int(clamping: row.int(7)), hour: Int(clamping: row.int(8))),
      isEnabled: row.bool(9),
      missing: ImportSchedule.Missing(
        action: row.optionalText(25).flatMap(ImportSchedule.MissingAction.init(rawValue:)),
        limit: Int(clamping: row.int(26))))
    var last: ImportSchedule.LastRun?
    if let ranAt = row.optionalText(19),
      let outcome = row.optionalText(20).flatMap(ImportSchedule.Outcome.init(rawValue:))
    {
      last = ImportSchedule.LastRun(
        ranAt: ranAt, outcome: outcome,
        problem: ImportProblem(code: row.optionalText(21), facts: row.optionalText(22)),
        importRun: row.optionalInt(23))
    }
    return ImportSchedule(
      id: row.int(0), settings: settings, account: row.optionalInt(10), by: row.optionalText(11),
      createdAt: row.text(12), dueAt: row.optionalText(13), queuedAt: row.optionalText(14),
      endedBy: row.optionalText(15).flatMap(ImportSchedule.End.init(rawValue:)),
      version: PublicFile.Version(etag: row.optionalText(16), lastModified: row.optionalText(17)),
      digest: row.optionalText(18), lastRun: last, failures: row.int(24))
  }

  /// Adds a schedule of an admin.
  ///
  /// - Throws: a 409 ``Refusal`` if the instance has reached its maximum.
  func add(
    _ settings: ImportSchedule.Settings, by account: Int64, _ connection: borrowing Connection
  ) throws -> Int64 {
    let count = try connection.integer("SELECT count(*) FROM import_schedule") ?? 0
    guard count < Self.maximum else {
      throw Refusal(.conflict, "error.schedule.many", ["maximum": "\(Self.maximum)"], type: "many")
    }
    let now = environment.now()
    try connection.execute(
      """
      INSERT INTO import_schedule (
        name, url, mapping, source_name, licence, every, day, hour, enabled, ended_by, missing, missing_limit,
        account_rowid, created_at, due_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, values(settings) + [.integer(account), .text(now.text), due(settings, now)])
    return connection.lastInsertedRowID
  }

  /// Changes a schedule. A change of the list or of its meaning makes the next run read the file again. `account` is
  /// its new admin; nil to leave it as it is.
  func put(
    _ settings: ImportSchedule.Settings, of schedule: ImportSchedule, account: Int64?,
    _ connection: borrowing Connection
  ) throws {
    let (old, now) = (schedule.settings, environment.now())
    let isSameList =
      (old.link, old.mapping, old.source) == (settings.link, settings.mapping, settings.source)
      && old.licence == settings.licence
    let isNewlyDue = old.timing != settings.timing || old.isEnabled != settings.isEnabled
    let dueAt = isNewlyDue ? due(settings, now) : SQLValue(schedule.dueAt)
    let failures = settings.isEnabled && !old.isEnabled ? 0 : schedule.failures
    try connection.execute(
      """
      UPDATE import_schedule SET name = ?, url = ?, mapping = ?, source_name = ?, licence = ?, every = ?, day = ?,
        hour = ?, enabled = ?, ended_by = ?, missing = ?, missing_limit = ?, due_at = ?, failures = ?, account_rowid = COALESCE(?, account_rowid)
      WHERE rowid = ?
      """,
      values(settings) + [dueAt, .integer(failures), SQLValue(account), .integer(schedule.id)])
    if !old.isEnabled, !settings.isEnabled, let end = schedule.endedBy {
      // Editing does not change why it ended.
      try disable(schedule.id, end, connection)
    }
    if !isSameList { try forgetVersion(schedule.id, connection) }
  }

  /// The values of the columns from `name` to `missing_limit`.
  private func values(_ settings: ImportSchedule.Settings) -> [SQLValue] {
    [
      .text(settings.name), .text(settings.link.text), .text(settings.mapping),
      SQLValue(settings.source), SQLValue(settings.licence), .text(settings.timing.every.rawValue),
      SQLValue(settings.timing.day), SQLValue(settings.timing.hour), SQLValue(settings.isEnabled),
      SQLValue(settings.isEnabled ? nil : ImportSchedule.End.admin.rawValue),
      SQLValue(settings.missing.action?.rawValue), SQLValue(settings.missing.limit),
    ]
  }

  private func due(_ settings: ImportSchedule.Settings, _ now: Timestamp) -> SQLValue {
    SQLValue(settings.isEnabled ? settings.timing.next(after: now).text : nil)
  }

  private func forgetVersion(_ id: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE import_schedule SET etag = NULL, last_modified = NULL, digest = NULL WHERE rowid = ?",
      [.integer(id)])
  }

  func remove(_ id: Int64, _ connection: borrowing Connection) throws {
    try connection.execute("DELETE FROM import_schedule WHERE rowid = ?", [.integer(id)])
  }

  func disable(
    _ id: Int64, _ end: ImportSchedule.End, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE import_schedule SET enabled = 0, ended_by = ?, due_at = NULL WHERE rowid = ?",
      [.text(end.rawValue), .integer(id)])
  }

  /// Disables the schedules of an account that is deleted or no longer an admin.
  static func disable(of account: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      """
      UPDATE import_schedule SET enabled = 0, ended_by = 'account', due_at = NULL
      WHERE account_rowid = ? AND enabled = 1
      """, [.integer(account)])
  }

  // Runs.

  /// The schedules that are due and not running.
  func due(_ connection: borrowing Connection) throws -> [Int64] {
    try connection.rows(
      "SELECT rowid FROM import_schedule WHERE due_at <= ? ORDER BY due_at",
      [.text(environment.now().text)]
    ) { $0.int(0) }
  }

  /// Sets the time of the next run, from now on.
  func scheduleNext(_ schedule: ImportSchedule, _ connection: borrowing Connection) throws {
    let next = schedule.settings.timing.next(after: environment.now())
    try connection.execute(
      "UPDATE import_schedule SET due_at = ? WHERE rowid = ? AND enabled = 1",
      [.text(next.text), .integer(schedule.id)])
  }

  /// Records that a run waits.
  ///
  /// - Returns: false if one waits already or is in progress.
  func queue(_ id: Int64, _ connection: borrowing Connection) throws -> Bool {
    let now = environment.now()
    let long = now.later(-Self.maxRunTime)
    let isBusy = try connection.integer(
      "SELECT 1 FROM import_schedule WHERE rowid = ? AND queued_at > ?",
      [.integer(id), .text(long.text)])
    guard isBusy == nil else { return false }
    try connection.execute(
      "UPDATE import_schedule SET queued_at = ? WHERE rowid = ?", [.text(now.text), .integer(id)])
    return true
  }

  /// Ends a run without a result.
  func unqueue(_ id: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE import_schedule SET queued_at = NULL WHERE rowid = ?", [.integer(id)])
  }

  /// The counts of the last complete import of a source, by the schedule or by hand.
  func lastCounts(
    ofSource code: String, _ connection: borrowing Connection
  ) throws -> ImportCaution.Counts? {
    guard let source = try SourceStore.rowid(of: code, connection) else { return nil }
    return try connection.first(
      """
      SELECT rows, changed, gone FROM import_run
      WHERE dry_run = 0 AND state = 'done' AND source_rowid = ?
      ORDER BY rowid DESC LIMIT 1
      """, [.integer(source)]
    ) { ImportCaution.Counts(rows: $0.int(0), changed: $0.int(1), gone: $0.int(2)) }
  }

  /// The result of a run.
  struct Result: Sendable {
    var outcome: ImportSchedule.Outcome
    var problem: ImportProblem?
    /// The number of the import or of the trial run.
    var importRun: Int64?
    /// The version and digest of the file that is now imported; nil to leave the values of the last file.
    var file: (version: PublicFile.Version, digest: String)?
  }

  /// Stores the result of a run.
  ///
  /// - Returns: whether the schedule was disabled because it failed too often.
  func end(
    _ schedule: ImportSchedule, _ result: Result, _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.execute(
      """
      UPDATE import_schedule SET queued_at = NULL, ran_at = ?, outcome = ?, problem = ?, facts = ?,
        import_rowid = (SELECT rowid FROM import_run WHERE rowid = ?), failures = ?
      WHERE rowid = ?
      """,
      [
        .text(environment.now().text), .text(result.outcome.rawValue),
        SQLValue(result.problem?.code.rawValue), SQLValue(result.problem?.storedFacts),
        SQLValue(result.importRun),
        .integer(result.outcome == .failed ? schedule.failures + 1 : 0), .integer(schedule.id),
      ])
    if let file = result.file {
      try connection.execute(
        "UPDATE import_schedule SET etag = ?, last_modified = ?, digest = ? WHERE rowid = ?",
        [
          SQLValue(file.version.etag), SQLValue(file.version.lastModified), .text(file.digest),
          .integer(schedule.id),
        ])
    }
    let hasEnded = result.outcome == .failed && schedule.failures + 1 >= Self.maxFailures
    if hasEnded { try disable(schedule.id, .failures, connection) }
    return hasEnded
  }
}
