internal import Dispatch
internal import Locking
package import Metrics

/// What a database was busy with since it was opened.
package final class DatabaseActivity: Sendable {
  /// How long transactions that write took, from their begin until they were on the disk.
  package let commits = Histogram.ofDurations()
  /// Transactions that write and came to nothing, and writes that no transaction took.
  package let failedWrites = Counters<WriteFailure>()
  /// How many writes of requests shared a transaction.
  package let groupSize = Histogram.ofCounts([1, 2, 4, 8, 16, 32, 64, 128])
  /// How long writes of requests waited for their transaction to begin.
  package let writeWait = Histogram.ofDurations()
  /// How long each write held the writer, its commit aside. Requests have a budget of 50 ms
  /// (docs/performance.md, "Budget of the writer").
  package let writerHolds = Histogram.ofDurations()
  /// How long reads waited for a free connection; those that found one at once are not counted.
  package let readerWait = Histogram.ofDurations()
  /// Reads that found none in time.
  package let refusedReads = Counter()
  /// Reads that their time limit ended.
  package let interruptedReads = Counter()

  private let watcher = Locked<(@Sendable (WriterHold) -> Void)?>(nil)

  package init() {}

  /// Tells `watcher` of every hold from now on, in place of another that was told before; nil for
  /// nobody. It is called by the thread that wrote, within the transaction.
  package func watchHolds(_ watcher: (@Sendable (WriterHold) -> Void)?) {
    self.watcher.withLock { $0 = watcher }
  }

  /// Who is told.
  var holdWatcher: (@Sendable (WriterHold) -> Void)? { watcher.withLock { $0 } }
}

/// Why nothing could be written, for a reason that is not the write's own.
package enum WriteFailure: String, CaseIterable, Sendable {
  case diskFull = "disk_full"
  /// The disk cannot be read or written.
  case disk = "disk_error"
  case readOnly = "read_only"
  /// The file was found damaged.
  case corrupt
  /// The file was moved, removed or replaced.
  case misplaced
  /// Locked for longer than the busy timeout.
  case busy
  /// As many writes waited as may.
  case queueFull = "queue_full"
  /// SQLite ended the transaction.
  case lost
  /// The database is closed already.
  case closed

  /// Nil for what is a write's own fault, such as a constraint.
  init?(_ error: any Error) {
    guard let fault = error as? DatabaseFault else { return nil }
    switch fault.kind {
    case .diskFull: self = .diskFull
    case .ioError, .unreadable: self = .disk
    case .readOnly: self = .readOnly
    case .corrupt: self = .corrupt
    case .misplaced: self = .misplaced
    case .busy, .locked: self = .busy
    case .transactionLost: self = .lost
    case .closed: self = .closed
    default: return nil
    }
  }
}

extension Histogram {
  /// Counts the time since a moment.
  func observe(nanosecondsSince start: DispatchTime) {
    let nanoseconds = DispatchTime.now().uptimeNanoseconds &- start.uptimeNanoseconds
    observe(Duration.nanoseconds(Int64(clamping: nanoseconds)))
  }
}

extension Database {
  /// Bytes of the file and of its log (`-wal`), without asking SQLite.
  package var fileSizes: (database: Int, log: Int) {
    (FileFormat.size(path) ?? 0, FileFormat.size(path + "-wal") ?? 0)
  }
}
