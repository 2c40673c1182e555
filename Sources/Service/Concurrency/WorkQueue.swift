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
  /// An operation that waits.
  private struct Waiting: Sendable {
    let addedAt: ContinuousClock.Instant
    let work: @Sendable () -> Void
  }

  /// Whose operations take turns: one account, or one operation without an account.
  private enum Party: Hashable {
    case account(Int64)
    case alone(UInt64)
  }

  private struct State {
    /// The waiting operations by party, in the order of turns.
    var turns: [(party: Party, waiting: [Waiting])] = []
    /// The accounts with a running operation.
    var busy: Set<Party> = []
    var running = 0
    var count = 0
    var added: UInt64 = 0
  }

  private let operations = OperationQueue()
  private let state = Locked(State())
  private let width: Int
  private let capacity: Int
  /// Operations of one account that may wait or run.
  private let share: Int
  /// Time that operations waited in the queue.
  package let wait = Histogram.ofDurations()
  /// Operations refused because the queue was full, or had its share of an account.
  package let refused = Counter()

  /// `width` is the number of concurrent operations, `capacity` the total including waiting ones.
  package init(width: Int, capacity: Int) {
    operations.maxConcurrentOperationCount = width
    self.width = width
    self.capacity = capacity
    share = max(1, capacity / 4)
  }

  /// Runs `work` on one of the queue's threads. Accounts take turns: one operation of an account runs at a time, and the
  /// next one is that of another account if one waits.
  ///
  /// - Returns: false if the queue is full, or has a quarter of it full of operations of `account`.
  package func add(for account: Int64? = nil, _ work: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = state.withLock { state in
      guard state.count < capacity else { return false }
      let party = account.map(Party.account) ?? .alone(state.added)
      let place = state.turns.firstIndex { $0.party == party }
      let others = place.map { state.turns[$0].waiting.count } ?? 0
      guard others + (state.busy.contains(party) ? 1 : 0) < share else { return false }
      let waiting = Waiting(addedAt: .now, work: work)
      if let place {
        state.turns[place].waiting.append(waiting)
      } else {
        state.turns.append((party, [waiting]))
      }
      state.count += 1
      state.added += 1
      return true
    }
    guard isTaken else {
      refused.add()
      return false
    }
    start()
    return true
  }

  /// Starts the next operation if a thread is free.
  private func start() {
    let next = state.withLock { state -> (Party, Waiting)? in
      guard state.running < width,
        let place = state.turns.firstIndex(where: { !state.busy.contains($0.party) })
      else { return nil }
      var turn = state.turns.remove(at: place)
      let first = turn.waiting.removeFirst()
      if !turn.waiting.isEmpty { state.turns.append(turn) }
      state.busy.insert(turn.party)
      state.running += 1
      return (turn.party, first)
    }
    guard let (party, operation) = next else { return }
    operations.addOperation { [self] in
      wait.observe(.now - operation.addedAt)
      operation.work()
      state.withLock { state in
        state.busy.remove(party)
        state.running -= 1
        state.count -= 1
      }
      start()
    }
  }

  /// The number of waiting and running operations.
  package var length: Int { state.withLock { $0.count } }

  /// Waits until all operations have finished.
  package func stop() {
    // The end of an operation starts the next one.
    repeat { operations.waitUntilAllOperationsAreFinished() } while length > 0
  }
}
