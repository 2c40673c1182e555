internal import CSpatiaLite
internal import GRDB
internal import Synchronization

/// The one connection that writes and checkpoints, and the lock that keeps it the only one.
final class Writer: Sendable {
  /// Whether there was a log to recover: the last process did not close the file.
  let foundLog: Bool

  private let queue: DatabaseQueue
  private let session: Session
  private let lock: Mutex<InstanceLock?>

  init(path: String, busyTimeout: Duration) throws {
    let lock = try InstanceLock(besides: path)
    try FileFormat.makePrivate(path)
    foundLog = (FileFormat.size(path + "-wal") ?? 0) > 0
    let settings = ConnectionSettings(part: .writer, busyTimeout: busyTimeout)
    (queue, session) = try settings.open(path)
    self.lock = Mutex(consume lock)
  }

  /// Runs `body` in an immediate transaction.
  func transaction<T>(_ body: (Connection) throws -> T) throws -> T {
    try withSession { session in
      try session.transaction("BEGIN IMMEDIATE", limit: nil) {
        try body(Connection(session: session))
      }
    }
  }

  /// Runs `body` outside a transaction, after the writes before it.
  func withSession<T>(_ body: (Session) throws -> T) throws -> T {
    try queue.inDatabase { _ in try body(session) }
  }

  func check(limit: Duration?) throws -> StartCheckOutcome {
    try withSession { try StartCheck(limit: limit).run(on: $0) }
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

  /// Closes the connection, which moves the log into the file and removes it, then the lock.
  func close() throws {
    try ConnectionSettings.close(queue, session)
    lock.withLock { $0 = nil }
  }

  deinit {
    // Before the lock goes, not after it.
    try? ConnectionSettings.close(queue, session)
  }
}
