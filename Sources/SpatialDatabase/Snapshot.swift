internal import Dispatch
internal import Locking
internal import PostgreSQL

/// One snapshot of the database on a separate connection, for long reads such as exports.
///
/// It does not occupy a connection for quick reads. While it lasts, SQLite's log cannot restart, and PostgreSQL cannot
/// clean up, so call ``end()`` as soon as everything is read. The snapshot also ends with the last reference to it.
package final class Snapshot: Sendable {
  private enum Source {
    case sqlite(Session)
    case postgresql(ServerSnapshot)
  }

  private let source: Source
  private let places: SnapshotPlaces
  private let hasEnded = Locked(false)

  init(_ session: Session, places: SnapshotPlaces) {
    (source, self.places) = (.sqlite(session), places)
  }

  init(_ snapshot: ServerSnapshot, places: SnapshotPlaces) {
    (source, self.places) = (.postgresql(snapshot), places)
  }

  deinit { end() }

  /// Runs `body` on the snapshot, on the calling thread, one call at a time.
  ///
  /// - Throws: ``DatabaseFault`` of kind `interrupted` after the time limit of the whole snapshot,
  ///   `closed` after ``end()``, and errors from `body`.
  package func read<T>(_ body: (Connection) throws -> T) throws -> T {
    switch source {
    case .sqlite(let session): try session.use { try body(Connection(session: session)) }
    case .postgresql(let snapshot): try snapshot.read(body)
    }
  }

  /// Sets the remaining time of the snapshot, from now.
  package func limit(to duration: Duration) {
    switch source {
    case .sqlite(let session): session.use { session.limit(to: duration) }
    case .postgresql(let snapshot): snapshot.limit(to: duration)
    }
  }

  /// Ends the snapshot after the current read. A second call has no effect.
  package func end() {
    let isFirst = hasEnded.withLock { ended in
      defer { ended = true }
      return !ended
    }
    guard isFirst else { return }
    switch source {
    case .sqlite(let session): try? session.close()  // rolls its transaction back
    case .postgresql(let snapshot): snapshot.end()
    }
    places.leave()
  }
}

/// A PostgreSQL transaction that lasts for several reads.
///
/// `@unchecked Sendable`: `connection` changes at the end. It is used on the serial queue only, as in ``Session``. A
/// `Locked` would reject the results of ``read(_:)``, which need not be Sendable.
final class ServerSnapshot: @unchecked Sendable {
  private var connection: ServerConnection?
  private let identities: ServerSession.Identities
  private let queue = DispatchQueue(label: "database snapshot")

  init(_ connection: ServerConnection, identities: ServerSession.Identities) {
    (self.connection, self.identities) = (connection, identities)
  }

  func read<T>(_ body: (Connection) throws -> T) throws -> T {
    try queue.sync {
      guard let connection else { throw DatabaseFault(.closed, "the snapshot has ended") }
      let session = ServerSession(connection, identities: identities, readsInPieces: true)
      return try translatingFaults { try body(Connection(session: session)) }
    }
  }

  func limit(to duration: Duration) { queue.sync { connection?.limit(to: duration) } }

  /// Releases the connection, which ends its transaction.
  func end() { queue.sync { connection = nil } }
}

/// Counts the current snapshots.
final class SnapshotPlaces: Sendable {
  private let taken: Locked<Int> = Locked(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Takes a place for the result of `body`, which must leave it. If `body` throws, the place is free again.
  ///
  /// - Throws: ``DatabaseFault`` of kind `busy` when the limit is reached, and errors of `body`.
  func enter<T>(_ type: T.Type, _ body: () throws -> T) throws -> T {
    let hasRoom = taken.withLock { taken in
      guard taken < limit else { return false }
      taken += 1
      return true
    }
    guard hasRoom else { throw DatabaseFault(.busy, "\(limit) long reads are under way") }
    do { return try body() } catch {
      leave()
      throw error
    }
  }

  func leave() { taken.withLock { $0 -= 1 } }
}
