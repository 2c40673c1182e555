internal import Dispatch
internal import Locking
internal import Metrics
internal import Synchronization

/// Read-only connections to one file, each used by one caller at a time. The first is open from the start, so that a
/// file that cannot be read is noticed; the others open with the first read that needs them, because each takes about
/// 2 MB of memory.
final class ReaderPool: Sendable {
  /// A connection that opens with its first use.
  private final class Reader: Sendable {
    let session: Locked<Session?>

    init(_ session: Session?) { self.session = Locked(session) }
  }

  private let readers: [Reader]
  /// One bit per idle reader.
  private let idle: Atomic<UInt64>
  private let tickets: DispatchSemaphore
  private let timeout: DispatchTimeInterval
  private let isClosed = Atomic(false)
  private let activity: DatabaseActivity
  private let path: String
  private let settings: ConnectionSettings
  /// The tables passed to ``forbidReading(_:)``.
  private let forbidden = Locked<Set<String>>([])

  /// Opens at most `count` connections (1 to 63) for that many concurrent reads. Further reads wait up to
  /// `timeout`.
  init(
    path: String, settings: ConnectionSettings, count: Int, timeout: Duration,
    activity: DatabaseActivity
  ) throws {
    (self.path, self.settings) = (path, settings)
    let count = min(max(1, count), 63)
    let first = try settings.open(path)
    readers = (0..<count).map { Reader($0 == 0 ? first : nil) }
    idle = Atomic((1 << UInt64(count)) - 1)
    tickets = DispatchSemaphore(value: count)
    self.timeout = .milliseconds(timeout.wholeMilliseconds)
    self.activity = activity
  }

  /// Runs `body` on one snapshot of the file. With a plan for one query, each query sees its own snapshot.
  func read<T>(
    limit: Duration?, plan: ReadPlan = ReadPlan(), _ body: (Connection) throws -> T
  ) throws -> T {
    try checkOpen()
    try awaitTicket()
    defer { tickets.signal() }
    let index = take()
    defer { _ = idle.bitwiseOr(1 << UInt64(index), ordering: .releasing) }
    let reader = try session(index)
    do {
      return try reader.use {
        func run() throws -> T {
          reader.isQuick = plan.isQuick
          defer { reader.isQuick = false }
          return try body(Connection(session: reader))
        }
        return plan.isOneQuery
          ? try reader.queries(limit: limit, run)
          : try reader.transaction("BEGIN", limit: limit, run)
      }
    } catch let fault as DatabaseFault where fault.kind == .interrupted {
      activity.interruptedReads.add()
      throw fault
    }
  }

  private func checkOpen() throws {
    if isClosed.load(ordering: .acquiring) {
      throw DatabaseFault(.closed, "the database is closed")
    }
  }

  private func awaitTicket() throws {
    let now = DispatchTime.now()
    // Usually a reader is free. Such a read is not recorded as a wait.
    if tickets.wait(timeout: now) == .success { return }
    defer { activity.readerWait.observe(nanosecondsSince: now) }
    guard tickets.wait(timeout: now + timeout) == .success else {
      activity.refusedReads.add()
      throw DatabaseFault(.busy, "all \(readers.count) readers are busy")
    }
  }

  /// The number of readers in use, and the total number.
  var use: (busy: Int, all: Int) {
    (readers.count - idle.load(ordering: .relaxed).nonzeroBitCount, readers.count)
  }

  /// Makes SQLite reject every statement that reads a column of these tables, on each connection after its current
  /// read.
  func forbidReading(_ tables: Set<String>) {
    forbidden.withLock { $0 = tables }
    for reader in openReaders { reader.use { reader.forbidReading(tables) } }
  }

  /// The number of statements that ran.
  var statementCount: UInt64 { openReaders.reduce(0) { $0 + $1.statementCount } }

  private var openReaders: [Session] { readers.compactMap { $0.session.withLock { $0 } } }

  /// Opens a connection outside the pool.
  func open() throws -> Session {
    let session = try settings.open(path)
    let tables = forbidden.withLock { $0 }
    if !tables.isEmpty { session.use { session.forbidReading(tables) } }
    return session
  }

  /// The connection with this number, opened if it is not.
  private func session(_ index: Int) throws -> Session {
    try readers[index].session.withLock { session in
      if let session { return session }
      try checkOpen()
      let opened = try open()
      session = opened
      return opened
    }
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
    for reader in openReaders { try reader.close() }
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
