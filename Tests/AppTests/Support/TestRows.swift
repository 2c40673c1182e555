import SpatialDatabase

// Operations of tests on whole tables, with the statements of each engine.

extension TestApp {
  /// Every row of every table, by table, except sessions, counted requests and derived data.
  func everything() throws -> [String: String] {
    // The writer's connection reads private tables too.
    try database.write { connection in
      TestEngine.isPostgreSQL
        ? try connection.everyServerRow() : try connection.everyFileRow()
    }
  }

  /// Makes insertions into a table fail if their row meets a condition, in which it is `new`.
  func refuseInsertions(into table: String, when condition: String = "TRUE") throws {
    let statements =
      TestEngine.isPostgreSQL
      ? [
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'refused'; END $$
        """,
        """
        CREATE TRIGGER refused BEFORE INSERT ON \(table) FOR EACH ROW
        WHEN (\(condition)) EXECUTE FUNCTION refuse()
        """,
      ]
      : [
        """
        CREATE TRIGGER refused BEFORE INSERT ON \(table) WHEN \(condition)
        BEGIN SELECT RAISE(ABORT, 'refused'); END
        """
      ]
    try database.write { connection in
      for statement in statements { try connection.execute(statement) }
    }
  }

  /// Ends the effect of ``refuseInsertions(into:when:)``.
  func acceptInsertions(into table: String) throws {
    try dropTrigger("refused", of: table)
    guard TestEngine.isPostgreSQL else { return }
    try database.write { try $0.execute("DROP FUNCTION refuse") }
  }

  /// Removes a trigger.
  func dropTrigger(_ name: String, of table: String) throws {
    let end = TestEngine.isPostgreSQL ? " ON \(table)" : ""
    try database.write { try $0.execute("DROP TRIGGER \(name)\(end)") }
  }
}

extension Connection {
  fileprivate func everyFileRow() throws -> [String: String] {
    let tables = try rows(
      """
      SELECT name FROM sqlite_schema
      WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT GLOB 'sqlite_*'
        AND name NOT GLOB 'idx_*' AND name NOT GLOB 'device_text*' AND name <> 'session'
        AND name <> 'personal_token' AND name NOT GLOB 'spatial*'
      """
    ) { $0.text(0) }
    return try tables.reduce(into: [:]) { found, table in
      let columns = try rows("SELECT name FROM pragma_table_info('\(table)')") {
        "quote(\"\($0.text(0))\")"
      }
      found[table] = try text(
        """
        SELECT group_concat(entry, char(10)) FROM (
          SELECT \(columns.joined(separator: " || '|' || ")) AS entry FROM "\(table)" ORDER BY 1)
        """)
    }
  }

  fileprivate func everyServerRow() throws -> [String: String] {
    let tables = try rows(
      """
      SELECT tablename FROM pg_tables WHERE schemaname = 'main'
        AND tablename NOT IN ('session', 'personal_token', 'device_text', 'counted_event')
      """
    ) { $0.text(0) }
    return try tables.reduce(into: [:]) { found, table in
      found[table] = try text(
        """
        SELECT string_agg(CAST(entry AS TEXT), chr(10) ORDER BY CAST(entry AS TEXT))
        FROM "\(table)" AS entry
        """)
    }
  }
}
