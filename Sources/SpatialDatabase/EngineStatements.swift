// Statements of one engine alone, about the schema and the upkeep of its indexes.

extension Connection {
  /// Whether the connection is one to PostgreSQL.
  var isOnServer: Bool { if case .postgresql = engine { true } else { false } }

  /// Whether triggers may be dropped for a moment and indexes for a load, which makes SQLite faster. PostgreSQL would
  /// lock the table for all others.
  package var mayDropTriggers: Bool { !isOnServer }

  /// The number of the last migration.
  package func schemaVersion() throws -> Int {
    let statement =
      isOnServer
      ? "SELECT max(CAST(left(name, 4) AS BIGINT)) FROM migration" : "PRAGMA user_version"
    return Int(try integer(statement) ?? 0)
  }

  /// The definition of the trigger, index, table or view with this name. Nil if it does not exist. `type` is
  /// the type in `sqlite_schema`.
  package func definition(of type: String, _ name: String) throws -> String? {
    try text(
      isOnServer
        ? """
        SELECT definition FROM (
          SELECT 'index' AS type, indexname AS name, indexdef AS definition FROM pg_indexes
          UNION ALL SELECT 'view', viewname, definition FROM pg_views
          UNION ALL SELECT 'table', tablename, '' FROM pg_tables
          UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger) AS all_of_them
        WHERE type = ? AND name = ?
        """ : "SELECT sql FROM sqlite_schema WHERE type = ? AND name = ?",
      [.text(type), .text(name)])
  }

  /// The columns of a table, in order, without generated ones, and without a row id that has no other name.
  package func columns(of table: String) throws -> [String] {
    try rows(
      isOnServer
        ? """
        SELECT column_name FROM information_schema.columns
        WHERE table_schema = 'main' AND table_name = ? AND is_generated = 'NEVER'
          AND NOT (column_name = 'rowid' AND NOT EXISTS (
            SELECT 1 FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
            WHERE indrelid = CAST('main.' || quote_ident(table_name) AS regclass) AND indisprimary
              AND attname = 'rowid'))
        ORDER BY ordinal_position
        """ : "SELECT name FROM pragma_table_info(?)", [.text(table)]
    ) { $0.text(0) }
  }

  /// Column definitions for a temporary table with the columns of another table. SQLite needs no types.
  package func definitions(of columns: [String], like table: String) throws -> [String] {
    if !isOnServer { return columns }
    let types = Dictionary(
      try rows(
        "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = ?",
        [.text(table)]
      ) { ($0.text(0), $0.text(1)) }, uniquingKeysWith: { first, _ in first })
    return columns.map { column in types[column].map { "\(column) \($0)" } ?? column }
  }

  /// Lets the next row of a table get a number above all others, after rows with given numbers. SQLite does so itself.
  package func continueNumbers(of table: String) throws {
    guard isOnServer else { return }
    _ = try integer(
      """
      SELECT setval(pg_get_serial_sequence('main.\(checked(table))', 'rowid'), max(rowid))
      FROM \(table) HAVING max(rowid) IS NOT NULL
      """)
  }

  /// The seconds by which a clock that shows `now`, in seconds since 1970, is ahead of PostgreSQL's clock. 0 on SQLite.
  package func secondsAhead(_ now: Int64) throws -> Int64 {
    guard isOnServer else { return 0 }
    let theirs = try integer("SELECT CAST(extract(epoch FROM clock_timestamp()) AS BIGINT)")
    return theirs.map { now - $0 } ?? 0
  }

  /// The size of the database and of its log in bytes.
  package func size() throws -> (database: Int64, log: Int64) {
    if isOnServer {
      return (try integer("SELECT pg_database_size(current_database())") ?? 0, 0)
    }
    let path = try text("SELECT file FROM pragma_database_list WHERE name = 'main'") ?? ""
    return (Int64(FileFormat.size(path) ?? 0), Int64(FileFormat.size(path + "-wal") ?? 0))
  }

  /// A query for the keys in the index of `<table>_text`, as `key`.
  package func textKeys(of table: String) -> String {
    isOnServer
      ? "SELECT rowid AS key FROM \(checked(table))_text"
      : "SELECT id AS key FROM \(checked(table))_text_docsize"
  }

  /// The damage inside an R*Tree; nil without damage, and on PostgreSQL, which has no R*Trees.
  package func damage(ofTree name: String) throws -> String? {
    if isOnServer { return nil }
    let words = try text("SELECT rtreecheck('main', ?)", [.text(name)])
    return words == "ok" ? nil : words ?? ""
  }

  /// Merges the index of `<table>_text` into one segment. PostgreSQL needs none.
  package func optimizeTexts(of table: String) throws {
    if isOnServer { return }
    let texts = "\(checked(table))_text"
    try execute("INSERT INTO \(texts) (\(texts)) VALUES ('optimize')")
  }

  /// Keeps the segments of the index of `<table>_text` as they are written until ``optimizeTexts(of:)`` merges all of
  /// them at once, or merges them as they come (SQLite FTS5, §6.1 and §6.4). It has no effect on PostgreSQL.
  package func mergeTextsLate(of table: String, _ isLate: Bool) throws {
    if isOnServer { return }
    let texts = "\(checked(table))_text"
    for (setting, late, usual) in [("automerge", 0, 4), ("crisismerge", 1_999, 16)] {
      try execute(
        "INSERT INTO \(texts) (\(texts), rank) VALUES (?, ?)",
        [.text(setting), SQLValue(isLate ? late : usual)])
    }
  }

  /// Merges at most `pages` pages of the index of `<table>_text`. A negative number begins a merge of all segments.
  ///
  /// - Returns: false when nothing is left to merge (SQLite FTS5, §6.8).
  package func mergeTexts(of table: String, pages: Int64) throws -> Bool {
    if isOnServer { return false }
    let texts = "\(checked(table))_text"
    let before = try integer("SELECT total_changes()") ?? 0
    try execute("INSERT INTO \(texts) (\(texts), rank) VALUES ('merge', ?)", [.integer(pages)])
    let after = try integer("SELECT total_changes()") ?? 0
    return after - before >= 2
  }
}
