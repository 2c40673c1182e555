import Foundation
internal import Locking
import Metrics

/// Groups concurrent writes into common transactions, so that they share one sync to the disk.
///
/// Writes run in order of arrival. The result of a write is reported only when it is on the disk. A write that throws
/// is rolled back alone. There is one thread, and while it commits, further writes queue up. Writes of background work
/// cause no transaction of their own while requests write: they join the next one.
package final class GroupedWriter: Sendable {
  /// The maximum number of queued writes. Further writes are rejected.
  package static let capacity = 2_048
  /// The maximum number of writes in one transaction, so that no write waits long behind others.
  static let groupSize = 128
  /// The maximum number of background writes among them.
  static let backgroundShare = 32
  /// The time without writes of requests after which background writes get a transaction of their own.
  static let quiet = Duration.milliseconds(50)

  /// The kind of work that waits for a write.
  package enum Urgency: Sendable {
    /// A request.
    case request
    /// Work that may wait for the next transaction of requests: each transaction costs a sync of the disk, for which
    /// all requests that arrive meanwhile wait.
    case background
  }

  /// Called at the end of a write: nil after a commit, otherwise the error.
  private typealias Ending = @Sendable ((any Error)?) -> Void

  private struct Item: Sendable {
    let arrivedAt = ContinuousClock.now
    let urgency: Urgency
    /// Runs in the transaction, alone or with other writes. Throws only if the whole transaction is lost.
    let run: @Sendable (Connection, _ isAlone: Bool) throws -> Ending
    /// Called for a write that never ran.
    let refuse: @Sendable (any Error) -> Void
  }

  private struct State {
    var waiting: [Item] = []
    var background: [Item] = []
    /// The arrival of the last write of a request.
    var requestAt: ContinuousClock.Instant?
    var isStopping = false

    var count: Int { waiting.count + background.count }

    /// The moment at which a transaction may begin; nil while there is nothing to write.
    var dueAt: ContinuousClock.Instant? {
      if !waiting.isEmpty || isStopping { return .now }
      guard !background.isEmpty else { return nil }
      return requestAt.map { $0 + GroupedWriter.quiet } ?? .now
    }
  }

  private let database: Database
  private let follow: Follow
  private let processorTime: @Sendable () -> Duration
  private let state = Monitor(State())
  /// Apart from ``state``, so that asking does not wake the writer.
  private let saturation = Locked(Saturation())
  private let ended = DispatchSemaphore(value: 0)

  /// At the end of a transaction, collects the changes that must follow it. The returned closure runs after the
  /// commit, before the callers get their results. If this function throws, the transaction is rolled back.
  package typealias Follow = @Sendable (Connection) throws -> @Sendable () -> Void

  package convenience init(database: Database, follow: @escaping Follow = { _ in {} }) {
    self.init(database: database, follow: follow, processorTime: DatabaseActivity.processorTime)
  }

  /// `processorTime` is the processor time of the calling thread so far.
  init(
    database: Database, follow: @escaping Follow = { _ in {} },
    processorTime: @escaping @Sendable () -> Duration
  ) {
    self.database = database
    self.follow = follow
    self.processorTime = processorTime
    NamedThread.start("writes") { [self] in run() }
  }

  /// Runs `body` in a shared transaction, and calls `done` on the writer's thread. The ``WriteCondition`` of the
  /// calling thread is checked in the transaction.
  ///
  /// Throws the errors of `body`, and ``DatabaseFault``: `busy` when the queue is full, `closed` after ``stop()``, and
  /// the reason of a failed commit.
  package func write<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T,
    then done: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    write(body, urgency: .request, then: done)
  }

  /// Like ``write(_:then:)``; background writes may wait for ``quiet``.
  package func write<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T, urgency: Urgency,
    then done: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    let condition = WriteCondition.current
    let body: @Sendable (Connection) throws -> T = { [activity = database.activity] connection in
      try condition.check(connection, activity)
      return try body(connection)
    }
    let item = Item(
      urgency: urgency,
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
      if state.count >= Self.capacity {
        return DatabaseFault(.busy, "\(Self.capacity) writes wait already")
      }
      switch urgency {
      case .request:
        state.waiting.append(item)
        state.requestAt = item.arrivedAt
      case .background: state.background.append(item)
      }
      return nil
    }
    guard let refusal else { return }
    database.activity.failedWrites.add(refusal.kind == .busy ? .queueFull : .closed)
    done(.failure(refusal))
  }

  /// The number of queued writes.
  package var waitingCount: Int { state.withLock { $0.count } }

  /// Whether requests write as fast as the processor allows, so that all other work slows them.
  package var isSaturated: Bool { saturation.withLock { $0.isReached(at: .now) } }

  /// Runs the queued writes, then stops.
  package func stop() {
    let isFirst = state.withLock { state in
      defer { state.isStopping = true }
      return !state.isStopping
    }
    guard isFirst else { return }
    ended.wait()
  }

  private enum Turn {
    case group([Item])
    /// Nothing may be written yet; nil: nothing waits.
    case rest(until: ContinuousClock.Instant?)
    case end
  }

  private func run() {
    var rest: ContinuousClock.Instant?
    while true {
      switch nextTurn(after: rest) {
      case .group(let group):
        rest = nil
        let before = processorTime()
        let background = commit(group)
        guard group.contains(where: { $0.urgency == .request }) else { continue }
        let used = processorTime() - before - background
        saturation.withLock { $0.note(used, at: .now) }
      case .rest(let moment): rest = moment
      case .end:
        ended.signal()
        return
      }
    }
  }

  /// Waits for the writes of the next transaction; if background writes are to wait for requests until `rest`, for
  /// a request until then.
  private func nextTurn(after rest: ContinuousClock.Instant?) -> Turn {
    state.wait(
      until: { state in state.dueAt.map { rest == nil || $0 <= .now } ?? false }, orUntil: rest
    ) { state in
      guard let dueAt = state.dueAt, dueAt <= .now else { return .rest(until: state.dueAt) }
      return state.isStopping && state.count == 0 ? .end : .group(Self.takeGroup(from: &state))
    }
  }

  private static func takeGroup(from state: inout State) -> [Item] {
    let background = state.background.prefix(backgroundShare)
    let requests = state.waiting.prefix(groupSize - background.count)
    let group = Array(requests) + Array(background)
    state.waiting.removeFirst(requests.count)
    state.background.removeFirst(background.count)
    return group
  }

  /// Runs a transaction. Returns the processor time of background writes in it.
  private func commit(_ group: [Item]) -> Duration {
    let begunAt = ContinuousClock.now
    for item in group where item.urgency == .request {
      database.activity.writeWait.observe(begunAt - item.arrivedAt)
    }
    database.activity.groupSize.observe(UInt64(group.count))
    var endings: [Ending] = []
    var begun = 0
    var background = Duration.zero
    do {
      let activity = database.activity
      let takeIn = try database.writeGroup { connection in
        for item in group {
          begun += 1
          let before = item.urgency == .background ? processorTime() : .zero
          endings.append(try activity.timed { try item.run(connection, group.count == 1) })
          if item.urgency == .background { background += processorTime() - before }
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
        for item in group.dropFirst(begun) { background += commit([item]) }
      }
    }
    return background
  }
}
