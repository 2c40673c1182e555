internal import Locking
package import Logging
package import SpatialDatabase

/// Applies the changes of other servers to the index. Without other servers it does nothing.
///
/// Writes have one order on all servers (docs/decisions/0020), so a follower that asks for the changes after the last
/// one it knows misses none.
package final class IndexFollower: Sendable {
  private let listener: WriteListener?

  /// `others` reads what else other servers change.
  ///
  /// - Throws: ``DatabaseFault``.
  package init(
    _ index: MapIndex, of database: Database, logger: Logger,
    others: @escaping @Sendable () throws -> Void = {}
  ) throws {
    let fault = Locked<String?>(nil)
    listener = try database.listen {
      do {
        try index.catchUp(with: database)
        try others()
        fault.withLock { $0 = nil }
      } catch {
        // Said once, and not twice a second.
        let isNew = fault.withLock { fault in
          defer { fault = "\(error)" }
          return fault == nil
        }
        if isNew {
          logger.error("changes of other servers are not read", metadata: ["error": "\(error)"])
        }
      }
    }
  }

  /// Waits for the thread.
  package func stop() { listener?.stop() }
}
