internal import CSpatiaLite
internal import Dispatch
internal import Glibc
internal import Locking

/// One open SQLite connection with its statements and its time limit.
///
/// `@unchecked Sendable`: threads may share it. The SQLite connection, the statements and the deadline are used only
/// inside ``use(_:)``, and while the connection is opened. ``interrupt()``, which SQLite allows from any thread, has a
/// separate lock, `closing`.
final class Session: @unchecked Sendable {
  let handle: OpaquePointer
  /// Serves callers in order of arrival. With a lock, a thread that writes in a loop would starve
  /// the others.
  private let queue = DispatchQueue(label: "database connection")
  private var statements: StatementCache
  /// When a running statement is interrupted, in nanoseconds of the monotonic clock. 0 means never.
  private var deadline: UInt64 = 0
  private(set) var isClosed = false
  /// Held while another thread interrupts the connection or it is marked as closed.
  private let closing = Locked(false)
  /// The first sign of file damage in this transaction, or in the last one.
  private(set) var damage: DatabaseFault?
  /// The tables passed to ``forbidReading(_:)``. SQLite's authorizer has a pointer to it.
  private var forbidden: ForbiddenTables?
  /// True inside ``transaction(_:limit:_:)``. SQLite may have ended the transaction itself after a serious error.
  private var isInTransaction = false
  /// Whether the statements of this transaction must have a quick plan.
  var isQuick = false

  /// Instructions of SQLite's virtual machine between two checks of the clock: some ten microseconds.
  private static let stepsBetweenLooks: Int32 = 1_000

