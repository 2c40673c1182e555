internal import Dispatch
internal import GRDB
internal import Metrics
internal import Synchronization

/// Read-only connections to one file, lent to one caller each.
///
/// GRDB's own pool opens its writer with `synchronous=NORMAL`, keeps its readers to itself and
/// starts each read with statements it prepares anew; ours are plain queues, entered on the
/// caller's thread.
final class ReaderPool: Sendable {
  private struct Reader: Sendable {
    let queue: DatabaseQueue
    let session: Session
  }

  private let readers: [Reader]
  /// One bit for each reader that is free.
  private let idle: Atomic<UInt64>
  private let tickets: DispatchSemaphore
  private let patience: DispatchTimeInterval
  private let isClosed = Atomic(false)
  private let activity: DatabaseActivity

  /// Opens `count` connections (1 to 63), so many reads run side by side; one more waits for as
  /// long as `patience`.
  init(
    path: String, settings: ConnectionSettings, count: Int, patience: Duration,
    activity: DatabaseActivity
  ) throws {
    let count = min(max(1, count), 63)
    readers = try (0..<count).map { _ in
      let (queue, session) = try settings.open(path)
      return Reader(queue: queue, session: session)
    }
    idle = Atomic((1 << UInt64(count)) - 1)
    tickets = DispatchSemaphore(value: count)
    self.patience = .milliseconds(patience.wholeMilliseconds)
    self.activity = activity
  }

  /// Runs `body` on one snapshot of the file.
  func read<T>(limit: Duration?, _ body: (Connection) throws -> T) throws -> T {
    if isClosed.load(ordering: .acquiring) {
      throw DatabaseFault(.closed, "the database is closed")
    }
    try awaitTicket()
    defer { tickets.signal() }
    let index = take()
    defer { _ = idle.bitwiseOr(1 << UInt64(index), ordering: .releasing) }
    let reader = readers[index]
    do {
      return try reader.queue.inDatabase { _ in
        try reader.session.transaction("BEGIN", limit: limit) {
          try body(Connection(session: reader.session))
        }
      }
    } catch let fault as DatabaseFault where fault.kind == .interrupted {
      activity.interruptedReads.add()
      throw fault
    }
  }

  private func awaitTicket() throws {
    let now = DispatchTime.now()
    // As a rule one is free, and the wait is none worth noting.
    if tickets.wait(timeout: now) == .success { return }
    defer { activity.readerWait.observe(nanosecondsSince: now) }
    guard tickets.wait(timeout: now + patience) == .success else {
      activity.refusedReads.add()
      throw DatabaseFault(.busy, "all \(readers.count) readers are busy")
    }
  }

  /// Readers lent now, and how many there are.
  var use: (busy: Int, all: Int) {
    (readers.count - idle.load(ordering: .relaxed).nonzeroBitCount, readers.count)
  }

  /// Hands each connection to `body`, after the reads under way on it.
  func forEachSession(_ body: (Session) -> Void) {
    for reader in readers { reader.queue.inDatabase { _ in body(reader.session) } }
  }

  /// Takes the first free reader: the one most used, with most pages in its cache. The caller has
  /// a ticket, so that one is free.
  private func take() -> Int {
    var free = idle.load(ordering: .relaxed)
    while true {
      let (taken, found) = idle.weakCompareExchange(
        expected: free, desired: free & (free &- 1), ordering: .acquiring)
      if taken, free != 0 { return free.trailingZeroBitCount }
      free = found
    }
  }

  /// Waits for running reads and closes all connections.
  func close() throws {
    isClosed.store(true, ordering: .releasing)
    for reader in readers { try ConnectionSettings.close(reader.queue, reader.session) }
  }

  deinit {
    for reader in readers { reader.queue.inDatabase { _ in reader.session.close() } }
  }
}

extension Duration {
  /// Milliseconds, clamped to what fits an `Int32`.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let limit: Int64 = 2_000_000
    return Int(min(max(seconds, 0), limit)) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
