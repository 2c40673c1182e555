import Foundation
internal import Locking
package import Metrics

/// Threads for work too slow for the server's own: hashing passwords, photos, files.
///
/// A few things are done at once, some wait, and more is refused.
package final class WorkQueue: Sendable {
  private let operations = OperationQueue()
  private let count = Locked(0)
  private let capacity: Int
  /// How long work waited for its turn.
  package let wait = Histogram.ofDurations()
  /// Work that was not taken.
  package let refused = Counter()

  /// `width` is how many are done at once, `capacity` how many may be there, waiting ones counted.
  package init(width: Int, capacity: Int) {
    operations.maxConcurrentOperationCount = width
    self.capacity = capacity
  }

  /// Does `work` when its turn comes.
  ///
  /// - Returns: false when too much waits already.
  package func add(_ work: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = count.withLock { count in
      guard count < capacity else { return false }
      count += 1
      return true
    }
    guard isTaken else {
      refused.add()
      return false
    }
    let addedAt = ContinuousClock.now
    operations.addOperation { [self] in
      wait.observe(.now - addedAt)
      work()
      count.withLock { $0 -= 1 }
    }
    return true
  }

  /// How much waits or is under way.
  package var length: Int { count.withLock { $0 } }

  /// Waits for everything that is under way.
  package func stop() { operations.waitUntilAllOperationsAreFinished() }
}
