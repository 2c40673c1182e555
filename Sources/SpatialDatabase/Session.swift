internal import CSpatiaLite
internal import Glibc
internal import Locking

/// One open SQLite connection with its statements and its time limit.
///
/// `@unchecked Sendable`: SQLite's connection, the statements and the deadline are touched only
/// inside the serial queue of the GRDB `DatabaseQueue` that opened the connection; ``interrupt()``,
/// which SQLite allows from any thread, has a lock of its own.
final class Session: @unchecked Sendable {
  let handle: OpaquePointer
  private var statements = StatementCache()
  /// Nanoseconds of the monotonic clock after which a running statement ends; 0 for never.
  private var deadline: UInt64 = 0
  private(set) var isClosed = false
  /// Held while the connection is interrupted from another thread, or marked as closed.
  private let closing = Locked(false)
  /// The first damage of the file that a statement of this transaction, or the last, met.
  private(set) var damage: DatabaseFault?
  /// What ``forbidReading(_:)`` names; SQLite's authorizer points to it.
  private var forbidden: ForbiddenTables?
  /// Inside ``transaction(_:_:)``; SQLite may have ended it on its own after a serious error.
  private var isInTransaction = false

  /// How many of SQLite's own steps lie between two looks at the clock: some ten microseconds.
  private static let stepsBetweenLooks: Int32 = 1_000

  init(handle: OpaquePointer) {
    self.handle = handle
    // Unretained: close() takes the handler away, and the session outlives its connection.
    sqlite3_progress_handler(
      handle, Self.stepsBetweenLooks, isOverdue, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Makes SQLite refuse every statement that reads a column of these tables, those of before too.
  func forbidReading(_ tables: Set<String>) {
    let forbidden = ForbiddenTables(names: tables)
    // Unretained: the session holds it, and close() takes the authorizer away.
    sqlite3_set_authorizer(handle, mayRead, Unmanaged.passUnretained(forbidden).toOpaque())
    self.forbidden = forbidden
  }

  /// Lends a bound statement and takes it back.
  func withStatement<T>(
    _ sql: String, _ arguments: [SQLValue], _ body: (Statement) throws -> T
  ) throws -> T {
    let statement = try lend(sql, arguments)
    defer { giveBack(statement) }
    return try body(statement)
  }

  /// A bound statement, which ``giveBack(_:)`` must follow.
  func lend(_ sql: String, _ arguments: [SQLValue]) throws -> Statement {
    if isClosed { throw DatabaseFault(.closed, "the database is closed") }
    if isInTransaction, sqlite3_get_autocommit(handle) != 0 {
      throw DatabaseFault(
        .transactionLost, "SQLite has rolled the transaction back after an earlier error", sql: sql)
    }
    let statement = try statements.lend(sql, on: handle)
    do { try statement.bind(arguments, on: handle) } catch {
      statements.giveBack(statement)
      throw error
    }
    return statement
  }

  func giveBack(_ statement: Statement) {
    // Those of a closed session are finalised already.
    if !isClosed { statements.giveBack(statement) }
  }

  /// Begins a snapshot that lasts until ``end()``; all its statements end after `limit`.
  func begin(limit: Duration) throws {
    try run("BEGIN")
    // Fixes the snapshot, which otherwise begins with the first read.
    try run("SELECT count(*) FROM sqlite_schema")
    isInTransaction = true
    self.limit(to: limit)
  }

  /// Ends statements after so long from now.
  func limit(to duration: Duration) { deadline = now() &+ nanoseconds(duration) }

  /// Lets the snapshot go.
  func end() throws {
    deadline = 0
    isInTransaction = false
    if sqlite3_get_autocommit(handle) == 0 { try run("ROLLBACK") }
  }

  /// Runs a statement to its end.
  func run(_ sql: String, _ arguments: [SQLValue] = []) throws {
    try withStatement(sql, arguments) { statement in
      while try statement.step(on: handle) {}
    }
  }

  /// Runs `body` between `begin` and COMMIT, or ROLLBACK if it throws.
  func transaction<T>(_ begin: String, limit: Duration?, _ body: () throws -> T) throws -> T {
    try run(begin)
    isInTransaction = true
    damage = nil
    deadline = limit.map { now() &+ nanoseconds($0) } ?? 0
    do {
      let result = try body()
      deadline = 0
      try run("COMMIT")
      isInTransaction = false
      return result
    } catch {
      deadline = 0
      isInTransaction = false
      note(error)
      // SQLite may have rolled back already; that error came first and says more.
      if sqlite3_get_autocommit(handle) == 0 { try run("ROLLBACK") }
      throw error
    }
  }

  /// Runs `body` as one item of the transaction: if it throws, only its changes are undone.
  func savepoint<T>(_ body: () throws -> T) throws -> T {
    try run("SAVEPOINT item")
    do {
      let result = try body()
      try run("RELEASE item")
      return result
    } catch {
      note(error)
      // Without a transaction there is no savepoint left to go back to.
      if sqlite3_get_autocommit(handle) == 0 {
        try run("ROLLBACK TO item")
        try run("RELEASE item")
      }
      throw error
    }
  }

  /// Has every full text compared with its index; nothing is changed.
  ///
  /// - Throws: ``DatabaseFault`` of kind `corrupt` where one is damaged.
  func checkTexts() throws {
    let connection = Connection(session: self)
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5%'"
    ) { $0.text(0) }
    for table in tables {
      do {
        // Our own name, which cannot be a bound value (SQLite FTS5, §6.4).
        try run("INSERT INTO \(table) (\(table)) VALUES ('integrity-check')")
      } catch let fault as DatabaseFault where fault.kind == .corrupt {
        throw DatabaseFault(
          .corrupt, "the database is damaged: the full text \(table): \(fault.message)",
          code: fault.code)
      }
    }
  }

  private func note(_ error: any Error) {
    guard damage == nil, let fault = error as? DatabaseFault, fault.kind == .corrupt else { return }
    damage = fault
  }

  /// Finalises the statements, so that the connection can close; later use is a fault.
  func close() {
    if isClosed { return }
    isClosed = true
    closing.withLock { $0 = true }
    statements.removeAll()
    sqlite3_progress_handler(handle, 0, nil, nil)
    if forbidden != nil { sqlite3_set_authorizer(handle, nil, nil) }
  }

  /// Ends the statement that runs now, if one does; from any thread.
  func interrupt() {
    closing.withLock { isClosed in
      if !isClosed { sqlite3_interrupt(handle) }
    }
  }

  fileprivate var isPastDeadline: Bool { deadline != 0 && now() > deadline }
}

/// Nanoseconds of the monotonic clock, which no change of the system's time moves.
private func now() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
    &+ UInt64(truncatingIfNeeded: time.tv_nsec)
}