  init(handle: OpaquePointer, recorder: StatementRecorder? = nil) {
    self.handle = handle
    statements = StatementCache(recorder: recorder)
    // Unretained: the session outlives its connection.
    sqlite3_progress_handler(
      handle, Self.stepsBetweenLooks, isOverdue, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { _ = finish() }

  /// Runs `body` with exclusive use of the connection, after earlier callers, on the calling
  /// thread.
  ///
  /// It cannot be nested on one session.
  func use<T>(_ body: () throws -> T) rethrows -> T { try queue.sync(execute: body) }

  /// Makes SQLite reject every statement that reads a column of these tables, including statements
  /// prepared before.
  func forbidReading(_ tables: Set<String>) {
    let forbidden = ForbiddenTables(names: tables)
    // Unretained: the session retains it.
    sqlite3_set_authorizer(handle, mayRead, Unmanaged.passUnretained(forbidden).toOpaque())
    self.forbidden = forbidden
  }

  /// Provides a bound statement to `body`.
  func withStatement<T>(
    _ sql: String, _ arguments: [SQLValue], _ body: (Statement) throws -> T
  ) throws -> T {
    let statement = try lend(sql, arguments)
    defer { giveBack(statement) }
    return try body(statement)
  }

  /// A bound statement. The caller must return it with ``giveBack(_:)``.
  func lend(_ sql: String, _ arguments: [SQLValue]) throws -> Statement {
    try lend(sql) { try $0.bind(arguments, on: handle) }
  }

  private func lend(_ sql: String, binding: (Statement) throws -> Void) throws -> Statement {
    if isClosed { throw DatabaseFault(.closed, "the database is closed") }
    if isInTransaction, sqlite3_get_autocommit(handle) != 0 {
      throw DatabaseFault(
        .transactionLost, "SQLite has rolled the transaction back after an earlier error", sql: sql)
    }
    #if DEBUG
      if isQuick { try PlanCheck.confirm(sql, on: handle) }
    #endif
    let statement = try statements.lend(sql, on: handle)
    do { try binding(statement) } catch {
      statements.giveBack(statement)
      throw error
    }
    return statement
  }

  /// The number of statements that ran, with BEGIN and COMMIT.
  var statementCount: UInt64 { use { statements.uses } }

  func giveBack(_ statement: Statement) {
    // The cached statements of a closed session are already finalised.
    if !isClosed || !statement.isInUse { statements.giveBack(statement) }
  }

  /// Starts a snapshot that lasts until ``close()``. Its statements are interrupted after `limit`.
  func begin(limit: Duration) throws {
    try run("BEGIN")
    // Starts the snapshot, which otherwise begins with the first read.
    try run("SELECT count(*) FROM sqlite_schema")
    isInTransaction = true
    self.limit(to: limit)
  }

  /// Interrupts statements after `duration` from now.
  func limit(to duration: Duration) { deadline = now() &+ nanoseconds(duration) }

  /// Runs a statement to its end.
  func run(_ sql: String, _ arguments: [SQLValue] = []) throws {
    try withStatement(sql, arguments) { statement in
      while try statement.step(on: handle) {}
    }
  }

  /// Runs a statement to its end, with the values of several lists one after the other.
  func run(_ sql: String, joining parts: [[SQLValue]]) throws {
    let statement = try lend(sql) { try $0.bind(joining: parts, on: handle) }
    defer { giveBack(statement) }
    while try statement.step(on: handle) {}
  }

  /// Runs `body` between `begin` and COMMIT, or ROLLBACK if it throws.
  func transaction<T>(_ begin: String, limit: Duration?, _ body: () throws -> T) throws -> T {
    // Repeats an earlier rollback that failed, so that one failure does not disable the connection.
    if !isClosed, sqlite3_get_autocommit(handle) == 0 { try run("ROLLBACK") }
    isQuick = false
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
      // SQLite may have rolled back already. That error came first and is more specific.
      if sqlite3_get_autocommit(handle) == 0 { try run("ROLLBACK") }
      throw error
    }
  }

  /// Runs `body` without a transaction around its queries: each sees its own snapshot.
  func queries<T>(limit: Duration?, _ body: () throws -> T) throws -> T {
    if !isClosed, sqlite3_get_autocommit(handle) == 0 { try run("ROLLBACK") }
    isQuick = false
    deadline = limit.map { now() &+ nanoseconds($0) } ?? 0
    defer { deadline = 0 }
    return try body()
  }

  /// Runs `body` in a savepoint: if it throws, only its changes are rolled back.
  func savepoint<T>(_ body: () throws -> T) throws -> T {
    try run("SAVEPOINT item")
    do {
      let result = try body()
      try run("RELEASE item")
      return result
    } catch {
      note(error)
      // Without a transaction there is no savepoint to roll back to.
      if sqlite3_get_autocommit(handle) == 0 {
        try run("ROLLBACK TO item")
        try run("RELEASE item")
      }
      throw error
    }
  }

  /// Checks every full-text table against its index. Changes nothing.
  ///
  /// - Throws: ``DatabaseFault`` of kind `corrupt` if a table is damaged.
  func checkTexts() throws {
    let connection = Connection(session: self)
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5%'"
    ) { $0.text(0) }
    for table in tables {
      do {
        // The table name is a constant in the code. It cannot be a bound value (SQLite FTS5, §6.4).
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

  /// Closes the connection after its current use. Later use throws a fault. A second call has no
  /// effect.
  func close() throws {
    if let fault = use(finish) { throw fault }
  }

  private func finish() -> DatabaseFault? {
    if isClosed { return nil }
    isClosed = true
    closing.withLock { $0 = true }
    statements.removeAll()
    if sqlite3_close(handle) == SQLITE_OK { return nil }
    let fault = DatabaseFault(connection: handle)
    // A statement is still in use. SQLite closes the connection when it is finalised.
    sqlite3_close_v2(handle)
    return fault
  }

  /// Interrupts the running statement, if any. May be called from any thread.
  func interrupt() {
    closing.withLock { isClosed in
      if !isClosed { sqlite3_interrupt(handle) }
    }
  }

  fileprivate var isPastDeadline: Bool { deadline != 0 && now() > deadline }
}

/// Nanoseconds of the monotonic clock, which is independent of changes to the system time.
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

/// SQLite's progress handler. A result other than 0 interrupts the running statement.
private func isOverdue(_ session: UnsafeMutableRawPointer?) -> Int32 {
  guard let session else { return 0 }
  return Unmanaged<Session>.fromOpaque(session).takeUnretainedValue().isPastDeadline ? 1 : 0
}

/// Tables that a connection may not read.
private final class ForbiddenTables {
  let names: Set<String>

  init(names: Set<String>) { self.names = names }
}

/// SQLite's authorizer, called while a statement is prepared. For a column read, its first argument
/// is the name of the table (https://sqlite.org/c3ref/set_authorizer.html).
private func mayRead(
  _ forbidden: UnsafeMutableRawPointer?, _ action: Int32, _ table: UnsafePointer<CChar>?,
  _ column: UnsafePointer<CChar>?, _ schema: UnsafePointer<CChar>?, _ view: UnsafePointer<CChar>?
) -> Int32 {
  guard action == SQLITE_READ, let forbidden, let table else { return SQLITE_OK }
  let names = Unmanaged<ForbiddenTables>.fromOpaque(forbidden).takeUnretainedValue().names
  return names.contains(String(cString: table)) ? SQLITE_DENY : SQLITE_OK
}
