internal import CSpatiaLite
internal import Locking

/// A database file: one connection for writing and several for reading, all with SpatiaLite. See ``Database``.
final class FileStore: Sendable {
  let startCheck: StartCheckOutcome?
  let wasInterrupted: Bool
  let path: String
  let configuration: Database.Configuration
  private let activity: DatabaseActivity
  private let readers: ReaderPool
  /// The single connection of ``readPrivate(limit:_:)``, opened on first use.
  private let privateReader = Locked<ReaderPool?>(nil)
  private let writer: Writer?
  private let check: StartCheck?
  private let snapshotPlaces: SnapshotPlaces

  /// Maximum size in bytes of a file for which opening waits for the check. Such a file takes a quarter of a second:
  /// a quick check reads some 150 MB per second.
  private static let sizeCheckedAtOnce = 40 << 20

  init(path: String, configuration: Database.Configuration, activity: DatabaseActivity) throws {
    (self.path, self.configuration, self.activity) = (path, configuration, activity)
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
        count: configuration.readers, timeout: configuration.busyTimeout, activity: activity)
    } catch {
      check?.stop()
      throw error
    }
  }

  var readersInUse: (busy: Int, all: Int) { readers.use }

  /// The number of statements that ran, for tests that hold the number of a request.
  var statementCount: UInt64 { readers.statementCount + (writer?.statementCount ?? 0) }

  func read<T>(
    limit: Duration?, plan: ReadPlan = ReadPlan(), _ body: (Connection) throws -> T
  ) throws -> T {
    do {
      return try readers.read(limit: limit, plan: plan, body)
    } catch let fault as DatabaseFault where fault.kind == .corrupt {
      writer?.stopWriting(because: fault)
      throw fault
    }
  }

  func forbidReading(_ tables: Set<String>) { readers.forbidReading(tables) }

  func readPrivate<T>(limit: Duration?, _ body: (Connection) throws -> T) throws -> T {
    let pool = try privateReader.withLock { pool in
      if let pool { return pool }
      let opened = try ReaderPool(
        path: path,
        settings: ConnectionSettings(part: .plainReader, busyTimeout: configuration.busyTimeout),
        count: 1, timeout: configuration.busyTimeout, activity: activity)
      pool = opened
      return opened
    }
    return try pool.read(limit: limit, body)
  }

  func snapshot(limit: Duration) throws -> Snapshot {
    try snapshotPlaces.enter(Snapshot.self) {
      let session = try readers.open()
      try session.use { try session.begin(limit: limit) }
      return Snapshot(session, places: snapshotPlaces)
    }
  }

  func optimize() throws {
    try openWriter().withSession { session in
      // Enough rows per index for good plans, and few enough to be quick
      // (https://sqlite.org/lang_analyze.html).
      try session.run("PRAGMA analysis_limit = 1000")
      try session.run("PRAGMA optimize")
    }
  }

  func close() throws {
    check?.stop()
    try readers.close()
    try privateReader.withLock { pool in try pool?.close() }
    try writer?.close()
  }

  func stopCheck() { check?.stop() }

  func openWriter() throws(DatabaseFault) -> Writer {
    guard let writer else { throw DatabaseFault(.readOnly, "\(path) is open to read only") }
    return writer
  }
}
