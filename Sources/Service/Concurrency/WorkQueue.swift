import Foundation
internal import Locking
package import Metrics

/// A queue with metrics.
package protocol MeasuredQueue: Sendable {
  /// The number of waiting and running operations.
  var length: Int { get }
  /// Time that operations waited in the queue.
  var wait: Histogram { get }
  /// Operations refused because the queue was full.
  var refused: Counter { get }
}

/// Threads for work too slow for the server's worker threads: photos, files, decisions.
///
/// A few operations run at once, a limited number waits, and further ones are refused.
package final class WorkQueue: MeasuredQueue {
  private let operations = OperationQueue()
  private let count = Locked(0)
  private let capacity: Int
  /// Time that operations waited in the queue.
  package let wait = Histogram.ofDurations()
  /// Operations refused because the queue was full.
  package let refused = Counter()

  /// `width` is the number of concurrent operations, `capacity` the total including waiting ones.
  package init(width: Int, capacity: Int) {
    operations.maxConcurrentOperationCount = width
    self.capacity = capacity
  }

  /// Runs `work` on one of the queue's threads.
  ///
  /// - Returns: false if the queue is full.
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

  /// The number of waiting and running operations.
  package var length: Int { count.withLock { $0 } }

  /// Waits until all running operations have finished.
  package func stop() { operations.waitUntilAllOperationsAreFinished() }
}
