internal import Glibc
internal import PostgreSQL

/// Applies the PostgreSQL migrations, see ``Database/migrate(directory:preparing:)``. Several servers may start at
/// once, and servers of the earlier version may be running.
struct ServerMigrations {
  let address: ServerAddress

  /// The key of the advisory lock: "migrate" in ASCII.
  private static let turn: Int64 = 0x6D_6967_7261_7465
  /// The time for which a migration is tried while reads, such as an export, hold a table that it changes.
  private static let timeout = Duration.seconds(3_600)
  /// The time that an attempt waits for such a table. Reads that arrive later wait behind it for as long, so it is
  /// short.
  private static let attempt = "1s"

  /// A query for the sentence with which servers that know the migrations up to a number must refuse writes: one row of
  /// NULL if they need not.
  static func objection(to known: Int) -> String {
    """
    SELECT 'a newer version of Farol has changed the database to schema ' || max(left(name, 4))
      || ' and this one knows \(known). Upgrade this server.'
    FROM main.migration WHERE stops_earlier AND CAST(left(name, 4) AS BIGINT) > \(known)
    """
  }

  func apply(_ migrations: [Migration], preparing prepare: () throws -> Void) throws -> [String] {
    // A migration may take long, and others wait for it.
    var limits = ConnectionLimits()
    limits.lock = .seconds(3_600)
    let connection = try ServerConnection(address, limits: limits)
    let before = try connection.transaction(.write(turn: Self.turn)) { connection in
      try createTable(connection)
      let found = try done(connection)
      try check(found, against: migrations)
      try addColumn(connection)
      return found
    }
    if migrations.contains(where: { before[$0.name] == nil }) { try prepare() }
    return try migrations.filter { try applyPatiently($0, connection) }.map(\.name)
  }

  private func check(_ done: [String: String], against migrations: [Migration]) throws {
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
  }

  /// Runs `body` in one transaction with all migrations, on a database without Farol's tables. Other servers that start
  /// meanwhile wait for it.
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
        name          text PRIMARY KEY,
        checksum      text NOT NULL,
        applied_at    text NOT NULL,
        stops_earlier boolean NOT NULL DEFAULT false)
      """)
  }

  /// The first trials had no column `stops_earlier`.
  private func addColumn(_ connection: ServerConnection) throws {
    let isThere = try connection.first(
      """
      SELECT 1 FROM pg_attribute
      WHERE attrelid = CAST('main.migration' AS regclass) AND attname = 'stops_earlier'
      """
    ) { _ in true }
    guard isThere == nil else { return }
    try connection.execute(
      "ALTER TABLE main.migration ADD COLUMN stops_earlier boolean NOT NULL DEFAULT false")
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

  /// Tries again while other transactions hold a table that the migration changes. In between, they and all others go
  /// on.
  private func applyPatiently(
    _ migration: Migration, _ connection: ServerConnection
  ) throws -> Bool {
    let end = ContinuousClock.now + Self.timeout
    while true {
      do { return try apply(migration, connection) } catch let fault as ServerFault {
        guard [.busy, .conflict].contains(fault.kind), ContinuousClock.now < end else {
          throw fault
        }
        sleep(2)
      }
    }
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
      // Writes of all servers come before the migration or after it, none in between.
      try connection.executeScript(
        """
        SET LOCAL lock_timeout = '\(Self.attempt)';
        SELECT pg_advisory_xact_lock(\(ServerStore.turn))
        """)
      try run(migration, checksum: checksum, connection)
      return true
    }
  }

  private func run(
    _ migration: Migration, checksum: String, _ connection: ServerConnection
  ) throws {
    do { try connection.executeScript(migration.sql) } catch var fault as ServerFault {
      // The script is the whole schema.
      fault.sql = nil
      fault.message = "migration \(migration.name): \(fault.message)"
      if [.busy, .conflict].contains(fault.kind) { throw fault }
      var failure = DatabaseFault(.migration, fault.message)
      failure.sqlState = fault.sqlState
      throw failure
    }
    try connection.execute(
      """
      INSERT INTO main.migration (name, checksum, applied_at, stops_earlier)
      VALUES (?, ?, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), ?)
      """,
      [.text(migration.name), .text(checksum), .boolean(migration.stopsEarlier)])
  }
}
