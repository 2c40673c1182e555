internal import Dispatch
internal import Locking
package import Metrics

/// Metrics of a database since it was opened.
package final class DatabaseActivity: Sendable {
  /// Duration of write transactions, from their begin until they were on the disk.
  package let commits = Histogram.ofDurations()
  /// Write transactions that failed, and writes that could not be queued.
  package let failedWrites = Counters<WriteFailure>()
  /// Number of request writes that shared a transaction.
  package let groupSize = Histogram.ofCounts([1, 2, 4, 8, 16, 32, 64, 128])
  /// Time that request writes waited for their transaction to begin.
  package let writeWait = Histogram.ofDurations()
  /// Time that each write held the writer, without its commit. Requests have a budget of 50 ms
  /// (docs/reference/performance.md, "Budget of the writer").
  package let writerHolds = Histogram.ofDurations()
  /// Time that reads waited for a free connection. Reads that found one immediately are not
  /// counted.
  package let readerWait = Histogram.ofDurations()
  /// Reads that found no free connection in time.
  package let refusedReads = Counter()
  /// Reads stopped by their time limit.
  package let interruptedReads = Counter()

  /// Reads that a replica answered, because the primary did not.
  package let replicaReads = Counter()

  private let watcher = Locked<(@Sendable (Duration) -> Void)?>(nil)
  private let interposed = Locked<WriteCondition.Check?>(nil)

  package init() {}

  /// Calls `watcher` for every hold from now on, and replaces an earlier watcher. Nil removes it.
  /// The writing thread calls it within the transaction, with its processor time, which unlike the elapsed time does
  /// not depend on other load of the machine.
  package func watchHolds(_ watcher: (@Sendable (Duration) -> Void)?) {
    self.watcher.withLock { $0 = watcher }
  }

  /// Runs `body` in the transaction of each write that has a ``WriteCondition``, before it is checked, as if it had
  /// been committed while the write waited. For tests; nil ends it.
  package func interpose(_ body: WriteCondition.Check?) { interposed.withLock { $0 = body } }

  var meanwhile: WriteCondition.Check? { interposed.withLock { $0 } }

  /// The current watcher.
  var holdWatcher: (@Sendable (Duration) -> Void)? { watcher.withLock { $0 } }
}

/// The reason of a failed write, unless the write itself was at fault.
package enum WriteFailure: String, CaseIterable, Sendable {
  case diskFull = "disk_full"
  /// The disk cannot be read or written.
  case disk = "disk_error"
  case readOnly = "read_only"
  /// The file was found damaged.
  case corrupt
  /// The file was moved, deleted or replaced.
  case misplaced
  /// Locked for longer than the busy timeout.
  case busy
  /// The queue was full.
  case queueFull = "queue_full"
  /// The transaction was rolled back.
  case lost
  /// The PostgreSQL server cannot be reached.
  case unreachable
  /// Whether the changes are stored cannot be known.
  case unknown = "unknown_outcome"
  /// A newer Farol version has changed the database.
  case newerSchema = "newer_schema"
  /// The database is behind the state that this server has seen.
  case behind
  /// The database is already closed.
  case closed

  /// Nil if the write itself was at fault, for example because of a constraint.
  init?(_ error: any Error) {
    guard let fault = error as? DatabaseFault else { return nil }
    switch fault.kind {
    case .diskFull: self = .diskFull
    case .ioError, .unreadable: self = .disk
    case .readOnly: self = .readOnly
    case .corrupt: self = .corrupt
    case .misplaced: self = .misplaced
    case .busy, .locked, .conflict: self = .busy
    case .transactionLost: self = .lost
    case .unreachable: self = .unreachable
    case .unknownOutcome: self = .unknown
    case .newerSchema: self = .newerSchema
    case .behind: self = .behind
    case .closed: self = .closed
    default: return nil
    }
  }
}

extension Histogram {
  /// Records the time since a start.
  func observe(nanosecondsSince start: DispatchTime) {
    let nanoseconds = DispatchTime.now().uptimeNanoseconds &- start.uptimeNanoseconds
    observe(Duration.nanoseconds(Int64(clamping: nanoseconds)))
  }
}

extension Database {
  /// The sizes of the file and of its log (`-wal`) in bytes, read from the file system. 0 on PostgreSQL.
  package var fileSizes: (database: Int, log: Int) {
    if isOnServer { return (0, 0) }
    return (FileFormat.size(path) ?? 0, FileFormat.size(path + "-wal") ?? 0)
  }
}
