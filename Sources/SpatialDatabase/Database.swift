internal import CSpatiaLite
internal import Locking

/// Farol's database file: one connection for writing and several for reading, all with SpatiaLite.
///
/// Calls block the calling thread. A read sees one snapshot, a write is one transaction, and they
/// do not block each other. All errors are ``DatabaseFault``, except errors thrown by a closure.
package final class Database: Sendable {
  package struct Configuration: Sendable {
    /// The number of concurrent reads. Further reads wait.
    package var readers = 4
    /// The maximum number of concurrent snapshots for exports, each with a separate connection.
    package var snapshots = 4
    /// How long a statement waits for a lock, and a read for a free connection.
    package var busyTimeout = Duration.milliseconds(5_000)
    /// Maximum time of a read, including the work of its closure between rows.
    package var queryTimeLimit = Duration.seconds(2)
    /// Opens the file next to a running server, for a copy, an export or a check. Takes no lock,
    /// writes nothing and creates no file.
    package var readOnly = false
    /// How long opening waits for the check of the file.
    ///
    /// By default, as long as a restart can afford. If the file is so large that the check cannot finish in that
    /// time, opening does not wait: the check continues in the background and stops all writes if it finds damage.
    /// ``Database/integrityCheck()`` checks more.
    package var startCheckLimit = TimeLimit.usual
    /// Whether the process serves no requests, as in a command that loads devices. The writer then caches more pages
    /// and checkpoints less often.
    package var servesNobody = false

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

  /// The result of the file check at the time when opening continued. Nil for a read-only database.
  package let startCheck: StartCheckOutcome?

  /// Whether the file was not closed properly before.
  package let wasInterrupted: Bool

  /// The path of the file.
  package let path: String
  /// Metrics of the database.
  package let activity = DatabaseActivity()
  let configuration: Configuration
  /// Whether the process serves no requests, see ``Configuration``.
  package var servesNobody: Bool { configuration.servesNobody }
  private let readers: ReaderPool
  /// The single connection of ``readPrivate(_:)``, opened on first use.
  private let privateReader = Locked<ReaderPool?>(nil)
  private let writer: Writer?
  private let check: StartCheck?
  let snapshotPlaces: SnapshotPlaces
  /// The tables passed to ``forbidReading(_:)``.
  let forbidden = Locked<Set<String>>([])

  /// Maximum size in bytes of a file for which opening waits for the check. Such a file takes a quarter of a second:
  /// a quick check reads some 150 MB per second.
  private static let sizeCheckedAtOnce = 40 << 20

  /// Opens the file. Creates it unless the configuration is read-only.
  ///
  /// - Throws: ``DatabaseFault`` of kind `locked` when another process is serving from the file,
  ///   `notFarol`, `corrupt` or `unreadable`.
  package init(path: String, configuration: Configuration = .init()) throws {
    self.path = path
    self.configuration = configuration
    snapshotPlaces = SnapshotPlaces(limit: configuration.snapshots)
    if configuration.readOnly {
      guard FileFormat.size(path) != nil else {
        throw DatabaseFault(.unreadable, "\(path): no such file")
      }
      writer = nil
      wasInterrupted = false
      startCheck = nil
      check = nil
    } else {
      let writer = try Writer(
        path: path, busyTimeout: configuration.busyTimeout,
        hasRoom: configuration.servesNobody, activity: activity)
      self.writer = writer
      wasInterrupted = writer.foundLog
      let isLarge = FileFormat.size(path) ?? 0 > Self.sizeCheckedAtOnce
      let check = try StartCheck(
        path: path, busyTimeout: configuration.busyTimeout, yields: isLarge
      ) { fault in
        if fault.kind == .corrupt { writer.stopWriting(because: fault) }
      }
      self.check = check
      startCheck = try check.outcome(
        within: configuration.startCheckLimit.duration(usual: isLarge ? .zero : .seconds(1)))
    }
    do {
      readers = try ReaderPool(
        path: path,
        settings: ConnectionSettings(part: .reader, busyTimeout: configuration.busyTimeout),
        count: configuration.readers, patience: configuration.busyTimeout, activity: activity)
    } catch {
      check?.stop()
      throw error
    }
  }

  /// The number of running reads, and the maximum.
  package var readersInUse: (busy: Int, all: Int) { readers.use }

  /// Runs `body` on one snapshot, on the calling thread.
  ///
  /// The snapshot contains the commits before its first statement. A nested read takes a second
  /// connection. A read inside a write does not see the changes of that write.
  ///
  /// - Throws: ``DatabaseFault`` of kind `interrupted` when the time limit stopped a statement,
  ///   `readOnly` on an attempt to write, and errors from `body`.
  package func read<T>(
    limit: TimeLimit = .usual, _ body: (Connection) throws -> T
  ) throws -> T {
    do {
      return try readers.read(limit: limit.duration(usual: configuration.queryTimeLimit), body)
    } catch let fault as DatabaseFault where fault.kind == .corrupt {
      writer?.stopWriting(because: fault)
      throw fault
    }
  }

  /// Prevents ``read(limit:_:)`` from reading these tables: SQLite rejects any statement that reads
  /// one of their columns. A mistake in a query therefore cannot reveal confidential data.
  package func forbidReading(_ tables: Set<String>) {
    forbidden.withLock { $0 = tables }
    readers.forEachSession { $0.forbidReading(tables) }
  }

  /// Like ``read(limit:_:)``, but for the tables passed to ``forbidReading(_:)``. Uses a separate connection without
  /// SpatiaLite, one read at a time.
  package func readPrivate<T>(
    limit: TimeLimit = .usual, _ body: (Connection) throws -> T
  ) throws -> T {
    let pool = try privateReader.withLock { pool in
      if let pool { return pool }
      let opened = try ReaderPool(
        path: path,
        settings: ConnectionSettings(part: .plainReader, busyTimeout: configuration.busyTimeout),
        count: 1, patience: configuration.busyTimeout, activity: activity)
      pool = opened
      return opened
    }
    return try pool.read(limit: limit.duration(usual: configuration.queryTimeLimit), body)
  }

  /// Runs `body` in a separate transaction, after earlier writes, on the calling thread. When the method returns, the
  /// changes are on the disk. If it throws, they are rolled back.
  ///
  /// Writes cannot be nested: use ``Connection/savepoint(_:)``.
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
    try openWriter().transaction(sortingInFiles: sortsInFiles) { connection in
      try activity.timed { try body(connection) }
    }
  }

  /// Like ``write(sortingInFiles:_:)``, for writes that share a transaction and are measured
  /// individually.
  func writeGroup<T>(_ body: (Connection) throws -> T) throws -> T {
    try openWriter().transaction(body)
  }

  /// Checks that the files are still the ones that were opened and that no damage was found. If the log file has
  /// disappeared, saves its content.
  ///
  /// - Throws: ``DatabaseFault`` of kind `misplaced` or `corrupt`, with a sentence for the administrator.
  package func confirmFile() throws { try openWriter().confirm() }

  /// Checkpoints: moves the log into the file, so that the log can restart.
  ///
  /// - Parameter truncate: waits for readers and truncates the log to zero, as required after an
  ///   erasure.
  /// - Throws: ``DatabaseFault`` of kind `busy` when readers take longer than the busy timeout.
  package func checkpoint(truncate: Bool) throws {
    try openWriter().checkpoint(truncate: truncate)
  }

  /// Updates outdated statistics of the query planner.
  package func optimize() throws {
    try openWriter().withSession { session in
      // Enough rows per index for good plans, and few enough to be quick
      // (https://sqlite.org/lang_analyze.html).
      try session.run("PRAGMA analysis_limit = 1000")
      try session.run("PRAGMA optimize")
    }
  }

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

    /// Classifies a finding of SQLite's `integrity_check`. Unknown findings count as damage
    /// (`sqlite3Pragma` in https://sqlite.org/src/file/src/pragma.c).
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
    do {
      try read(limit: .none) { connection in
        try connection.forEach("PRAGMA integrity_check(100)") { found.add($0.text(0)) }
        if !found.isSound, let refusal = takeRefusal(connection.session.handle) {
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

  /// Waits for running reads and writes, then closes. Later use throws a fault of kind `closed`.
  package func close() throws {
    check?.stop()
    try readers.close()
    try privateReader.withLock { pool in try pool?.close() }
    try writer?.close()
  }

  deinit { check?.stop() }

  func openWriter() throws(DatabaseFault) -> Writer {
    guard let writer else { throw DatabaseFault(.readOnly, "\(path) is open to read only") }
    return writer
  }
}
