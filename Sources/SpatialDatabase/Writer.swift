internal import CSpatiaLite
internal import Locking
internal import Metrics

/// The single connection that writes and checkpoints, and the lock that ensures that it is the only
/// one.
final class Writer: Sendable {
  /// Whether a log had to be recovered because the last process did not close the file.
  let foundLog: Bool

  private let session: Session
  private let lock: Locked<InstanceLock?>
  private let watch: FileWatch
  private let activity: DatabaseActivity
  /// The fault of a truncated file. All writes stop until the next start.
  private let cut = Locked<DatabaseFault?>(nil)
  private let alarm: DamageAlarm

  init(
    path: String, busyTimeout: Duration, hasRoom: Bool = false, activity: DatabaseActivity
  ) throws {
    self.activity = activity
    let lock = try InstanceLock(besides: path)
    try FileFormat.makePrivate(path)
    foundLog = (FileFormat.size(path + "-wal") ?? 0) > 0
    var settings = ConnectionSettings(part: .writer, busyTimeout: busyTimeout)
    settings.hasRoom = hasRoom
    let session = try settings.open(path)
    self.session = session
    alarm = DamageAlarm(path: path, busyTimeout: busyTimeout) {
      try session.use { try session.checkTexts() }
    }
    watch = FileWatch(path: path)
    self.lock = Locked(consume lock)
  }

  /// Runs `body` in an immediate transaction.
  ///
  /// - Parameters:
  ///   - sortsInFiles: see ``Database/write(sortingInFiles:_:)``.
  ///   - body: the work to do.
  /// - Returns: the result of `body`.
  /// - Throws: ``DatabaseFault`` of kind `misplaced` when the file has been moved. Of kind
  ///   `corrupt` while the file is, or may be, damaged, so that writes cannot make it worse.
  func transaction<T>(
    sortingInFiles sortsInFiles: Bool = false, _ body: (Connection) throws -> T
  ) throws -> T {
    do {
      // Checked first, so that the write does not wait for a check that holds the connection.
      if let fault = alarm.refusal { throw fault }
      let (result, duration) = try withSession { session in
        // Outside the transaction, because SQLite does not allow the change inside one.
        if sortsInFiles { try session.run("PRAGMA temp_store = FILE") }
        defer { if sortsInFiles { try? session.run("PRAGMA temp_store = MEMORY") } }
        let started = ContinuousClock.now
        return (try commit(body, session), ContinuousClock.now - started)
      }
      activity.commits.observe(duration)
      return result
    } catch {
      if let failure = WriteFailure(error) { activity.failedWrites.add(failure) }
      throw error
    }
  }

  private func commit<T>(_ body: (Connection) throws -> T, _ session: Session) throws -> T {
    try confirm(session)
    do {
      let result = try session.transaction("BEGIN IMMEDIATE", limit: nil) {
        let result = try body(Connection(session: session))
        if let damage = session.damage { throw damage }
        return result
      }
      // If the file has been moved in the meantime, the commit is in the moved file.
      try confirm(session)
      return result
    } catch {
      if let damage = session.damage { stopWriting(because: damage) }
      throw error
    }
  }

  /// Rejects all writes after a sign of damage, until a check of the file passes.
  func stopWriting(because fault: DatabaseFault) { alarm.raise(fault) }

  /// See ``Database/confirmFile()``.
  func confirm() throws { try withSession { try confirm($0) } }

  private func confirm(_ session: Session) throws {
    if session.isClosed { throw DatabaseFault(.closed, "the database is closed") }
    if let fault = cut.withLock({ $0 }) ?? alarm.fault { throw fault }
    guard let finding = watch.finding() else { return }
    let fault = watch.fault(finding)
    switch finding {
    case .databaseGone: break
    case .databaseCut: cut.withLock { $0 = fault }
    case .logGone:
      sqlite3_wal_checkpoint_v2(session.handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }
    throw fault
  }

  /// The number of statements that ran.
  var statementCount: UInt64 { session.statementCount }

  /// Runs `body` outside a transaction, after earlier writes.
  func withSession<T>(_ body: (Session) throws -> T) throws -> T {
    try session.use { try body(session) }
  }

  func checkpoint(truncate: Bool) throws {
    try withSession { session in
      if session.isClosed { throw DatabaseFault(.closed, "the database is closed") }
      let mode = truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
      guard sqlite3_wal_checkpoint_v2(session.handle, nil, mode, nil, nil) == SQLITE_OK else {
        throw DatabaseFault(connection: session.handle)
      }
    }
  }

  /// Closes the connection, which checkpoints and deletes the log, then releases the lock.
  ///
  /// If the files are damaged or have been moved, it leaves them unchanged.
  func close() throws {
    alarm.stop()
    leaveSuspectFiles()
    try session.close()
    lock.withLock { $0 = nil }
  }

  private func leaveSuspectFiles() {
    session.use {
      guard !session.isClosed, (try? confirm(session)) == nil else { return }
      _ = sqlite_set_option(session.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }
  }

  deinit {
    alarm.stop()
    // Before the lock is released.
    leaveSuspectFiles()
    try? session.close()
  }
}
