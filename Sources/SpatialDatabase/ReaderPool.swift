internal import Dispatch
internal import GRDB
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
  private let idle: Mutex<[Int]>
  private let tickets: DispatchSemaphore
  private let patience: DispatchTimeInterval
  private let isClosed = Atomic(false)

  /// Opens `count` connections, so many reads run side by side; one more waits for as long as
  /// `patience`.
  init(path: String, settings: ConnectionSettings, count: Int, patience: Duration) throws {
    let count = max(1, count)
    readers = try (0..<count).map { _ in
      let (queue, session) = try settings.open(path)
      return Reader(queue: queue, session: session)
    }
    idle = Mutex(Array(readers.indices))
    tickets = DispatchSemaphore(value: count)
    self.patience = .milliseconds(patience.wholeMilliseconds)
  }

  /// Runs `body` on one snapshot of the file.
  func read<T>(limit: Duration?, _ body: (Connection) throws -> T) throws -> T {
    if isClosed.load(ordering: .acquiring) {
      throw DatabaseFault(.closed, "the database is closed")
    }
    guard tickets.wait(timeout: .now() + patience) == .success else {
      throw DatabaseFault(.busy, "all \(readers.count) readers are busy")
    }
    defer { tickets.signal() }
    // The last one given back, whose pages are likeliest still in its cache.
    guard let index = idle.withLock({ $0.popLast() }) else {
      throw DatabaseFault(.busy, "no reader is free")
    }
    defer { idle.withLock { $0.append(index) } }
    let reader = readers[index]
    return try reader.queue.inDatabase { _ in
      try reader.session.transaction("BEGIN", limit: limit) {
        try body(Connection(session: reader.session))
      }
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
