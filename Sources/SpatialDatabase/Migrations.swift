internal import CSpatiaLite

extension FileStore {
  /// See ``Database/migrate(directory:preparing:)``. `user_version` is the last number. Foreign keys are not enforced
  /// during a migration, so that it can rebuild a table. They are checked before it commits.
  func migrate(directory: String) throws -> [String] {
    let migrations = try Migration.all(in: directory)
    return try openWriter().withSession { session in
      try session.run("PRAGMA foreign_keys = OFF")
      defer { try? session.run("PRAGMA foreign_keys = ON") }
      return try MigrationRun(session: session, path: path).apply(migrations)
    }
  }

  /// See ``Database/fill(migrations:_:)``.
  func fill<T>(directory: String, _ body: (Connection) throws -> T) throws -> T {
    let count = try read(limit: nil) { try $0.integer("SELECT count(*) FROM sqlite_schema") }
    guard count == 0 else {
      throw DatabaseFault(.notEmpty, "\(path) is not empty. Name a new file.")
    }
    _ = try migrate(directory: directory)
    return try openWriter().transaction(body)
  }
}

/// Access to the table `migration`.
private struct MigrationRun {
  let session: Session
  let path: String

  private var connection: Connection { Connection(session: session) }

  func apply(_ migrations: [Migration]) throws -> [String] {
    let known = migrations.last?.number ?? 0
    let version = try connection.integer("PRAGMA user_version") ?? 0
    guard version <= Int64(known) else {
      throw DatabaseFault(
        .newerSchema,
        """
        \(path) has schema \(version) and this Farol knows \(known). \
        Use the Farol that made it, or a later one.
        """)
    }
    try session.transaction("BEGIN IMMEDIATE", limit: nil) {
      try connection.execute(
        """
        CREATE TABLE IF NOT EXISTS migration (
          name       TEXT PRIMARY KEY,
          checksum   TEXT NOT NULL,
          applied_at TEXT NOT NULL)
        """)
    }
    let done = Dictionary(
      try connection.rows("SELECT name, checksum FROM migration") { ($0.text(0), $0.text(1)) },
      uniquingKeysWith: { first, _ in first })
    try Migration.check(ran: Set(done.keys), against: migrations)
    var applied: [String] = []
    for migration in migrations {
      let checksum = try checksum(of: migration)
      if let before = done[migration.name] {
        guard before == checksum else {
          throw DatabaseFault(.migration, "migration \(migration.name) was edited after it ran")
        }
      } else {
        try apply(migration, checksum: checksum)
        applied.append(migration.name)
      }
    }
    return applied
  }

  /// MD5 protects against accidental edits, not against attackers: anyone who can change a
  /// migration can also change Farol.
  private func checksum(of migration: Migration) throws -> String {
    try connection.text("SELECT MD5Checksum(?)", [.text(migration.sql)]) ?? ""
  }

  private func apply(_ migration: Migration, checksum: String) throws {
    try session.transaction("BEGIN IMMEDIATE", limit: nil) {
      try migration.run(on: session.handle)
      if let orphan = try connection.first("PRAGMA foreign_key_check", decode: { $0.text(0) }) {
        throw DatabaseFault(
          .migration, "migration \(migration.name) leaves rows of \(orphan) without their parents")
      }
      try connection.execute(
        """
        INSERT INTO migration (name, checksum, applied_at)
        VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
        """,
        [.text(migration.name), .text(checksum)])
      // A pragma accepts no bound values. The number is a constant in the code.
      try connection.execute("PRAGMA user_version = \(migration.number)")
    }
  }
}
