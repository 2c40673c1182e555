import Devices
import Foundation
import Locking
import Logging
import Service
import WebServer

/// Sends changes of public devices to listeners.
///
/// The writer only passes the changes on. One thread gathers the changes of ``pause`` and sends them
/// (``LiveBroadcast``). Another thread sends missed changes to listeners, and tries the filters of new listeners
/// (``LiveCatchUp``).
final class LiveHub: Sendable {
  private let store: LiveStore
  private let logger: Logger
  private let memory = LiveMemory()
  private let catchUp: LiveCatchUp
  private let state = Monitor(State())
  private let ended = DispatchSemaphore(value: 0)

  private struct State {
    /// Listeners that begin now and whose filter the index answers.
    var pendingListeners: [LiveListener] = []
    /// Listeners that receive the changes not yet taken by the thread.
    var admitted: [LiveListener] = []
    /// All listeners.
    var count = 0
    var transitions: [MapTransition] = []
    /// The number in the change sequence that ``transitions`` reach.
    var sequence: Int64 = 0
    /// The number that the thread has taken.
    var taken: Int64 = 0
    /// Whether there were too many changes to gather.
    var isFlooded = false
    var isRunning = false
    var isStopped = false
  }

  /// The time during which changes are gathered into one batch.
  private static let pause = 0.05
  /// The time without a message after which one keeps the connection open. Proxies close silent
  /// connections after a minute.
  private static let heartbeat = Duration.seconds(15)
  /// The time after which messages are tried again for which a client had no room.
  private static let backlog = Duration.milliseconds(30)
  /// The maximum number of changed devices in a batch whose changes are sent one by one.
  private static let maxBatchSize = 5_000

  init(store: LiveStore, logger: Logger) {
    self.store = store
    self.logger = logger
    catchUp = LiveCatchUp(store: store, logger: logger)
    store.store.index.observe(with: self)
  }

  /// A listener that does not listen yet. Those with equal filters have equal keys.
  func listener(
    _ filter: LiveFilter, key: [UInt8], network: ClientAddress, body: PushedBody
  ) -> LiveListener {
    LiveListener(filter: filter, key: key, network: network, body: body, memory: memory)
  }

  /// Begins to serve a listener that has seen the change sequence up to `seen`. `maximum` is the number of
  /// listeners at once.
  ///
  /// - Returns: nil, or the reason for refusing it: the maximum is reached, or listeners of its network cost too much.
  func join(
    _ listener: LiveListener, seen: Int64?, atMost maximum: Int
  ) -> RequestQueue.Refused? {
    let begins = seen == nil && listener.filter.rest == nil
    let (isTaken, starts) = state.withLock { state -> (Bool, Bool) in
      guard state.count < maximum, !state.isStopped else { return (false, false) }
      state.count += 1
      if begins { state.pendingListeners.append(listener) }
      defer { state.isRunning = true }
      return (true, !state.isRunning)
    }
    if starts {
      NamedThread.start("live") { [self] in run() }
    }
    guard isTaken else { return .full }
    guard !begins, let refused = catchUp.add(listener, seen: seen, admission) else { return nil }
    leave()
    return refused
  }

  /// The listeners at the moment.
  var count: Int { state.withLock { $0.count } }

  /// Ends all streams and the threads. A second call has no effect.
  func stop() {
    let wasRunning = state.withLock { state in
      defer { (state.isStopped, state.isRunning) = (true, false) }
      return state.isRunning
    }
    catchUp.stop()
    if wasRunning { ended.wait() }
    for listener in state.withLock({ $0.pendingListeners + $0.admitted }) { listener.body.finish() }
  }

  /// The transition of listeners from ``catchUp`` to the changes for all.
  private var admission: LiveCatchUp.Admission {
    LiveCatchUp.Admission(
      admit: { [self] in admit($0, $1, $2) }, leave: { [self] in leave() })
  }

  private func leave() { state.withLock { $0.count -= 1 } }

