package import PrivacyMap
package import SpatialDatabase

/// Makes the rate limits of an instance.
///
/// With PostgreSQL several servers may use the database, so they count events there together. With SQLite there is one
/// server, which counts in memory: a count then costs no write.
package struct RateLimits: Sendable {
  /// The clock.
  package let now: @Sendable () -> Timestamp
  private let shared: SharedEvents?

  /// Limits of this server alone.
  package init(now: @escaping @Sendable () -> Timestamp) { (self.now, shared) = (now, nil) }

  /// Limits of all servers that count in `shared`.
  package init(_ shared: SharedEvents, now: @escaping @Sendable () -> Timestamp) {
    (self.now, self.shared) = (now, shared)
  }

  /// Limits of all servers on a database.
  ///
  /// - Throws: ``DatabaseFault``.
  package init(on database: Database, now: @escaping @Sendable () -> Timestamp) throws {
    self.now = now
    shared = database.isShared ? try SharedEvents(database, now: now()) : nil
  }

  /// A limit of `limit` events in any time of the length `window`. Limits with the same `name` count together.
  package func limit<Key>(_ name: String, _ limit: Int, per window: Duration) -> Throttle<Key> {
    Throttle(name, limit: limit, window: window, in: shared ?? MemoryEvents(), now: now)
  }
}
