import Devices
import Foundation
import Locking
import Logging
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// Sends missed changes to listeners that reconnect, and tries new filters. It has a separate thread, so that connected
/// listeners do not wait.
///
/// The network that used the least time has the next turn, of one portion. The missed changes of a network that took
/// much time are not read; its listeners get `reload`.
final class LiveCatchUp: Sendable {
  private let store: LiveStore
  private let costs = LiveCosts()
  private let logger: Logger
  private let state = Monitor(State())
  private let ended = DispatchSemaphore(value: 0)

  /// A listener that does not receive new changes yet.
  struct PendingListener: Sendable {
    let listener: LiveListener
    /// The number in the change sequence that it has seen; nil if it begins now.
    var seen: Int64?
    var isGreeted = false
    var isTried = false
    /// Missed changes that are not sent yet, in the order of their numbers.
    var missed: [LiveStore.Change] = []
    /// The number that the listener has reached after ``missed``.
    var target: Int64?
    /// The number of times that further changes arrived meanwhile.
    var rounds = 0
  }

  private struct State {
    var waiting: [ClientAddress: [PendingListener]] = [:]
    /// The networks with waiting listeners.
    var order: [ClientAddress] = []
    var isRunning = false
    var isStopped = false
  }

  /// The result of a turn.
  private enum Step {
    case done, again
    /// The client has to read first.
    case full
  }

  /// The maximum number of missed changes that are sent one by one.
  private static let maxGap = 1_000
  /// Changed devices in a turn.
  private static let portion = 100
  /// The maximum number of waiting listeners of a network.
  private static let maxWaiting = 150
  /// Seconds after which a refused client can try again.
  private static let retryAfter: Int64 = 5
  /// The number of times that missed changes are read before the listener gets `reload`.
  private static let maxRounds = 10
  /// Devices with which a new filter is tried.
  private static let tried = 20
  private static let nice: Int32 = 10

  init(store: LiveStore, logger: Logger) { (self.store, self.logger) = (store, logger) }

  /// The next step of a pending listener that has caught up.
  struct Admission: Sendable {
    /// Starts sending new changes after `through` to a listener; nil begins now. `greeting` are the messages for it
    /// before them. Returns false if changes after `through` were sent to others already.
    let admit:
      @Sendable (_ listener: LiveListener, _ through: Int64?, _ greeting: (Int64) -> [[UInt8]]) ->
        Bool
    /// The listener has left.
    let leave: @Sendable () -> Void
  }

  /// Adds a listener.
  ///
  /// - Returns: nil, or why it is refused: too many of its network wait, or its filter needs the database and the
  ///   network took much of it.
  func add(
    _ listener: LiveListener, seen: Int64?, _ admission: Admission
  ) -> RequestQueue.Refused? {
    let retry = RequestQueue.Refused.network(seconds: Self.retryAfter)
    if listener.filter.rest != nil, costs.isOver(listener.network) { return retry }
    let (refused, starts) = state.withLock { state -> (RequestQueue.Refused?, Bool) in
      let network = listener.network
      let count = state.waiting[network]?.count ?? 0
      guard !state.isStopped else { return (.stopped, false) }
      guard count < Self.maxWaiting else { return (retry, false) }
      if count == 0 { state.order.append(network) }
      state.waiting[network, default: []].append(PendingListener(listener: listener, seen: seen))
      defer { state.isRunning = true }
      return (nil, !state.isRunning)
    }
    if starts {
      NamedThread.start("live-catch-up", nice: Self.nice) { [self] in
        run(admission)
        ended.signal()
      }
    }
    return refused
  }

  /// Ends all streams and the thread.
  func stop() {
    let wasRunning = state.withLock { state in
      defer { (state.isStopped, state.isRunning) = (true, false) }
      return state.isRunning
    }
    if wasRunning { ended.wait() }
    for pending in state.withLock({ $0.waiting.values.flatMap(\.self) }) {
      pending.listener.body.finish()
    }
  }

  private func run(_ admission: Admission) {
    var full = 0
    while var pending = next() {
      let begun = ContinuousClock.now
      let step = self.step(&pending, admission)
      costs.add(.now - begun, to: [pending.listener.network])
      switch step {
      case .done:
        full = 0
        continue
      case .again: full = 0
      case .full: full += 1
      }
      let count = state.withLock { state in
        let network = pending.listener.network
        if state.waiting[network] == nil { state.order.append(network) }
        state.waiting[network, default: []].append(pending)
        return state.waiting.values.reduce(0) { $0 + $1.count }
      }
      // All wait for their clients.
      if full >= count {
        Thread.sleep(forTimeInterval: 0.02)
        full = 0
      }
    }
  }

