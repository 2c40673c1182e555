import Foundation
internal import Locking
import Metrics

/// Carries out writes that arrive side by side in common transactions, so that they share one sync to
/// the disk.
///
/// A write is carried out after those that came before it and answered only when it is on the disk.
/// One that throws is undone alone. There is one thread, and while it commits the next writes gather.
package final class GroupedWriter: Sendable {
  /// The writes that wait, at most; one more is refused.
  package static let capacity = 2_048
  /// The most writes in one transaction, so that none waits for long behind others.
  static let groupSize = 128

  /// Told how a write ended: nil when it was kept, else why not.
  private typealias Ending = @Sendable ((any Error)?) -> Void

  private struct Item: Sendable {
    let arrivedAt = ContinuousClock.now
    /// Runs in the transaction, with it to itself or not; throws only when the whole transaction is lost.
    let run: @Sendable (Connection, _ isAlone: Bool) throws -> Ending
    /// For a write that never ran.
    let refuse: @Sendable (any Error) -> Void
  }

  private struct State {
    var waiting: [Item] = []
    var isStopping = false
    var hasEnded = false
  }

  private let database: Database
  private let follow: Follow
  private let state = Locked(State())
  private let arrivals = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// Reads at the end of a transaction what must follow it; what it returns runs after the commit and
  /// before those who wait for it are answered. Where it throws, nothing of the transaction is kept.
  package typealias Follow = @Sendable (Connection) throws -> @Sendable () -> Void

  package init(database: Database, follow: @escaping Follow = { _ in {} }) {
    self.database = database
    self.follow = follow
    let thread = Thread { [self] in run() }
    thread.name = "writes"
    thread.start()
  }

  /// Carries out `body` in a transaction shared with others, and calls `done` from the thread of
  /// writes.
  ///
  /// Errors are what `body` throws, and ``DatabaseFault``: `busy` when too many wait already,
  /// `closed` after ``stop()``, and why a commit failed.
  package func write<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T,
    then done: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    let item = Item(
      run: { connection, isAlone in
        do {
          // With a savepoint SQLite keeps a copy of every page that is changed.
          let result =
            isAlone ? try body(connection) : try connection.savepoint { try body(connection) }
          return { fault in done(fault.map { .failure($0) } ?? .success(result)) }
        } catch {
          guard !isAlone, connection.isInTransaction else {
            done(.failure(error))
            throw error
          }
          return { _ in done(.failure(error)) }
        }
      },
      refuse: { done(.failure($0)) })
    let refusal = state.withLock { state -> DatabaseFault? in
      if state.isStopping { return DatabaseFault(.closed, "the writer has stopped") }
      if state.waiting.count >= Self.capacity {
        return DatabaseFault(.busy, "\(Self.capacity) writes wait already")
      }
      state.waiting.append(item)
      return nil
    }
    guard let refusal else {
      arrivals.signal()
      return
    }
    database.activity.failedWrites.add(refusal.kind == .busy ? .queueFull : .closed)
    done(.failure(refusal))
  }

  /// How many writes wait now.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Carries out what waits, then ends.
  package func stop() {
    let isFirst = state.withLock { state in
      defer { state.isStopping = true }
      return !state.isStopping
    }
    guard isFirst else { return }
    arrivals.signal()
    ended.wait()
  }

  private func run() {
    while true {
      arrivals.wait()
      let (group, isLast) = state.withLock { state in
        let group = Array(state.waiting.prefix(Self.groupSize))
        state.waiting.removeFirst(group.count)
        return (group, state.isStopping && state.waiting.isEmpty)
      }
      // One signal was for each of them; the others are of no use any more.
      for _ in group.dropFirst() { arrivals.wait() }
      if !group.isEmpty { commit(group) }
      if isLast { break }
    }
    ended.signal()
  }

  private func commit(_ group: [Item]) {
    let begunAt = ContinuousClock.now
    for item in group { database.activity.writeWait.observe(begunAt - item.arrivedAt) }
    database.activity.groupSize.observe(UInt64(group.count))
    var endings: [Ending] = []
    var begun = 0
    do {
      let activity = database.activity
      let takeIn = try database.writeGroup { connection in
        for item in group {
          begun += 1
          endings.append(try activity.timed { try item.run(connection, group.count == 1) })
        }
        return try follow(connection)
      }
      takeIn()
      for ending in endings { ending(nil) }
    } catch {
      for ending in endings { ending(error) }
      if begun == 0 {
        for item in group { item.refuse(error) }
      } else {
        // What had no turn before the transaction was lost gets one of its own.
        for item in group.dropFirst(begun) { commit([item]) }
      }
    }
  }
}
