internal import Locking
package import Logging
package import SpatialDatabase

/// Applies the changes of other servers to the index. Without other servers it does nothing.
///
/// Writes have one order on all servers (docs/decisions/0020), so a follower that reads the changes after the last
/// known one misses none.
package final class IndexFollower: Sendable {
  private let listener: WriteListener?
  /// Applies new changes, unless the index must be loaded again.
  private let update: @Sendable () throws -> Void
  private let outcome: Outcome

  /// Why the last attempt failed; nil if it succeeded.
  private final class Outcome: Sendable {
    let fault = Locked<String?>(nil)
  }

  /// `others` reads further changes made by other servers.
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
    let seen = Locked(SeenChange(index))
    listener = try database.listen {
      do {
        try index.catchUp(with: database)
        try others()
        database.confirmState()
        let known = seen.withLock { $0.stored(index) }
        database.note(seen: known.text)
        outcome.fault.withLock { $0 = nil }
      } catch {
        // Logged once, and not twice a second.
        let isNew = outcome.fault.withLock { fault in
          let text = database.behind ?? ""
          defer { fault = text }
          return fault != text
        }
        if isNew {
          if let behind = database.behind {
            logger.critical("\(behind)")
          } else {
            logger.error("changes of other servers are not read", metadata: ["error": "\(error)"])
          }
        }
      }
    }
  }

  /// Applies all committed changes, without waiting for the thread. Nothing happens while the database cannot be read,
  /// so that responses from memory continue, or if the index must be loaded again, which the thread does once for all.
  package func catchUp() {
    guard listener != nil, outcome.fault.withLock({ $0 == nil }) else { return }
    // The thread fails, too, and logs it.
    try? update()
  }

  /// Waits for the thread.
  package func stop() { listener?.stop() }
}

/// The last change that is stored for certain.
///
/// A change of another server may be visible for a moment although its primary, which is just being stopped, has not
/// passed it on to a standby. A change counts after two checks more than a second apart, and a change of this server at
/// once, because it was acknowledged.
private struct SeenChange {
  private static let pause = Duration.seconds(1)

  private var stored: LastChange
  private var next: LastChange
  private var since = ContinuousClock.now
  /// After another load, the database has a state that was accepted, and earlier changes do not count.
  private var loadCount: Int

  init(_ index: MapIndex) {
    (stored, next) = (.none, LastChange(text: index.edition) ?? .none)
    loadCount = index.loadCount
  }

  mutating func stored(_ index: MapIndex) -> LastChange {
    if index.loadCount != loadCount { self = SeenChange(index) }
    let own = index.acknowledged
    if .now - since > Self.pause, let current = LastChange(text: index.edition) {
      stored = next
      next = current
      since = .now
    }
    if own.sequence > stored.sequence { stored = own }
    return stored
  }
}
