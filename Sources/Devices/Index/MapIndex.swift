import Foundation
internal import Locking
package import PrivacyMap
package import SpatialDatabase

/// The point index of the running server, kept in sync with the database.
///
/// The database is the only source of truth. The server builds the index from it at start. At the end of
/// a transaction the writer collects the changes for the index (``news(_:)``). After the commit it
/// applies them, and only then sends the response, so no response shows outdated data.
package final class MapIndex: Sendable {
  private let current: Locked<PointIndex>
  /// The last change in ``current``. Set after it: a version may be older than the content, but never newer.
  private let last = Locked(LastChange.none)
  /// The last change of this server itself.
  private let stored = Locked(LastChange.none)
  /// Held during updates of the index, so that two commits do not update it at the same time.
  private let following = Locked(Following())
  private let reader: IndexedPointReader
  private let changedAt = Locked(ContinuousClock.now)
  private let observers = Locked<[any MapObserver]>([])
  private let mergeFloor: Int

  /// The state of updates.
  private struct Following {
    /// The number of times that the index was loaded.
    var loads = 0
    /// The changes since another thread began to merge a copy of the index; nil if none does.
    var changesSinceMerge: [PointChange]?
  }

  /// An empty index, to be filled by ``load(from:)``.
  package init(vocabulary: Vocabulary, mergeFloor: Int = PointIndex.usualMergeFloor) {
    reader = IndexedPointReader(vocabulary: vocabulary)
    current = Locked(PointIndex())
    self.mergeFloor = mergeFloor
  }

  /// The current content of the index: a value that later commits do not change.
  package var snapshot: PointIndex { current.withLock { $0 } }

  /// The number in the change sequence up to which the index is current.
  package var sequence: Int64 { current.withLock { $0.sequence } }

  /// The state of the map: equal on all servers that have the same changes.
  package var edition: String { last.withLock { $0.text } }

  /// The number of times that the index was loaded.
  var loadCount: Int { following.withLock { $0.loads } }

  /// The last change that this server has stored itself since the index was loaded.
  var acknowledged: LastChange { stored.withLock { $0 } }

  /// Whether a database contains a change, in the form of ``edition``.
  package static func contains(
    _ change: String, _ connection: borrowing Connection
  ) throws -> Bool { try LastChange(text: change)?.isIn(connection) ?? true }

  /// Whether a database contains the last change of the index.
  package func isKnown(to connection: borrowing Connection) throws -> Bool {
    try last.withLock { $0 }.isIn(connection)
  }

  /// The time since the index was loaded or last changed.
  package var age: Duration { changedAt.withLock { .now - $0 } }

  /// Reads every public device.
  package func load(from database: Database) throws { try load(from: database, parts: nil) }

  /// Reads every public device, in `parts` concurrent ranges of rows; nil chooses a suitable number.
  package func load(from database: Database, parts: Int?) throws {
    try following.withLock { following in
      let extent = try database.read(limit: .none) { try RowExtent($0) }
      let parts = parts ?? Self.usualParts(extent, database)
      var loaded = try Concurrently.map(extent.parts(parts)) {
        [reader, mergeFloor] rows, expectedCount in
        try database.read(limit: .none) { connection in
          let last = try LastChange(connection)
          var builder = PointIndex.Builder(expectedCount: expectedCount, mergeFloor: mergeFloor)
          try reader.forEach(
            connection,
            where: (
              IndexedPointReader.rowRange,
              [.integer(rows.lowerBound), .integer(rows.upperBound)]
            )
          ) { builder.append($0) }
          return (builder: builder, last: last)
        }
      }
      // Each part read a different state; changes committed in between are applied again.
      let last = loaded.map(\.last).min { $0.sequence < $1.sequence } ?? .none
      var builder = PointIndex.Builder(mergeFloor: mergeFloor)
      swap(&builder, &loaded[0].builder)
      for place in loaded.indices.dropFirst() {
        // Moved out, so that each column is freed as soon as it is appended.
        var part = PointIndex.Builder()
        swap(&part, &loaded[place].builder)
        builder.append(contentsOf: consume part)
      }
      let index = builder.finish(sequence: last.sequence)
      current.withLock { $0 = index }
      self.last.withLock { $0 = last }
      stored.withLock { $0 = .none }
      changedAt.withLock { $0 = .now }
      following = Following(loads: following.loads + 1)
      if let news = try database.readQuickly(limit: .none, { try self.news($0) }) {
        apply(news, &following)
      }
    }
  }

  /// As many as there are cores, but at most half of the read connections, so that other requests are
  /// served meanwhile.
  private static func usualParts(_ extent: RowExtent, _ database: Database) -> Int {
    let atOnce = min(ProcessInfo.processInfo.activeProcessorCount, database.readersInUse.all / 2)
    return min(atOnce, extent.count / minPart)
  }

  /// The minimum number of devices for another thread.
  private static let minPart = 10_000

  /// Applies the changes committed since the last update.
  ///
  /// After a restore or a takeover the database may not contain the last change of the index, or another one with its
  /// number. Then the index is loaded again.
  package func catchUp(with database: Database) throws {
    if try !update(from: database) { try load(from: database) }
  }

  /// Applies the changes committed since the last update.
  ///
  /// - Returns: false if the database does not contain the last change of the index, so that it must be loaded again.
  func update(from database: Database) throws -> Bool {
    try following.withLock { following in
      // Read before the database: a change in the index is committed.
      let seen = last.withLock { $0 }
      let (isIn, news) = try database.readQuickly(limit: .none) { connection -> (Bool, News?) in
        // Together with the queries of `news`, because usually nothing has changed.
        try connection.expect(
          [seen.query, LastChange.newestQuery, Self.query(changedAfter: seen.sequence)])
        guard try seen.isIn(connection) else { return (false, nil) }
        return (true, try self.news(connection, isExpected: true))
      }
      if let news { apply(news, &following) }
      return isIn
    }
  }

  /// Changes that a transaction sees and the index does not contain yet.
  package struct News {
    fileprivate let changes: [PointChange]
    fileprivate let last: LastChange
    fileprivate var sequence: Int64 { last.sequence }
  }

  /// The changes that `connection` sees and the index does not contain; nil if there are no changes.
  /// Called in a write transaction, it returns the changes to apply with ``take(_:)`` after the commit.
  package func news(_ connection: borrowing Connection) throws -> News? {
    try news(connection, isExpected: false)
  }

  private func news(_ connection: borrowing Connection, isExpected: Bool) throws -> News? {
    let seen = sequence
    if !isExpected {
      try connection.expect([LastChange.newestQuery, Self.query(changedAfter: seen)])
    }
    let last = try LastChange(connection)
    guard last.sequence > seen else { return nil }
    var changes: [PointChange] = []
    let rowids = try Self.devices(changedAfter: seen, connection)
    try reader.forEach(rowids, connection) { rowid, point in
      if let point {
        changes.append(.put(point))
      } else if let rowid = UInt32(exactly: rowid) {
        changes.append(.remove(rowid: rowid))
      }
    }
    return News(changes: changes, last: last)
  }

  /// Applies the changes of a transaction that is committed.
  package func take(_ news: News) {
    stored.withLock { if news.sequence > $0.sequence { $0 = news.last } }
    following.withLock { following in
      // If another thread has caught up meanwhile, the index already contains these changes.
      if news.sequence > sequence { apply(news, &following) }
    }
  }

  private func apply(_ news: News, _ following: inout Following) {
    var next = snapshot
    let listeners = observers.withLock { $0 }.filter(\.isListening)
    let isNeeded = listeners.contains(where: \.needsTransitions)
    let transitions = isNeeded ? news.changes.map { MapTransition($0, in: next) } : []
    next.apply(news.changes, sequence: news.sequence)
    current.withLock { $0 = next }
    last.withLock { $0 = news.last }
    changedAt.withLock { $0 = .now }
    for listener in listeners { listener.note(transitions, sequence: news.sequence) }
    if following.changesSinceMerge != nil {
      following.changesSinceMerge?.append(contentsOf: news.changes)
    } else if next.isOutgrown {
      following.changesSinceMerge = []
      merge(next, loads: following.loads)
    }
  }

  /// Merges a copy of the index on another thread, so that no write waits for it, and then replaces the index.
  private func merge(_ copy: PointIndex, loads: Int) {
    NamedThread.start("index-merge", nice: 5) { [self] in
      var merged = copy
      merged.merge()
      following.withLock { following in
        // After another load the merge is useless.
        guard following.loads == loads, let changes = following.changesSinceMerge else { return }
        merged.apply(changes, sequence: sequence)
        current.withLock { $0 = merged }
        following.changesSinceMerge = nil
      }
    }
  }

  /// Waits for an update in progress. An observer that listens since before the call receives all later changes.
  package func settle() { following.withLock { _ in } }

  /// Reports later changes to `observer`, on the thread that applies them.
  package func observe(with observer: any MapObserver) {
    observers.withLock { $0.append(observer) }
  }

  /// The devices in a range of the change sequence; a device may occur several times.
  ///
  /// Without DISTINCT: for an open range SQLite would then read the whole index that is sorted by device.
  ///
  /// PostgreSQL would plan the statement at each use if it knew that no change is later than the first number.
  static let changed = """
    SELECT device_rowid FROM change
    WHERE sequence > (SELECT CAST(? AS BIGINT)) AND sequence <= ?
    """

  /// The devices that changed, each once, sorted.
  package static func devices(
    changedAfter sequence: Int64, _ connection: borrowing Connection
  ) throws -> [Int64] {
    let query = query(changedAfter: sequence)
    let rowids = try connection.rows(query.sql, query.arguments) { $0.int(0) }
    return Set(rowids).sorted()
  }

  private static func query(changedAfter sequence: Int64) -> Database.Item {
    (changed, [.integer(sequence), .integer(.max)])
  }
}
