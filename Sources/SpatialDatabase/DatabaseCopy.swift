extension Database {
  /// Copies all rows to a new database. At least one of the two databases is on PostgreSQL.
  ///
  /// Everything is one transaction of the target with its schema: if anything fails, or if a table differs afterwards,
  /// a database on PostgreSQL stays empty, and the caller removes a file.
  ///
  /// - Parameters:
  ///   - target: a database without tables, opened for writing.
  ///   - directory: the folder of the migrations, all of which have run on this database.
  ///   - left: tables that stay empty.
  ///   - digest: computes the SHA-256 of some bytes.
  ///   - report: receives each table after the comparison, in the order of their names.
  ///   - finish: copies the rest, in the same transactions.
  /// - Throws: ``DatabaseFault`` of kind `notEmpty` if the target has tables, `migration` or `newerSchema` if this
  ///   database has another schema than the migrations lead to, `value` for a text that PostgreSQL cannot store, and
  ///   `differs` if a table of the target differs.
  package func copy(
    to target: Database, migrations directory: String, without left: Set<String> = [],
    digest: @escaping TableSum.Digest, report: (TableSum) -> Void,
    finish: (_ old: Connection, _ new: Connection) throws -> Void = { _, _ in }
  ) throws {
    try confirmSchema(directory: directory)
    try target.fill(migrations: directory) { new in
      // The snapshot of the source ends before the comparison, during which it would be idle.
      let (filled, sums) = try read(limit: .none) { old in
        let copied = try TableCopier(old: old, new: new, left: left, digest: digest).copyAll()
        try finish(old, new)
        return copied
      }
      for (table, sum) in zip(filled.tables, sums) {
        guard try new.sum(of: table, digest) == sum else {
          throw DatabaseFault(.differs, "the copy of the table \(table.name) differs")
        }
        report(sum)
      }
    }
  }

  /// Checks that all migrations have run, and no others.
  private func confirmSchema(directory: String) throws {
    let known = try Migration.all(in: directory).last?.number ?? 0
    let schema = try read { try $0.hasMigrations() ? $0.schemaVersion() : 0 }
    if schema > known {
      throw DatabaseFault(
        .newerSchema,
        "the database has schema \(schema) and this Farol knows \(known). Use the Farol that made it, or a later one."
      )
    }
    guard schema == known else {
      throw DatabaseFault(
        .migration,
        schema == 0
          ? "it contains no data of Farol"
          : "it has schema \(schema), and this Farol copies schema \(known). Run farol migrate first."
      )
    }
  }
}

extension Connection {
  /// Whether migrations have run, or could have run: a file has a number in any case.
  fileprivate func hasMigrations() throws -> Bool {
    guard isOnServer else { return true }
    let tables = try integer(
      "SELECT count(*) FROM pg_tables WHERE schemaname = 'main' AND tablename = 'migration'")
    return tables == 1
  }

  /// Counts the rows of a table.
  fileprivate func sum(of table: CopiedTable, _ digest: TableSum.Digest) throws -> TableSum {
    var sum = TableSum(table: table.name)
    try forEach(table.selection) { sum.add(table.values(of: $0), digest) }
    return sum
  }
}

/// Copies all tables from one connection to another.
private struct TableCopier {
  let old: Connection
  let new: Connection
  let left: Set<String>
  let digest: TableSum.Digest

  /// The most rows of one statement: each is a round trip on PostgreSQL.
  private static let maxRows = 100
  /// The most bytes of rows with long values that wait for their statement.
  private static let maxBytes = 1 << 20

  func copyAll() throws -> (CopyTarget, [TableSum]) {
    let trees = try old.trees().union(try new.trees())
    let tables = try (new.isOnServer ? new : old).copiedTables(trees: trees)
      .filter { !left.contains($0.name) }
    guard !tables.isEmpty else {
      throw DatabaseFault(.statement, "one of the two databases must be on PostgreSQL")
    }
    for table in tables { try (new.isOnServer ? old : new).confirmColumns(of: table) }
    let target = try CopyTarget(new, tables)
    let sums = try tables.map(copy)
    try target.finish(try old.givenNumbers())
    return (target, sums)
  }

  private func copy(_ table: CopiedTable) throws -> TableSum {
    // On SQLite a statement costs no round trip, and several rows in one save nothing.
    let full = new.isOnServer ? Self.maxRows : 1
    let (one, many) = (table.insertion(of: 1), table.insertion(of: full))
    var sum = TableSum(table: table.name)
    var waiting: [[SQLValue]] = []
    var bytes = 0
    func insert() throws {
      if waiting.count == full {
        try new.execute(many, Array(waiting.joined()))
      } else {
        for row in waiting { try new.execute(one, row) }
      }
      waiting.removeAll(keepingCapacity: true)
      bytes = 0
    }
    do {
      try old.forEach(table.selection) { row in
        let values = table.values(of: row)
        sum.add(values, digest)
        waiting.append(values)
        bytes += values.reduce(0) { $0 + $1.size }
        if waiting.count == full || bytes > Self.maxBytes { try insert() }
      }
      try insert()
    } catch var fault as DatabaseFault {
      fault.message = "the table \(table.name): \(fault.message)"
      // It has the marks of a hundred rows.
      fault.sql = nil
      throw fault
    }
    return sum
  }
}

extension SQLValue {
  /// Bytes in memory, about.
  fileprivate var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    default: 8
    }
  }
}
