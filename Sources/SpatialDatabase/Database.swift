internal import CSpatiaLite
internal import Dispatch
internal import Locking
internal import Metrics

/// Farol's database: a SQLite file with SpatiaLite, or a PostgreSQL database with PostGIS.
///
/// Calls block the calling thread. A read sees one snapshot, a write is one transaction, and they
/// do not block each other. All errors are ``DatabaseFault``, except errors thrown by a closure.
package final class Database: Sendable {
  package struct Configuration: Sendable {
    /// The number of concurrent reads. Further reads wait.
    package var readers = 4
    /// The number of these that only ``Database/readQuickly(limit:_:)`` uses, so that costly reads never take the last
    /// connection. None of one or two, because work in the background may need two at once.
    var quickReaders: Int { readers > 2 ? 1 : 0 }
    /// The maximum number of concurrent snapshots for exports, each with a separate connection.
    package var snapshots = 4
    /// The time that a statement waits for a lock, and a read for a free connection.
    package var busyTimeout = Duration.milliseconds(5_000)
    /// Maximum time of a read, including the work of its closure between rows.
    package var queryTimeLimit = Duration.seconds(2)
    /// Opens the file next to a running server, for a copy, an export or a check. Takes no lock,
    /// writes nothing and creates no file.
    package var readOnly = false
    /// The time that opening waits for the check of the file.
    ///
    /// By default, as long as a restart can afford. If the file is so large that the check cannot finish in that
    /// time, opening does not wait: the check continues in the background and stops all writes if it finds damage.
    /// ``Database/integrityCheck()`` checks more.
    package var startCheckLimit = TimeLimit.usual
    /// Whether the process serves no requests, as in a command that loads devices. The writer then caches more pages
    /// and checkpoints less often.
    package var servesNobody = false
    /// The URL of a PostgreSQL standby for public reads while the primary does not answer (``ReplicaUse``).
    package var replica: String?
    /// Recognises a PostgreSQL database that is behind. Nil for a command, which has seen nothing before.
    package var continuity: Continuity?

    package init() {}
  }

  /// A time limit.
  package enum TimeLimit: Sendable {
    /// The limit in the configuration.
    case usual
    /// No limit, for exports and checks.
    case none
    case after(Duration)

    /// Nil for no limit.
    func duration(usual: Duration) -> Duration? {
      switch self {
      case .usual: usual
      case .none: nil
      case .after(let duration): duration
      }
    }
  }

  private enum Engine {
    case sqlite(FileStore)
    case postgresql(ServerStore)
  }

  /// The path of the file. On PostgreSQL, the path that the names of local files begin with.
  package let path: String
  /// Metrics of the database.
  package let activity: DatabaseActivity
  let configuration: Configuration
  /// Whether the process serves no requests, see ``Configuration``.
  package var servesNobody: Bool { configuration.servesNobody }
  private let engine: Engine
  /// One for each read that need not be quick.
  private let costlyReads: DispatchSemaphore

  /// Opens the file. Creates it unless the configuration is read-only.
  ///
  /// - Throws: ``DatabaseFault`` of kind `locked` when another process is serving from the file,
  ///   `notFarol`, `corrupt` or `unreadable`.
  package init(path: String, configuration: Configuration = .init()) throws {
    (self.path, self.configuration) = (path, configuration)
    activity = DatabaseActivity()
    costlyReads = DispatchSemaphore(value: configuration.readers - configuration.quickReaders)
    engine = .sqlite(try FileStore(path: path, configuration: configuration, activity: activity))
  }

  /// Connects to a PostgreSQL database.
  ///
  /// - Parameters:
  ///   - url: `postgresql://…`, see ``isServer(_:)``.
  ///   - path: the path that the names of local files begin with.
  ///   - configuration: the same for both engines, as far as it concerns PostgreSQL.
  /// - Throws: ``DatabaseFault`` with one sentence for the administrator.
  package init(server url: String, path: String, configuration: Configuration = .init()) throws {
    (self.path, self.configuration) = (path, configuration)
    activity = DatabaseActivity()
    costlyReads = DispatchSemaphore(value: configuration.readers - configuration.quickReaders)
    engine = .postgresql(
      try ServerStore(url: url, configuration: configuration, activity: activity))
  }

  /// Whether a location is the URL of a PostgreSQL database, not a path.
  package static func isServer(_ location: String) -> Bool {
    location.hasPrefix("postgresql://") || location.hasPrefix("postgres://")
  }

  /// Whether the database is on PostgreSQL.
  var isOnServer: Bool { if case .postgresql = engine { true } else { false } }

  /// Whether several servers may serve from it. They then share limits, leases and keys through it.
  package var isShared: Bool { isOnServer }

  /// Whether uploaded and nightly files are in its tables, not in folders next to it.
  package var holdsFiles: Bool { isOnServer }

  /// A separate connection for long reads of private tables, which the caller closes. Nil if ``readPrivate(limit:_:)``
  /// holds up no request.
  package func readerBeside() throws -> Database? {
    if isOnServer { return nil }
    var configuration = Configuration()
    configuration.readOnly = true
    configuration.readers = 1
    return try Database(path: path, configuration: configuration)
  }

  /// The result of the file check at the time when opening continued. Nil for a read-only database and on PostgreSQL.
  package var startCheck: StartCheckOutcome? { file?.startCheck }

  /// Whether the file was not closed properly before.
  package var wasInterrupted: Bool { file?.wasInterrupted ?? false }

  /// The number of statements that SQLite ran on its pooled readers and the writer, with BEGIN and COMMIT, for tests
  /// that hold the number of a request. 0 on PostgreSQL.
  package var statementCount: UInt64 { file?.statementCount ?? 0 }

  /// The file store, or nil on PostgreSQL.
  var file: FileStore? { if case .sqlite(let store) = engine { store } else { nil } }

  /// The store on PostgreSQL, or nil for a file.
  var server: ServerStore? { if case .postgresql(let store) = engine { store } else { nil } }

  /// The number of running reads, and the maximum.
  package var readersInUse: (busy: Int, all: Int) {
    switch engine {
    case .sqlite(let store): store.readersInUse
    case .postgresql(let store): store.readersInUse
    }
  }

  /// Runs `body` on one snapshot, on the calling thread.
  ///
  /// The snapshot contains the commits before its first statement. A nested read takes a second
  /// connection. A read inside a write does not see the changes of that write.
  ///
  /// Its cost may depend on the data and on the request, so a thread that serves sockets cannot call it: the handler
  /// then runs once more, in a queue.
  ///
  /// - Throws: ``DatabaseFault`` of kind `interrupted` when the time limit stopped a statement,
  ///   `readOnly` on an attempt to write, ``TooCostly`` on a thread that serves sockets, and errors from `body`.
  package func read<T>(
    limit: TimeLimit = .usual, _ body: (Connection) throws -> T
  ) throws -> T {
    if case .postgresql(let store) = engine { try store.confirmAnswer() }
    try SocketThread.leave()
    try awaitCostlyRead()
    defer { costlyReads.signal() }
    let limit = limit.duration(usual: configuration.queryTimeLimit)
    return switch engine {
    case .sqlite(let store): try store.read(limit: limit, body)
    case .postgresql(let store): try store.read(limit: limit, body)
    }
  }

  private func awaitCostlyRead() throws(DatabaseFault) {
    let now = DispatchTime.now()
    // Usually a reader is free. Such a read is not recorded as a wait.
    if costlyReads.wait(timeout: now) == .success { return }
    defer { activity.readerWait.observe(nanosecondsSince: now) }
    let timeout = DispatchTimeInterval.milliseconds(configuration.busyTimeout.wholeMilliseconds)
    guard costlyReads.wait(timeout: now + timeout) == .success else {
      activity.refusedReads.add()
      throw DatabaseFault(.busy, "all readers are busy")
    }
  }

  /// Like ``read(limit:_:)``, for reads that are quick whatever the data and the request are: each statement finds its
  /// rows by a key or an index, and there is a limit to their number. Threads that serve sockets may call it.
  ///
  /// A debug build checks the plan of each statement (``PlanCheck``).
  ///
  /// - Throws: the same, and ``TooCostly`` on a thread that serves sockets if it was not quick after all.
  package func readQuickly<T>(
    limit: TimeLimit = .usual, _ body: (Connection) throws -> T
  ) throws -> T {
    try readQuickly(limit: limit, ReadPlan(isOneQuery: false), body)
  }

  /// Like ``readQuickly(limit:_:)``, for a read that usually makes one query. A single query sees one snapshot by
  /// itself: SQLite needs no BEGIN and COMMIT, and PostgreSQL one statement in one round trip. A further query sees a
  /// later snapshot.
  package func readOnce<T>(_ body: (Connection) throws -> T) throws -> T {
    try readQuickly(limit: .usual, ReadPlan(isOneQuery: true), body)
  }

  private func readQuickly<T>(
    limit: TimeLimit, _ plan: ReadPlan, _ body: (Connection) throws -> T
  ) throws -> T {
    guard SocketThread.isCurrent else {
      return try read(limit: limit) { connection in
        var planned = connection
        planned.plan = plan
        return try body(planned)
      }
    }
    let limit = limit.duration(usual: configuration.queryTimeLimit)
    switch engine {
    case .sqlite(let store):
      do {
        return try store.read(
          limit: limit.map { min($0, Self.quickTime) } ?? Self.quickTime, plan: plan, body)
      } catch let fault as DatabaseFault where fault.kind == .interrupted {
        try SocketThread.leave()
        throw fault
      }
    case .postgresql(let store):
      do {
        return try store.read(limit: limit, quickly: Self.quickTime, plan: plan, body)
      } catch let fault as DatabaseFault where fault.isOfDelay {
        try SocketThread.leave()
        throw fault
      }
    }
  }

  /// The time that a quick read may take on a thread that serves sockets, on a busy machine.
  private static let quickTime = Duration.milliseconds(500)

  /// Prevents ``read(limit:_:)`` from reading these tables: SQLite rejects any statement that reads
  /// one of their columns, and PostgreSQL runs reads as a role without the right to read them. A mistake in a query
  /// therefore cannot reveal confidential data.
  package func forbidReading(_ tables: Set<String>) throws {
    switch engine {
    case .sqlite(let store): store.forbidReading(tables)
    case .postgresql(let store): try store.forbidReading(tables)
    }
  }

  /// Like ``read(limit:_:)``, but for the tables passed to ``forbidReading(_:)``. Uses a separate connection without
  /// SpatiaLite, one read at a time. Threads that serve sockets cannot call it, because it may have to wait.
  package func readPrivate<T>(
    limit: TimeLimit = .usual, _ body: (Connection) throws -> T
  ) throws -> T {
    try SocketThread.leave()
    let limit = limit.duration(usual: configuration.queryTimeLimit)
    return switch engine {
    case .sqlite(let store): try store.readPrivate(limit: limit, body)
    case .postgresql(let store): try store.readPrivate(limit: limit, body)
    }
  }

  /// Runs `body` in a separate transaction, after earlier writes, on the calling thread. When the method returns, the
  /// changes are on the disk. If it throws, they are rolled back.
  ///
  /// Writes cannot be nested: use ``Connection/savepoint(_:)``. The ``WriteCondition`` of the calling thread is checked
  /// first.
  ///
  /// - Parameters:
  ///   - sortsInFiles: whether SQLite may sort in temporary files, which disappear with the process. Otherwise it
  ///     sorts in memory. Do not use this for private data. Temporary tables are lost when this mode changes.
  ///   - body: the work to do.
  /// - Returns: the result of `body`.
  /// - Throws: ``DatabaseFault``, and errors from `body`.
  package func write<T>(
    sortingInFiles sortsInFiles: Bool = false, _ body: (Connection) throws -> T
  ) throws -> T {
    let condition = WriteCondition.current
    return try transaction(sortingInFiles: sortsInFiles) { connection in
      try activity.timed {
        try condition.check(connection, activity)
        return try body(connection)
      }
    }
  }

  /// Like ``write(sortingInFiles:_:)``, for writes that share a transaction and are measured individually. Each of them
  /// has its own ``WriteCondition``.
  func writeGroup<T>(_ body: (Connection) throws -> T) throws -> T {
    try transaction(sortingInFiles: false, body)
  }

  private func transaction<T>(
    sortingInFiles sortsInFiles: Bool, _ body: (Connection) throws -> T
  ) throws -> T {
    func run(_ connection: Connection) throws -> T {
      try WriteCondition.$isWriting.withValue(true) { try body(connection) }
    }
    switch engine {
    case .sqlite(let store):
      return try store.openWriter().transaction(sortingInFiles: sortsInFiles, run)
    case .postgresql(let store): return try store.write(run)
    }
  }

  /// A statement with its values.
  package typealias Item = (sql: String, arguments: [SQLValue])

  /// Runs statements in a small transaction of their own, without an order with other writes.
  ///
  /// On PostgreSQL it costs one round trip, waits for no other write and can be called inside of one, whose rollback
  /// does not undo it. If the connection is lost, the statements may run twice. On SQLite it waits for the other
  /// writes. It is for counters, leases and the like, so no ``WriteCondition`` applies.
  ///
  /// - Parameters:
  ///   - key: transactions with the same key run one after the other. Nil for no order.
  ///   - items: the statements.
  ///   - body: receives each row with the position of its statement.
  /// - Throws: ``DatabaseFault``, and errors from `body`.
  package func apart(
    inTurnFor key: Int64? = nil, _ items: [Item],
    _ body: (_ place: Int, _ row: Row) throws -> Void = { _, _ in }
  ) throws {
    if case .postgresql(let store) = engine {
      return try store.apart(inTurnFor: key, items, body)
    }
    try transaction(sortingInFiles: false) { connection in
      try activity.timed {
        for (place, item) in items.enumerated() {
          try connection.forEach(item.sql, item.arguments) { try body(place, $0) }
        }
      }
    }
  }

  /// Calls `look` soon after each write of a server on the same database, on a separate thread. Nil on SQLite, which
  /// has one server.
  package func listen(_ look: @escaping @Sendable () -> Void) throws -> WriteListener? {
    if case .postgresql(let store) = engine { try store.listen(look) } else { nil }
  }

  /// A snapshot of the current state. The tables passed to ``forbidReading(_:)`` are forbidden for it as well.
  ///
  /// Its statements are interrupted after `limit`.
  ///
  /// - Throws: ``DatabaseFault`` of kind `busy` when ``Configuration/snapshots`` is reached.
  package func snapshot(limit: Duration) throws -> Snapshot {
    try SocketThread.leave()
    return switch engine {
    case .sqlite(let store): try store.snapshot(limit: limit)
    case .postgresql(let store): try store.snapshot(limit: limit)
    }
  }

  /// Applies the missing migrations from a folder of `NNNN_name.sql` files. The migrations for PostgreSQL are in its
  /// folder `postgresql`.
  ///
  /// Migrations only go forward, each in a separate transaction. The table `migration` records each
  /// one with a checksum, so that a later edit of the file is detected.
  ///
  /// - Parameters:
  ///   - directory: the folder.
  ///   - prepare: called before the first missing PostgreSQL migration. It may end the writes of servers of the earlier
  ///     version, until this server is ready, so it first prepares all that needs no database.
  /// - Returns: the names of the migrations that ran now.
  /// - Throws: ``DatabaseFault`` of kind `newerSchema` when the database contains migrations that the
  ///   folder does not, `migration` when one fails or was edited. The failed migration is rolled
  ///   back. Errors from `prepare`.
  package func migrate(
    directory: String, preparing prepare: () throws -> Void = {}
  ) throws -> [String] {
    switch engine {
    case .sqlite(let store): try store.migrate(directory: directory)
    case .postgresql(let store):
      try store.migrate(directory: directory + "/postgresql", preparing: prepare)
    }
  }

  /// Runs `body` in a transaction, after all migrations of a folder.
  ///
  /// - Throws: ``DatabaseFault`` of kind `notEmpty` if there are tables, and errors from `body`. PostgreSQL then rolls
  ///   the migrations back, too.
  func fill<T>(
    migrations directory: String, _ body: (Connection) throws -> T
  ) throws -> T {
    switch engine {
    case .sqlite(let store): try store.fill(directory: directory, body)
    case .postgresql(let store): try store.fill(directory: directory + "/postgresql", body)
    }
  }

  /// Waits for running reads and writes, then closes. Later use throws a fault of kind `closed`.
  package func close() throws {
    switch engine {
    case .sqlite(let store): try store.close()
    case .postgresql(let store): store.close()
    }
  }

  deinit { file?.stopCheck() }
}
