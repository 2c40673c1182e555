internal import CSpatiaLite

extension Database {
  /// The findings of ``integrityCheck()``, one sentence each.
  package struct Integrity: Equatable, Sendable {
    /// Damaged structures of the file.
    package var damages: [String] = []
    /// Indexes that do not match their tables. `REINDEX` rebuilds them.
    package var indexes: [String] = []
    /// Rows that violate a constraint of their table.
    package var rows: [String] = []

    package init() {}

    package var isSound: Bool { self == Integrity() }

    /// Classifies a finding from `PRAGMA integrity_check`. Unknown findings count as damage (`sqlite3Pragma` in
    /// https://sqlite.org/src/file/src/pragma.c).
    mutating func add(_ finding: String) {
      if finding.hasPrefix("wrong # of entries in index ")
        || (finding.hasPrefix("row ") && finding.contains(" missing from index "))
      {
        indexes.append(finding)
      } else if finding.hasPrefix("NULL value in ")
        || finding.hasPrefix("CHECK constraint failed in ")
      {
        rows.append(finding)
      } else if finding != "ok" {
        damages.append(finding)
      }
    }
  }

  /// Checks the whole file, including indexes and foreign keys, without a time limit.
  ///
  /// - Returns: the problems found. SQLite reports damage first, and at most 100 findings.
  /// - Throws: ``DatabaseFault``, of kind `ioError` if the disk could not be read.
  package func integrityCheck() throws -> Integrity {
    var found = Integrity()
    // PostgreSQL never lets rows violate their constraints, and checks pages as it reads them.
    if isOnServer { return found }
    do {
      try read(limit: .none) { connection in
        try connection.forEach("PRAGMA integrity_check(100)") { found.add($0.text(0)) }
        if !found.isSound, let refusal = connection.takeRefusal() {
          throw DatabaseFault(.ioError, "the disk could not be read: \(systemError(refusal))")
        }
        // Further queries on a damaged file would be unreliable.
        guard found.damages.isEmpty else { return }
        let orphans = try connection.rows("PRAGMA foreign_key_check") { row in
          "row \(row.int(1)) of \(row.text(0)) refers to no row of \(row.text(2))"
        }
        found.rows += orphans.prefix(100)
      }
    } catch let fault as DatabaseFault where fault.kind == .corrupt {
      // A page is so damaged that the check cannot continue.
      found.damages.append(fault.message)
    }
    return found
  }
}

extension Connection {
  /// See the function of this name. Nil on PostgreSQL.
  fileprivate func takeRefusal() -> Int32? {
    if case .sqlite(let session) = engine {
      SpatialDatabase.takeRefusal(session.handle)
    } else {
      nil
    }
  }
}