  private func admit(
    _ listener: LiveListener, _ through: Int64?, _ greeting: (Int64) -> [[UInt8]]
  ) -> Bool {
    state.withLock { state in
      if let through, state.taken > through { return false }
      // Later commits are sent as changes, some of them twice.
      let sequence = through ?? store.store.index.sequence
      for message in greeting(sequence) { listener.send(only: message, reaching: sequence) }
      state.admitted.append(listener)
      return true
    }
  }

  /// The next work of the thread.
  private struct Turn {
    var pendingListeners: [LiveListener]
    var admitted: [LiveListener]
    var transitions: [MapTransition]
    var sequence: Int64
    var isFlooded: Bool
  }

  private func run() {
    var broadcast = LiveBroadcast(store: store, logger: logger)
    var listeners: [LiveListener] = []
    var lastMessage = ContinuousClock.now
    /// The sequence number that all listeners have received.
    var sent: Int64 = 0
    while let turn = next(before: deadline(lastMessage, listeners)) {
      listeners += turn.admitted
      if turn.isFlooded {
        for listener in listeners {
          listener.send(only: LiveMessage.reload(turn.sequence), reaching: turn.sequence)
        }
      } else if !turn.transitions.isEmpty {
        broadcast.send(turn.transitions, reaching: turn.sequence, to: listeners)
      }
      if turn.isFlooded || !turn.transitions.isEmpty {
        (sent, lastMessage) = (turn.sequence, .now)
      } else if lastMessage + Self.heartbeat <= .now {
        // Also finds listeners whose clients have disconnected.
        for listener in listeners { listener.keepOpen(sent) }
        lastMessage = .now
      }
      if !turn.pendingListeners.isEmpty { begin(turn.pendingListeners) }
      for listener in listeners { listener.flush() }
      let before = listeners.count
      listeners.removeAll { !$0.body.isOpen }
      let gone = before - listeners.count
      if gone > 0 { state.withLock { $0.count -= gone } }
    }
    for listener in listeners { listener.body.finish() }
    ended.signal()
  }

  private func deadline(
    _ lastMessage: ContinuousClock.Instant, _ listeners: [LiveListener]
  ) -> ContinuousClock.Instant {
    let next = lastMessage + Self.heartbeat
    return listeners.allSatisfy(\.isDrained) ? next : min(next, .now + Self.backlog)
  }

  /// Waits for changes or listeners. Nil when the hub stops.
  private func next(before deadline: ContinuousClock.Instant) -> Turn? {
    let hasChanges = state.wait(
      until: { state in
        state.isStopped || state.isFlooded || !state.transitions.isEmpty
          || !state.pendingListeners.isEmpty || !state.admitted.isEmpty
      }, orUntil: deadline
    ) { $0.isFlooded || !$0.transitions.isEmpty }
    if hasChanges { Thread.sleep(forTimeInterval: Self.pause) }
    return state.withLock { state in
      guard !state.isStopped else { return nil }
      let turn = Turn(
        pendingListeners: state.pendingListeners, admitted: state.admitted,
        transitions: state.transitions,
        sequence: state.sequence, isFlooded: state.isFlooded)
      (state.pendingListeners, state.admitted) = ([], [])
      (state.transitions, state.isFlooded) = ([], false)
      state.taken = state.sequence
      return turn
    }
  }

  /// Starts sending changes to listeners.
  private func begin(_ pendingListeners: [LiveListener]) {
    // A change that began before they were counted is not noted for them.
    store.store.index.settle()
    for listener in pendingListeners { _ = admit(listener, nil) { [LiveMessage.ready($0)] } }
  }
}

extension LiveHub: MapObserver {
  var isListening: Bool { state.withLock { $0.count > 0 } }
  var needsTransitions: Bool { true }

  func note(_ transitions: [MapTransition], sequence: Int64) {
    state.withLock { state in
      state.sequence = sequence
      // Without listeners, changes are not collected.
      guard state.count > 0 else { return state.taken = sequence }
      guard !state.isFlooded else { return }
      guard state.transitions.count + transitions.count <= Self.maxBatchSize else {
        state.transitions = []
        state.isFlooded = true
        return
      }
      state.transitions += transitions
    }
  }
}
