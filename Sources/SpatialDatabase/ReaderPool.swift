internal import Dispatch
internal import Metrics
internal import Synchronization

/// Read-only connections to one file, each used by one caller at a time.
final class ReaderPool: Sendable {
  private let readers: [Session]
  /// One bit per idle reader.
  private let idle: Atomic<UInt64>
  private let tickets: DispatchSemaphore
  private let patience: DispatchTimeInterval
  private let isClosed = Atomic(false)
  private let activity: DatabaseActivity

  /// Opens `count` connections (1 to 63) for that many concurrent reads. Further reads wait up to
  /// `patience`.
  init(
    path: String, settings: ConnectionSettings, count: Int, patience: Duration,
    activity: DatabaseActivity
  ) throws {
    let count = min(max(1, count), 63)
    readers = try (0..<count).map { _ in try settings.open(path) }
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
      return try reader.use {
        try reader.transaction("BEGIN", limit: limit) {
          try body(Connection(session: reader))
        }
      }
    } catch let fault as DatabaseFault where fault.kind == .interrupted {
      activity.interruptedReads.add()
      throw fault
    }
  }

  private func awaitTicket() throws {
    let now = DispatchTime.now()
    // Usually a reader is free. Such a read is not recorded as a wait.
    if tickets.wait(timeout: now) == .success { return }
    defer { activity.readerWait.observe(nanosecondsSince: now) }
    guard tickets.wait(timeout: now + patience) == .success else {
      activity.refusedReads.add()
      throw DatabaseFault(.busy, "all \(readers.count) readers are busy")
    }
  }

  /// The number of readers in use, and the total number.
  var use: (busy: Int, all: Int) {
    (readers.count - idle.load(ordering: .relaxed).nonzeroBitCount, readers.count)
  }

  /// Passes each connection to `body`, after its current reads.
  func forEachSession(_ body: (Session) -> Void) {
    for reader in readers { reader.use { body(reader) } }
  }

  /// Takes the first free reader, which is the most used one with the most cached pages. The caller
  /// has a ticket, so there is a free one.
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
    for reader in readers { try reader.close() }
  }
}

extension Duration {
  /// Milliseconds, clamped to the range of `Int32`.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let limit: Int64 = 2_000_000
    return Int(min(max(seconds, 0), limit)) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
