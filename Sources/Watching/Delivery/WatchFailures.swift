import Locking
import Logging
import Service
import SpatialDatabase

/// Sets aside watches whose filters cannot be evaluated, so that the other watches continue.
///
/// A filter that fails does so each time. A filter that takes too long may have met a busy database, so its watch gets
/// further attempts before it is set aside.
final class WatchFailures: Sendable {
  private let database: Database
  private let writer: GroupedWriter
  private let store: WatchStore
  private let mails: WatchMails
  private let logger: Logger
  /// The number of times in succession that each watch took too long.
  private let late = Locked<[Int64: Int]>([:])
  /// Failures that requests met.
  private let noted = Locked<[Int64: DatabaseFault]>([:])

  /// The maximum number of times in succession that a watch may take too long.
  static let attempts = 3
  /// The time for reading the news of one watch. ``WatchNews/slice`` ends before, unless a single statement takes
  /// longer.
  static let limit = Duration.seconds(5)

  init(
    database: Database, writer: GroupedWriter, store: WatchStore, mails: WatchMails, logger: Logger
  ) {
    (self.database, self.writer, self.store) = (database, writer, store)
    (self.mails, self.logger) = (mails, logger)
  }

  /// Whether a fault of a read concerns the filter that it evaluated, and not the database.
  static func isOfFilter(_ error: any Error) -> Bool {
    (error as? DatabaseFault)?.isOfStatement ?? false
  }

  /// Reads the news of one watch.
  ///
  /// - Returns: nil if its filter failed. The watch was set aside or put off then.
  /// - Throws: faults of the database.
  func reading<T>(_ row: Int64, _ body: () throws -> T) throws -> T? {
    do {
      let result = try body()
      _ = late.withLock { $0.removeValue(forKey: row) }
      return result
    } catch let fault as DatabaseFault where Self.isOfFilter(fault) {
      try take(row, fault)
      return nil
    }
  }

  /// Remembers that a request got what a watch tells: a busy moment long ago counts no more.
  func noteSuccess(_ row: Int64) { _ = late.withLock { $0.removeValue(forKey: row) } }

  /// Remembers a failure that a request met; ``takeNoted()`` follows on the thread of the worker.
  func note(_ row: Int64, _ fault: DatabaseFault) { noted.withLock { $0[row] = fault } }

  func takeNoted() throws {
    let noted = noted.withLock { noted in
      defer { noted = [:] }
      return noted
    }
    for (row, fault) in noted.sorted(by: { $0.key < $1.key }) { try take(row, fault) }
  }

  private func take(_ row: Int64, _ fault: DatabaseFault) throws {
    let isLate = fault.kind == .interrupted
    let count = late.withLock { late in
      late[row, default: 0] += 1
      return late[row] ?? 1
    }
    guard !isLate || count >= Self.attempts else {
      return try writer.write(orIn: database) { [store] connection in
        try store.putOff(row, by: WatchMails.rest, connection)
      }
    }
    _ = late.withLock { $0.removeValue(forKey: row) }
    let id = try writer.write(orIn: database) { [store, mails] connection -> String? in
      guard try store.setAside(row, connection), let watch = try store.one(row: row, connection)
      else { return nil }
      try mails.tell(.watchFailed, about: watch, connection)
      return watch.id
    }
    // Neither the filter nor the statement, which reveal what a person watches.
    if let id {
      logger.warning(
        "a watch was set aside",
        metadata: [
          "watch": "\(id)", "reason": "\(isLate ? "too slow" : "failed \(fault.sqlState)")",
        ])
    }
  }
}
