internal import Locking

/// Reports that something may have been committed, by this server or by another one on the same database.
///
///     commits.observe { hub.look() }
package final class CommitSignal: Sendable {
  private let observers = Locked<[@Sendable () -> Void]>([])

  package init() {}

  /// Adds an observer, which must return at once: writes wait for it.
  package func observe(_ observer: @escaping @Sendable () -> Void) {
    observers.withLock { $0.append(observer) }
  }

  package func note() { for observer in observers.withLock({ $0 }) { observer() } }
}
