internal import CSpatiaLite
internal import GRDB
internal import Locking

/// Farol's database file: one connection that writes, several that read, all with SpatiaLite.
///
/// Calls block the calling thread. A read sees one snapshot, a write is one transaction; they do
/// not wait for each other. All errors are ``DatabaseFault``, save what a closure throws itself.
package final class Database: Sendable {
  package struct Configuration: Sendable {
    /// How many reads run side by side; one more waits.
    package var readers = 4
    /// How many snapshots for exports there may be at once, each with a connection of its own.
    package var snapshots = 4
    /// How long a statement waits for a lock, and a read for a free connection.
    package var busyTimeout = Duration.milliseconds(5_000)
    /// How long a read may take, what its closure does between rows included.
    package var queryTimeLimit = Duration.seconds(2)
    /// Opens beside a running server, for a copy, an export or a check: takes no lock, writes
    /// nothing, makes no file.
    package var readOnly = false
    /// How long opening waits for the check of the file.
    ///
    /// Usually as long as a restart can afford, and not at all where the file is so large that the
    /// check cannot be done by then: it goes on beside all else, and ends the writing where it finds
    /// a damage. ``Database/integrityCheck()`` looks at more.
    package var startCheckLimit = TimeLimit.usual
    /// Whether nobody is answered meanwhile, as in a command that loads devices: then the writer keeps
    /// more pages at hand, and puts them in their places less often.
    package var servesNobody = false

    package init() {}
  }

  /// How long something may take.
  package enum TimeLimit: Sendable {
    /// What the configuration says.
    case usual
    /// As long as it needs, for exports and checks.
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

  /// What the check of the file had found when opening went on; nil when opened to read only.
  package let startCheck: StartCheckOutcome?

  /// Whether the file was not closed in good order before.
  package let wasInterrupted: Bool

  /// Where the file lies.
  package let path: String
  /// What it was and is busy with.
  package let activity = DatabaseActivity()
  let configuration: Configuration
  /// Whether nobody is answered from it, as ``Configuration`` says.
  package var servesNobody: Bool { configuration.servesNobody }
  private let readers: ReaderPool
  /// The one connection of ``readPrivate(_:)``, opened when it is first needed.
  private let privateReader = Locked<ReaderPool?>(nil)
  private let writer: Writer?
  private let check: StartCheck?
  let snapshotPlaces: SnapshotPlaces
  /// What ``forbidReading(_:)`` has named.
  let forbidden = Locked<Set<String>>([])

  /// Bytes of a file that is checked in a quarter of a second: a quick check goes through some 150 MB
  /// a second.
  private static let sizeCheckedAtOnce = 40 << 20

  /// Opens the file, or makes it unless opened to read only.
  ///
  /// - Throws: ``DatabaseFault`` of kind `locked` when another process serves from it, `notFarol`,
  ///   `corrupt` or `unreadable`.
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

  /// Reads under way now, and how many there may be.
  package var readersInUse: (busy: Int, all: Int) { readers.use }

  /// Runs `body` on one snapshot, on the calling thread.
  ///
  /// It sees what was committed before its first statement and nothing later. A read within a read
  /// takes a second connection; one within a write does not see that write's changes.
  ///
  /// - Throws: ``DatabaseFault`` of kind `interrupted` when the time limit ended a statement,
  ///   `readOnly` on an attempt to write, and what `body` throws.
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

  /// Lets ``read(limit:_:)`` read these tables no more: SQLite refuses to prepare a statement that
  /// names one of their columns. What must not be told cannot be told by a mistake in a query then.
  package func forbidReading(_ tables: Set<String>) {
    forbidden.withLock { $0 = tables }
    readers.forEachSession { $0.forbidReading(tables) }
  }

  /// ``read(limit:_:)`` for what ``forbidReading(_:)`` keeps from the others, on a connection of its
  /// own without SpatiaLite, and one at a time.
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

  /// Runs `body` in a transaction of its own, after those before it, on the calling thread. When it
  /// returns, its changes are on the disk; when it throws, none of them happened.
  ///
  /// Writes are not nested: use ``Connection/savepoint(_:)``.
  ///
  /// - Parameters:
  ///   - sortsInFiles: whether what SQLite sorts may stand in temporary files, which disappear with the
  ///     process; in memory otherwise. Not where something private is sorted. Temporary tables end
  ///     with the change from one to the other.
  ///   - body: what to do.
  /// - Returns: what `body` returns.
  /// - Throws: ``DatabaseFault``, and what `body` throws.
  package func write<T>(
    sortingInFiles sortsInFiles: Bool = false, _ body: (Connection) throws -> T
  ) throws -> T {
    try openWriter().transaction(sortingInFiles: sortsInFiles) { connection in
      try activity.timed { try body(connection) }
    }
  }

  /// ``write(sortingInFiles:_:)`` for writes that share a transaction and are timed one by one.
  func writeGroup<T>(_ body: (Connection) throws -> T) throws -> T {
    try openWriter().transaction(body)
  }

  /// Looks whether the files are still those that were opened and were not found damaged; where the
  /// log is gone, saves what it held.
  ///
  /// - Throws: ``DatabaseFault`` of kind `misplaced` or `corrupt`, with a sentence for the operator.
  package func confirmFile() throws { try openWriter().confirm() }

  /// Moves the log into the file, so that the log can start anew.
  ///
  /// - Parameter truncate: waits for readers and cuts the log to nothing, as after an erasure.
  /// - Throws: ``DatabaseFault`` of kind `busy` when readers stay longer than the busy timeout.
  package func checkpoint(truncate: Bool) throws {
    try openWriter().checkpoint(truncate: truncate)
  }

  /// Renews the statistics the query planner chooses by, where they are out of date.
  package func optimize() throws {
    try openWriter().withSession { session in
      // Enough rows per index for good plans, few enough for a moment's work
      // (https://sqlite.org/lang_analyze.html).
      try session.run("PRAGMA analysis_limit = 1000")
      try session.run("PRAGMA optimize")
    }
  }

  /// What ``integrityCheck()`` finds, one sentence each.
  package struct Integrity: Equatable, Sendable {
    /// Structures of the file that are broken.
    package var damages: [String] = []
    /// Indexes that do not fit their tables. `REINDEX` makes them anew.
    package var indexes: [String] = []
    /// Rows that a constraint of their table does not allow.
    package var rows: [String] = []

    package init() {}

    package var isSound: Bool { self == Integrity() }

    /// Sorts a finding of SQLite's `integrity_check` in; what is not known is a damage
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

  /// Checks the whole file, indexes and foreign keys included, however long it takes.
  ///
  /// - Returns: what is wrong. SQLite tells the damages first, and 100 findings at most.
  /// - Throws: ``DatabaseFault``, of kind `ioError` where the disk could not be read.
  package func integrityCheck() throws -> Integrity {
    var found = Integrity()
    do {
      try read(limit: .none) { connection in
        try connection.forEach("PRAGMA integrity_check(100)") { found.add($0.text(0)) }
        if !found.isSound, let refusal = takeRefusal(connection.session.handle) {
          throw DatabaseFault(.ioError, "the disk could not be read: \(systemError(refusal))")
        }
        // Further questions to a damaged file have no sure answers.
        guard found.damages.isEmpty else { return }
        let orphans = try connection.rows("PRAGMA foreign_key_check") { row in
          "row \(row.int(1)) of \(row.text(0)) refers to no row of \(row.text(2))"
        }
        found.rows += orphans.prefix(100)
      }
    } catch let fault as DatabaseFault where fault.kind == .corrupt {
      // A page so damaged that the check itself cannot go on.
      found.damages.append(fault.message)
    }
    return found
  }

  /// Waits for running reads and writes, then closes. Later use is a fault of kind `closed`.
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
