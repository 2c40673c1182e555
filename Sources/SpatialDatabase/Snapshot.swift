internal import Locking

/// One snapshot of the file on a separate connection, for long reads such as exports.
///
/// It does not occupy a connection for quick reads. While it lasts, the log cannot restart, so call
/// ``end()`` as soon as everything is read. The snapshot also ends with the last reference to it.
package final class Snapshot: Sendable {
  private let session: Session
  private let places: SnapshotPlaces
  private let hasEnded = Locked(false)

  init(
    path: String, settings: ConnectionSettings, forbidden: Set<String>, limit: Duration,
    places: SnapshotPlaces
  ) throws {
    self.places = places
    do {
      session = try settings.open(path)
    } catch {
      places.leave()
      throw error
    }
    try session.use {
      session.forbidReading(forbidden)
      try session.begin(limit: limit)
    }
  }

  deinit { end() }

  /// Runs `body` on the snapshot, on the calling thread, one call at a time.
  ///
  /// - Throws: ``DatabaseFault`` of kind `interrupted` after the time limit of the whole snapshot,
  ///   `closed` after ``end()``, and errors from `body`.
  package func read<T>(_ body: (Connection) throws -> T) throws -> T {
    try session.use { try body(Connection(session: session)) }
  }

  /// Sets the remaining time of the snapshot, from now.
  package func limit(to duration: Duration) {
    session.use { session.limit(to: duration) }
  }

  /// Ends the snapshot after the current read. A second call has no effect.
  package func end() {
    let isFirst = hasEnded.withLock { ended in
      defer { ended = true }
      return !ended
    }
    guard isFirst else { return }
    try? session.close()  // rolls its transaction back
    places.leave()
  }
}

/// Counts the current snapshots.
final class SnapshotPlaces: Sendable {
  private let taken: Locked<Int> = Locked(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// - Returns: false when the limit is reached.
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
  /// A snapshot of the current state of the file. The tables passed to ``forbidReading(_:)`` are
  /// forbidden for it as well.
  ///
  /// Its statements are interrupted after `limit`.
  ///
  /// - Throws: ``DatabaseFault`` of kind `busy` when ``Configuration/snapshots`` is reached.
  package func snapshot(limit: Duration) throws -> Snapshot {
    guard snapshotPlaces.enter() else {
      throw DatabaseFault(.busy, "\(configuration.snapshots) long reads are under way")
    }
    return try Snapshot(
      path: path,
      settings: ConnectionSettings(part: .reader, busyTimeout: configuration.busyTimeout),
      forbidden: forbidden.withLock { $0 }, limit: limit, places: snapshotPlaces)
  }
}
