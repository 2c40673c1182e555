internal import GRDB
internal import Locking

/// One snapshot of the file on a connection of its own, for reads that outlast a call: exports.
///
/// It takes no connection from the map's quick reads. While it lasts, the log cannot start anew, so
/// ``end()`` it as soon as everything is read; it ends by itself when nobody holds it any more.
package final class Snapshot: Sendable {
  private let queue: DatabaseQueue
  private let session: Session
  private let places: SnapshotPlaces
  private let hasEnded = Locked(false)

  init(
    path: String, settings: ConnectionSettings, forbidden: Set<String>, limit: Duration,
    places: SnapshotPlaces
  ) throws {
    self.places = places
    do {
      (queue, session) = try settings.open(path)
    } catch {
      places.leave()
      throw error
    }
    try queue.inDatabase { [session] _ in
      session.forbidReading(forbidden)
      try session.begin(limit: limit)
    }
  }

  deinit { end() }

  /// Runs `body` on the snapshot, on the calling thread; one at a time.
  ///
  /// - Throws: ``DatabaseFault`` of kind `interrupted` past the time limit of the whole snapshot,
  ///   `closed` after ``end()``, and what `body` throws.
  package func read<T>(_ body: (Connection) throws -> T) throws -> T {
    try queue.inDatabase { _ in try body(Connection(session: session)) }
  }

  /// Lets it last for so long from now.
  package func limit(to duration: Duration) {
    queue.inDatabase { _ in session.limit(to: duration) }
  }

  /// Lets the snapshot go, after the read under way; a second time does nothing.
  package func end() {
    let isFirst = hasEnded.withLock { ended in
      defer { ended = true }
      return !ended
    }
    guard isFirst else { return }
    queue.inDatabase { _ in
      try? session.end()
      session.close()
    }
    try? queue.close()
    places.leave()
  }
}

/// Counts the snapshots there are.
final class SnapshotPlaces: Sendable {
  private let taken: Locked<Int> = Locked(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// - Returns: false when there are as many as may be.
  func enter() -> Bool {
    taken.withLock { taken in
      guard taken < limit else { return false }
      taken += 1
      return true
    }
  }

  func leave() { taken.withLock { $0 -= 1 } }
}

extension Database {
  /// A snapshot of the file as it is now, with what ``forbidReading(_:)`` named kept from it too.
  ///
  /// Statements are interrupted once it has lasted for `limit`.
  ///
  /// - Throws: ``DatabaseFault`` of kind `busy` when there are as many snapshots as
  ///   ``Configuration/snapshots`` lets be.
  package func snapshot(limit: Duration) throws -> Snapshot {
    guard snapshotPlaces.enter() else {
      throw DatabaseFault(.busy, "\(configuration.snapshots) long reads are under way")
    }
    var settings = ConnectionSettings(part: .reader, busyTimeout: configuration.busyTimeout)
    settings.keepsTransactions = true
    return try Snapshot(
      path: path, settings: settings,
      forbidden: forbidden.withLock { $0 }, limit: limit, places: snapshotPlaces)
  }
}
