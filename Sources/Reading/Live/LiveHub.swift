import Devices
import Foundation
import Locking
import Logging
import PrivacyMap
import SpatialDatabase
import WebServer

/// Sends changes of public devices to listeners, on one thread for all of them.
///
/// The writer only passes the changes on. The thread gathers the changes of ``pause``, reads each changed
/// device once and decides for each listener whether it matches.
final class LiveHub: Sendable {
  private let store: LiveStore
  private let logger: Logger
  private let state = Monitor(State())
  private let ended = DispatchSemaphore(value: 0)

  private struct State {
    /// Listeners that the thread has not served yet.
    var newcomers: [Newcomer] = []
    /// Listeners, newcomers included.
    var count = 0
    var transitions: [MapTransition] = []
    /// The number in the change sequence that ``transitions`` reach.
    var sequence: Int64 = 0
    /// Whether there were too many changes to gather.
    var isFlooded = false
    var isRunning = false
    var isStopped = false
  }

  private struct Newcomer: Sendable {
    let listener: Listener
    /// The number in the change sequence that it has seen; nil if it begins now.
    let seen: Int64?
  }

  struct Listener: Sendable {
    let filter: LiveFilter
    let body: PushedBody
  }

  /// The time during which changes are gathered into one batch.
  private static let pause = 0.05
  /// The time without a message after which one keeps the connection open. Proxies close silent
  /// connections after a minute.
  private static let heartbeat = Duration.seconds(15)
  /// The maximum number of changed devices in a batch whose changes are sent one by one.
  private static let longestBatch = 5_000
  /// The maximum number of missed changes that are sent one by one.
  private static let longestGap = 1_000

  init(store: LiveStore, logger: Logger) {
    self.store = store
    self.logger = logger
    store.store.index.observe(with: self)
  }

  /// Begins to serve a listener that has seen the change sequence up to `seen`. `maximum` is the number of
  /// listeners at once.
  ///
  /// - Returns: false if there are as many already, or if the instance is stopping.
  func join(_ listener: Listener, seen: Int64?, atMost maximum: Int) -> Bool {
    let (isTaken, starts) = state.withLock { state -> (Bool, Bool) in
      guard state.count < maximum, !state.isStopped else { return (false, false) }
      state.count += 1
      state.newcomers.append(Newcomer(listener: listener, seen: seen))
      defer { state.isRunning = true }
      return (true, !state.isRunning)
    }
    if starts {
      let thread = Thread { [self] in run() }
      thread.name = "live"
      thread.start()
    }
    return isTaken
  }

  /// The listeners at the moment.
  var count: Int { state.withLock { $0.count } }

  /// Ends all streams and the thread. A second call has no effect.
  func stop() {
    let wasRunning = state.withLock { state in
      defer { (state.isStopped, state.isRunning) = (true, false) }
      return state.isRunning
    }
    if wasRunning { ended.wait() }
  }

  /// The next work of the thread.
  private struct Turn {
    var newcomers: [Newcomer]
    var transitions: [MapTransition]
    var sequence: Int64
    var isFlooded: Bool
  }

  private func run() {
    var listeners: [Listener] = []
    var lastMessage = ContinuousClock.now
    while let turn = next(before: lastMessage + Self.heartbeat) {
      if turn.isFlooded || !turn.transitions.isEmpty {
        send(turn, to: listeners)
        lastMessage = .now
      } else if lastMessage + Self.heartbeat <= .now {
        keepOpen(listeners)
        lastMessage = .now
      }
      for newcomer in turn.newcomers where begin(newcomer) { listeners.append(newcomer.listener) }
      listeners.removeAll { !$0.body.isOpen }
      let count = listeners.count
      state.withLock { $0.count = count + $0.newcomers.count }
    }
    for listener in listeners { listener.body.finish() }
    for newcomer in state.withLock({ $0.newcomers }) { newcomer.listener.body.finish() }
    ended.signal()
  }

  /// Waits for changes or newcomers. Nil when the hub stops.
  private func next(before deadline: ContinuousClock.Instant) -> Turn? {
    let hasChanges = state.wait(
      until: { state in
        state.isStopped || state.isFlooded || !state.transitions.isEmpty
          || !state.newcomers.isEmpty
      }, orUntil: deadline
    ) { $0.isFlooded || !$0.transitions.isEmpty }
    if hasChanges { Thread.sleep(forTimeInterval: Self.pause) }
    return state.withLock { state in
      guard !state.isStopped else { return nil }
      let turn = Turn(
        newcomers: state.newcomers, transitions: state.transitions, sequence: state.sequence,
        isFlooded: state.isFlooded)
      (state.newcomers, state.transitions, state.isFlooded) = ([], [], false)
      return turn
    }
  }

  /// Sends the first message and the missed changes.
  private func begin(_ newcomer: Newcomer) -> Bool {
    // Read before the changes: later commits are sent as changes, some of them twice.
    let sequence = store.store.index.sequence
    let body = newcomer.listener.body
    guard let seen = newcomer.seen else { return body.push(LiveMessage.ready(sequence)) }
    do {
      let missed = try missed(since: seen, through: sequence, newcomer.listener.filter)
      return body.push(
        LiveMessage.ready(sequence) + (missed ?? LiveMessage.reload(sequence))
          + LiveMessage.reached(sequence))
    } catch {
      logger.error(
        "a listener of live changes could not be served", metadata: ["error": "\(error)"])
      body.finish()
      return false
    }
  }

  /// The messages about the changes in a range; nil if they cannot be sent one by one.
  private func missed(
    since seen: Int64, through sequence: Int64, _ filter: LiveFilter
  ) throws -> [UInt8]? {
    let snapshot = store.store.index.snapshot
    return try store.store.database.read(limit: .usual) { connection in
      guard
        let changes = try store.changes(
          after: seen, through: sequence, atMost: Self.longestGap, connection)
      else { return nil }
      let today = store.store.environment.now().day
      let batch = LiveBatch(missed: changes, now: snapshot, today: today)
      return try batch?.messages(for: [filter], store, connection).first
    }
  }

  /// Sends each listener the changes that match its filter.
  private func send(_ turn: Turn, to listeners: [Listener]) {
    guard !turn.isFlooded else {
      for listener in listeners { _ = listener.body.push(LiveMessage.reload(turn.sequence)) }
      return
    }
    do {
      let batch = LiveBatch(turn.transitions, today: store.store.environment.now().day)
      try store.store.database.read(limit: .usual) { connection in
        let messages = try batch.messages(for: listeners.map(\.filter), store, connection)
        for (listener, text) in zip(listeners, messages) where !text.isEmpty {
          _ = listener.body.push(text + LiveMessage.reached(turn.sequence))
        }
      }
    } catch {
      logger.error("live changes could not be sent", metadata: ["error": "\(error)"])
      for listener in listeners { _ = listener.body.push(LiveMessage.reload(turn.sequence)) }
    }
  }

  /// Keeps connections open, and finds those whose clients have gone.
  private func keepOpen(_ listeners: [Listener]) {
    let message = LiveMessage.reached(store.store.index.sequence)
    for listener in listeners { _ = listener.body.push(message) }
  }
}

extension LiveHub: MapObserver {
  var isListening: Bool { state.withLock { $0.count > 0 } }
  var needsTransitions: Bool { true }

  func note(_ transitions: [MapTransition], sequence: Int64) {
    state.withLock { state in
      state.sequence = sequence
      guard state.count > 0, !state.isFlooded else { return }
      guard state.transitions.count + transitions.count <= Self.longestBatch else {
        state.transitions = []
        state.isFlooded = true
        return
      }
      state.transitions += transitions
    }
  }
}
