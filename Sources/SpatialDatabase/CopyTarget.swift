/// The last number that each table has issued, by the name of the table.
typealias GivenNumbers = [String: Int64]

/// A new database while rows are copied to it: without rows, triggers and foreign keys.
struct CopyTarget {
  let connection: Connection
  let tables: [CopiedTable]
  /// Statements that restore the triggers or foreign keys that were dropped.
  private let restoration: [String]

  /// Empties the tables, which contain the rows of a new instance.
  init(_ connection: Connection, _ tables: [CopiedTable]) throws {
    (self.connection, self.tables) = (connection, tables)
    restoration =
      connection.isOnServer
      ? try connection.dropForeignKeys(tables) : try connection.dropTriggers()
    for table in tables { try connection.execute("DELETE FROM \(table.name)") }
    if !connection.isOnServer {
      for table in tables {
        try connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", [.text(table.name)])
      }
    }
  }

  /// Completes the schema again, checks the foreign keys, and continues the numbers.
  func finish(_ numbers: GivenNumbers) throws {
    for statement in restoration { try connection.execute(statement) }
    if connection.isOnServer {
      try connection.continueSequences(numbers)
      for table in tables { try connection.execute("ANALYZE \(table.name)") }
    } else {
      if let table = try connection.text("SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1") {
        throw DatabaseFault(
          .constraint(.foreignKey), "a row of \(table) refers to a row that does not exist")
      }
      try connection.continueAutoincrement(numbers)
    }
  }
}

extension Connection {
  /// The last numbers of the tables that do not issue a number twice.
  func givenNumbers() throws -> GivenNumbers {
    let numbers = try rows(
      isOnServer
        ? """
        SELECT relname, coalesce(
          pg_sequence_last_value(CAST(pg_get_serial_sequence(CAST(attrelid AS regclass)::text, attname) AS regclass)), 0)
        FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
        WHERE relnamespace = CAST('main' AS regnamespace) AND attidentity <> ''
        """ : "SELECT name, seq FROM sqlite_sequence"
    ) { ($0.text(0), $0.int(1)) }
    return Dictionary(numbers) { first, _ in first }
  }

  fileprivate func dropTriggers() throws -> [String] {
    // Checked at the end of the transaction, because tables are filled in the order of their names.
    try execute("PRAGMA defer_foreign_keys = ON")
    let triggers = try rows("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'") {
      (name: $0.text(0), sql: $0.text(1))
    }
    for trigger in triggers { try execute("DROP TRIGGER \"\(trigger.name)\"") }
    return triggers.map(\.sql)
  }

  /// Only a superuser may stop the triggers of foreign keys.
  fileprivate func dropForeignKeys(_ tables: [CopiedTable]) throws -> [String] {
    let keys = try rows(
      """
      SELECT CAST(CAST(conrelid AS regclass) AS text), quote_ident(conname), pg_get_constraintdef(oid)
      FROM pg_constraint WHERE contype = 'f' AND connamespace = CAST('main' AS regnamespace)
      ORDER BY conname
      """
    ) { (table: $0.text(0), name: $0.text(1), definition: $0.text(2)) }
    for key in keys { try execute("ALTER TABLE \(key.table) DROP CONSTRAINT \(key.name)") }
    for table in tables { try execute("ALTER TABLE \(table.name) DISABLE TRIGGER USER") }
    return tables.map { "ALTER TABLE \($0.name) ENABLE TRIGGER USER" }
      + keys.map { "ALTER TABLE \($0.table) ADD CONSTRAINT \($0.name) \($0.definition)" }
  }

  fileprivate func continueSequences(_ numbers: GivenNumbers) throws {
    let columns = try rows(
      """
      SELECT relname, quote_ident(attname) FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
      WHERE relnamespace = CAST('main' AS regnamespace) AND attidentity <> ''
      """
    ) { (table: $0.text(0), column: $0.text(1)) }
    for (table, column) in columns {
      // The sequence of a table without issued numbers stays unset.
      _ = try integer(
        """
        SELECT setval(pg_get_serial_sequence('main.\(checked(table))', '\(checked(column))'), last)
        FROM (SELECT greatest(CAST(? AS BIGINT), max(\(column))) AS last FROM \(table)) AS numbers
        WHERE last > 0
        """, [.integer(numbers[table] ?? 0)])
    }
  }

  /// SQLite itself continues the numbers of other tables after their highest row.
  fileprivate func continueAutoincrement(_ numbers: GivenNumbers) throws {
    let tables = try rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '% AUTOINCREMENT%'"
    ) { $0.text(0) }
    for table in tables {
      let highest =
        try integer("SELECT seq FROM sqlite_sequence WHERE name = ?", [.text(table)]) ?? 0
      let last = max(highest, numbers[table] ?? 0)
      guard last > 0 else { continue }
      try execute("DELETE FROM sqlite_sequence WHERE name = ?", [.text(table)])
      try execute(
        "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [.text(table), .integer(last)])
    }
  }
}
