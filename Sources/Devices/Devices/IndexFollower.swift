internal import Locking
package import Logging
package import SpatialDatabase

/// Applies the changes of other servers to the index. Without other servers it does nothing.
///
/// Writes have one order on all servers (docs/decisions/0020), so a follower that asks for the changes after the last
/// one it knows misses none.
package final class IndexFollower: Sendable {
  private let listener: WriteListener?
  /// Applies what is new.
  private let follow: @Sendable () throws -> Void
  /// Why the last attempt failed.
  private let fault = Locked<String?>(nil)

  /// `others` reads what else other servers change.
  ///
  /// - Throws: ``DatabaseFault``.
  package init(
    _ index: MapIndex, of database: Database, logger: Logger,
    others: @escaping @Sendable () throws -> Void = {}
  ) throws {
    let follow: @Sendable () throws -> Void = {
      try index.catchUp(with: database)
      try others()
    }
    self.follow = follow
    listener = try database.listen { [fault] in
      do {
        try follow()
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

  /// Applies what is committed now, without waiting for the thread. While the database cannot be read, nothing happens:
  /// responses from memory continue.
  package func catchUp() {
    guard listener != nil, fault.withLock({ $0 == nil }) else { return }
    // The thread fails, too, and logs it.
    try? follow()
  }

  /// Waits for the thread.
  package func stop() { listener?.stop() }
}
