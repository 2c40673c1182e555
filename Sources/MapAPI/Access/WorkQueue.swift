import Foundation
import Synchronization

/// Threads for work too slow for the server's own: hashing passwords, photos, files.
///
/// A few things are done at once, some wait, and more is refused.
package final class WorkQueue: Sendable {
  private let operations = OperationQueue()
  private let count = Mutex(0)
  private let capacity: Int

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
    guard isTaken else { return false }
    operations.addOperation { [self] in
      work()
      count.withLock { $0 -= 1 }
    }
    return true
  }

  /// Waits for everything that is under way.
  package func stop() { operations.waitUntilAllOperationsAreFinished() }
}
