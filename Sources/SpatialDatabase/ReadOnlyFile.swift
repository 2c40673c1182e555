internal import Locking

/// A plain SQLite file from another source, such as map tiles or place names, opened read-only.
///
/// It is opened without SpatiaLite, and need not be a Farol file.
package final class ReadOnlyFile: Sendable {
  private let readers: ReaderPool
  private let timeLimit: Duration

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - readers: the number of concurrent reads. Further reads wait.
  ///   - timeLimit: the maximum time of a read.
  /// - Throws: ``DatabaseFault`` of kind `unreadable`.
  package init(path: String, readers: Int = 4, timeLimit: Duration = .seconds(2)) throws {
    guard FileFormat.size(path) != nil else {
      throw DatabaseFault(.unreadable, "\(path): no such file")
    }
    let timeout = Duration.milliseconds(5_000)
    self.timeLimit = timeLimit
    self.readers = try ReaderPool(
      path: path,
      settings: ConnectionSettings(
        part: .plainReader, busyTimeout: timeout, isFarolDatabase: false),
      count: readers, timeout: timeout, activity: DatabaseActivity())
  }

  /// Like ``read(_:)``, for reads that are quick whatever the data and the request are. Threads that serve sockets may
  /// call it.
  package func readQuickly<T>(_ body: (Connection) throws -> T) throws -> T {
    try readers.read(limit: timeLimit, body)
  }

  /// Runs `body` on one snapshot, on the calling thread, which must not serve sockets.
  package func read<T>(_ body: (Connection) throws -> T) throws -> T {
    try SocketThread.leave()
    return try readers.read(limit: timeLimit, body)
  }

  /// Waits for running reads, then closes. Later use throws a fault of kind `closed`.
  package func close() throws { try readers.close() }
}
