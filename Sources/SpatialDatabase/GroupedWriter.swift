import Foundation
internal import Locking
import Metrics

/// Groups concurrent writes into common transactions, so that they share one sync to the disk.
///
/// Writes run in order of arrival. The result of a write is reported only when it is on the disk. A write that throws
/// is rolled back alone. There is one thread, and while it commits, further writes queue up.
package final class GroupedWriter: Sendable {
  /// The maximum number of queued writes. Further writes are rejected.
  package static let capacity = 2_048
  /// The maximum number of writes in one transaction, so that no write waits long behind others.
  static let groupSize = 128

  /// Called at the end of a write: nil after a commit, otherwise the error.
  private typealias Ending = @Sendable ((any Error)?) -> Void

  private struct Item: Sendable {
    let arrivedAt = ContinuousClock.now
    /// Runs in the transaction, alone or with other writes. Throws only if the whole transaction is lost.
    let run: @Sendable (Connection, _ isAlone: Bool) throws -> Ending
    /// Called for a write that never ran.
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

  /// At the end of a transaction, collects the changes that must follow it. The returned closure runs after the
  /// commit, before the callers get their results. If this function throws, the transaction is rolled back.
  package typealias Follow = @Sendable (Connection) throws -> @Sendable () -> Void

  package init(database: Database, follow: @escaping Follow = { _ in {} }) {
    self.database = database
    self.follow = follow
    let thread = Thread { [self] in run() }
    thread.name = "writes"
    thread.start()
  }

  /// Runs `body` in a shared transaction, and calls `done` on the writer's thread.
  ///
  /// Errors are those from `body`, and ``DatabaseFault``: `busy` when the queue is full, `closed`
  /// after ``stop()``, and the reason of a failed commit.
  package func write<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T,
    then done: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    let item = Item(
      run: { connection, isAlone in
        do {
          // A savepoint makes SQLite copy every changed page, so a single write does without.
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

  /// The number of queued writes.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Runs the queued writes, then stops.
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
      // There was one signal per write. Consumes the remaining signals.
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
        // Writes that did not run before the transaction was lost get separate transactions.
        for item in group.dropFirst(begun) { commit([item]) }
      }
    }
  }
}
