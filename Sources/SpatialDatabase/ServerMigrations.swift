internal import PostgreSQL

/// Applies the migrations of PostgreSQL, see ``Database/migrate(directory:)``. Several servers may start at once.
struct ServerMigrations {
  let address: ServerAddress

  /// The key of the advisory lock: "migrate" in ASCII.
  private static let turn: Int64 = 0x6D_6967_7261_7465

  func apply(_ migrations: [Migration]) throws -> [String] {
    // A migration may take long, and others wait for it.
    var limits = ConnectionLimits()
    limits.lock = .seconds(3_600)
    let connection = try ServerConnection(address, limits: limits)
    let done = try connection.transaction(.write(turn: Self.turn)) { connection in
      try createTable(connection)
      return try self.done(connection)
    }
    let known = migrations.last?.number ?? 0
    let newest = done.keys.compactMap { Int($0.prefix(4)) }.max() ?? 0
    guard newest <= known else {
      throw DatabaseFault(
        .newerSchema,
        """
        the database at \(address) has schema \(newest) and this Farol knows \(known). \
        Use the Farol that made it, or a later one.
        """)
    }
    try Migration.check(ran: Set(done.keys), against: migrations)
    return try migrations.filter { try apply($0, connection) }.map(\.name)
  }

  /// Runs `body` in one transaction with all migrations, on a database without tables of Farol. Other servers that
  /// start meanwhile wait for it.
  func fill<T>(_ migrations: [Migration], _ body: (ServerConnection) throws -> T) throws -> T {
    var limits = ConnectionLimits()
    limits.lock = .seconds(3_600)
    let connection = try ServerConnection(address, limits: limits)
    return try connection.transaction(.write(turn: Self.turn)) { connection in
      let isUsed = try connection.first(
        "SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = 'main' LIMIT 1"
      ) { _ in true }
      guard isUsed == nil else {
        throw DatabaseFault(
          .notEmpty, "the database at \(address) is not empty. Create a new one.")
      }
      try createTable(connection)
      for migration in migrations {
        try run(migration, checksum: try checksum(of: migration, connection), connection)
      }
      return try body(connection)
    }
  }

  private func createTable(_ connection: ServerConnection) throws {
    try connection.executeScript(
      """
      CREATE SCHEMA IF NOT EXISTS main;
      CREATE TABLE IF NOT EXISTS main.migration (
        name       text PRIMARY KEY,
        checksum   text NOT NULL,
        applied_at text NOT NULL)
      """)
  }

  private func checksum(of migration: Migration, _ connection: ServerConnection) throws -> String {
    try connection.first("SELECT md5(?)", [.text(migration.sql)]) { $0.text(0) } ?? ""
  }

  private func done(_ connection: ServerConnection) throws -> [String: String] {
    let rows = try connection.rows("SELECT name, checksum FROM main.migration") {
      ($0.text(0), $0.text(1))
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// - Returns: false if it has run before, perhaps by another server just now.
  private func apply(_ migration: Migration, _ connection: ServerConnection) throws -> Bool {
    try connection.transaction(.write(turn: Self.turn)) { connection in
      let checksum = try checksum(of: migration, connection)
      if let before = try done(connection)[migration.name] {
        guard before == checksum else {
          throw DatabaseFault(.migration, "migration \(migration.name) was edited after it ran")
        }
        return false
      }
      try run(migration, checksum: checksum, connection)
      return true
    }
  }

  private func run(
    _ migration: Migration, checksum: String, _ connection: ServerConnection
  ) throws {
    do { try connection.executeScript(migration.sql) } catch let fault as ServerFault {
      throw DatabaseFault(.migration, "migration \(migration.name): \(fault.message)")
    }
    try connection.execute(
      """
      INSERT INTO main.migration (name, checksum, applied_at)
      VALUES (?, ?, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
      """,
      [.text(migration.name), .text(checksum)])
  }
}