/// A duration in nanoseconds, at least 1.
private func nanoseconds(_ duration: Duration) -> UInt64 {
  let (seconds, attoseconds) = duration.components
  let whole = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
  guard !whole.overflow, whole.partialValue < UInt64.max / 4 else { return UInt64.max / 4 }
  return max(1, whole.partialValue &+ UInt64(clamping: attoseconds / 1_000_000_000))
}

/// SQLite's progress handler: anything but 0 ends the running statement.
private func isOverdue(_ session: UnsafeMutableRawPointer?) -> Int32 {
  guard let session else { return 0 }
  return Unmanaged<Session>.fromOpaque(session).takeUnretainedValue().isPastDeadline ? 1 : 0
}

/// Tables that a connection may not read.
private final class ForbiddenTables {
  let names: Set<String>

  init(names: Set<String>) { self.names = names }
}

/// SQLite's authorizer, asked while a statement is prepared: for a column that is read it gets the
/// table's name first (https://sqlite.org/c3ref/set_authorizer.html).
private func mayRead(
  _ forbidden: UnsafeMutableRawPointer?, _ action: Int32, _ table: UnsafePointer<CChar>?,
  _ column: UnsafePointer<CChar>?, _ schema: UnsafePointer<CChar>?, _ view: UnsafePointer<CChar>?
) -> Int32 {
  guard action == SQLITE_READ, let forbidden, let table else { return SQLITE_OK }
  let names = Unmanaged<ForbiddenTables>.fromOpaque(forbidden).takeUnretainedValue().names
  return names.contains(String(cString: table)) ? SQLITE_DENY : SQLITE_OK
}