  /// The next listener of the network whose turn it is. Nil when the hub stops.
  private func next() -> PendingListener? {
    state.wait(until: { $0.isStopped || !$0.order.isEmpty }) { state in
      let spent = state.order.map(costs.of)
      let place = spent.indices.min { spent[$0] < spent[$1] }
      guard !state.isStopped, let place else { return nil }
      let network = state.order.remove(at: place)
      let pending = state.waiting[network]?.removeFirst()
      if state.waiting[network]?.isEmpty == true {
        state.waiting[network] = nil
      } else {
        state.order.append(network)
      }
      return pending
    }
  }

  private func step(_ pending: inout PendingListener, _ admission: Admission) -> Step {
    let listener = pending.listener
    listener.flush()
    guard listener.body.isOpen else {
      admission.leave()
      return .done
    }
    guard listener.isDrained else { return .full }
    do {
      if !pending.isTried {
        // A change that began before the listener was counted is not noted for it.
        store.store.index.settle()
        pending.isTried = true
        if let reason = try fault(of: listener.filter) { return close(listener, reason, admission) }
      }
      guard let seen = pending.seen else {
        _ = admission.admit(listener, nil) { [LiveMessage.ready($0)] }
        return .done
      }
      if !pending.isGreeted {
        let isKnown = (0...max(0, store.store.index.sequence)).contains(seen)
        listener.send(only: LiveMessage.ready(isKnown ? seen : nil), reaching: isKnown ? seen : 0)
        pending.isGreeted = true
      }
      if pending.target == nil {
        guard !costs.isOver(listener.network), pending.rounds < Self.maxRounds,
          let (missed, target) = try missed(since: seen)
        else { return reload(listener, admission) }
        (pending.missed, pending.target) = (missed, target)
        pending.rounds += 1
      }
      return try send(&pending, admission)
    } catch {
      logger.error(
        "a listener of live changes could not be served", metadata: ["error": "\(error)"])
      listener.body.finish()
      admission.leave()
      return .done
    }
  }

  private func close(
    _ listener: LiveListener, _ reason: LiveMessage.Reason, _ admission: Admission
  ) -> Step {
    listener.close(reason)
    admission.leave()
    return .done
  }

  private func reload(_ listener: LiveListener, _ admission: Admission) -> Step {
    _ = admission.admit(listener, nil) { [LiveMessage.reload($0)] }
    return .done
  }

  /// Why a new filter cannot be used; nil if it can.
  private func fault(of filter: LiveFilter) throws -> LiveMessage.Reason? {
    guard let rest = filter.rest else { return nil }
    let rows = try store.store.database.read { connection in
      try connection.rows(
        "SELECT device_rowid FROM change ORDER BY sequence DESC LIMIT ?", [SQLValue(Self.tried)]
      ) { UInt32(clamping: $0.int(0)) }
    }
    // A busy machine may be the cause once.
    for _ in 0..<2 {
      switch try store.trying(rest, among: Set(rows).sorted(), slice: LiveBroadcast.slice) {
      case .success: return nil
      case .failure(.slow): continue
      case .failure(let reason): return reason
      }
    }
    return .slow
  }

  /// The missed changes, and the number that they reach. Nil if they cannot be sent one by one.
  private func missed(since seen: Int64) throws -> ([LiveStore.Change], Int64)? {
    let target = store.store.index.sequence
    let found = try store.store.database.read { connection in
      try store.changes(after: seen, through: target, atMost: Self.maxGap, connection)
    }
    return found.map { ($0, target) }
  }

  /// Sends a portion of the missed changes, and the number that it reaches.
  private func send(_ pending: inout PendingListener, _ admission: Admission) throws -> Step {
    let listener = pending.listener
    let today = store.store.environment.now().day
    guard let target = pending.target else { return .again }
    if !pending.missed.isEmpty {
      let part = Array(pending.missed.prefix(Self.portion))
      let snapshot = store.store.index.snapshot
      guard let batch = LiveBatch(missed: part, now: snapshot) else {
        return reload(listener, admission)
      }
      let points = listener.filter.points(today: today)
      var matching = Set(batch.passing(points))
      if let rest = listener.filter.rest, !matching.isEmpty {
        let result = try store.trying(
          rest, among: matching.sorted(), slice: LiveBroadcast.slice)
        switch result {
        case .success(let found): matching = found
        case .failure(.slow): return reload(listener, admission)
        case .failure(let reason): return close(listener, reason, admission)
        }
      }
      let features = try store.store.database.read { connection in
        try store.features(of: matching.sorted(), connection)
      }
      pending.missed.removeFirst(part.count)
      // The changes are in the order of their numbers, so all up to the last one are sent.
      let reached = pending.missed.isEmpty ? target : part.last?.sequence ?? target
      listener.send(batch.messages(points, matching, features), reaching: reached)
      if !pending.missed.isEmpty { return .again }
    } else {
      listener.send([], reaching: target)
    }
    // Further changes may have been sent to the others meanwhile.
    if admission.admit(listener, target, { _ in [] }) { return .done }
    (pending.seen, pending.target) = (target, nil)
    return .again
  }
}
