internal import Locking
package import Logging
package import SpatialDatabase

/// Applies the changes of other servers to the index. Without other servers it does nothing.
///
/// Writes have one order on all servers (docs/decisions/0020), so a follower that asks for the changes after the last
/// one it knows misses none.
package final class IndexFollower: Sendable {
  private let listener: WriteListener?
  /// Applies what is new, unless the index must be loaded again.
  private let update: @Sendable () throws -> Void
  private let outcome: Outcome

  /// Why the last attempt failed; nil if it succeeded.
  private final class Outcome: Sendable {
    let fault = Locked<String?>(nil)
  }

  /// `others` reads what else other servers change.
  ///
  /// - Throws: ``DatabaseFault``.
  package init(
    _ index: MapIndex, of database: Database, logger: Logger,
    others: @escaping @Sendable () throws -> Void = {}
  ) throws {
    update = {
      _ = try index.update(from: database)
      try others()
    }
    let outcome = Outcome()
    self.outcome = outcome
    listener = try database.listen {
      do {
        try index.catchUp(with: database)
        try others()
        database.confirmState()
        outcome.fault.withLock { $0 = nil }
      } catch {
        // Logged once, and not twice a second.
        let isNew = outcome.fault.withLock { fault in
          defer { fault = "\(error)" }
          return fault == nil
        }
        if isNew {
          logger.error("changes of other servers are not read", metadata: ["error": "\(error)"])
        }
      }
    }
  }

  /// Applies what is committed now, without waiting for the thread. Nothing happens while the database cannot be read, so
  /// that responses from memory continue, or if the index must be loaded again, which the thread does once for all.
  package func catchUp() {
    guard listener != nil, outcome.fault.withLock({ $0 == nil }) else { return }
    // The thread fails, too, and logs it.
    try? update()
  }

  /// Waits for the thread.
  package func stop() { listener?.stop() }
}
