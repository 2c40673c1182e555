import Foundation
import Locking
import Logging
import Service
import SpatialDatabase
import WebServer

/// Notifies the open pages of a volunteer that `/api/visits/now` has changed for the account (Server-Sent Events).
///
/// A message has no content: the page then reads as its account. So neither the length of a message nor a mistake here
/// reveals an offer. One thread compares what the listening accounts would read, after commits of this server and of
/// others, and at least every ``heartbeat``.
final class VisitHub: Sendable {
  private let database: Database
  private let gate: Gate
  private let logger: Logger
  /// The maximum number of streams of all accounts.
  private let maximum: Int
  private let state = Monitor(State())
  private let ended = DispatchSemaphore(value: 0)

  private struct Listener {
    let principal: Principal
    let body: PushedBody
    /// The account's entry in ``VisitMarks`` at the last check.
    var mark: String?
  }

  private struct State {
    var pendingListeners: [Listener] = []
    /// The open streams of each account, the newest last.
    var streams: [Int64: [PushedBody]] = [:]
    var isDue = false
    var isRunning = false
    var isStopped = false
  }

  /// The maximum number of streams of an account. A browser needs one for all of its pages.
  static let maxPerAccount = 10
  /// The time during which commits are gathered before one check.
  private static let pause = 0.1
  /// The time after which a message keeps the connection open. Sessions that have ended are found as well.
  static let heartbeat = Duration.seconds(15)
  private static let ready = Array("retry: 3000\nevent: ready\ndata: {}\n\n".utf8)
  private static let changed = Array("event: changed\ndata: {}\n\n".utf8)
  private static let silence = Array(":\n\n".utf8)

  init(_ instance: Instance) throws {
    (database, gate, logger) = (instance.database, instance.gate, instance.logger)
    maximum = instance.settings.liveListeners
    let commits: CommitSignal = try instance.given()
    commits.observe { [weak self] in self?.look() }
  }

  /// Opens a stream.
  ///
  /// At the account's maximum, its oldest stream ends: the server notices that a page was left only when it sends
  /// something. If that page is still open, it connects again.
  ///
  /// - Returns: false if all accounts together have reached their maximum.
  func join(_ principal: Principal, _ body: PushedBody) -> Bool {
    let (isTaken, starts, replaced) = state.withLock { state -> (Bool, Bool, PushedBody?) in
      var streams = state.streams[principal.account] ?? []
      let replaced = streams.count < Self.maxPerAccount ? nil : streams.removeFirst()
      let all = state.streams.values.reduce(0) { $0 + $1.count }
      guard replaced != nil || all < maximum, !state.isStopped else { return (false, false, nil) }
      state.streams[principal.account] = streams + [body]
      state.pendingListeners.append(Listener(principal: principal, body: body))
      defer { state.isRunning = true }
      return (true, !state.isRunning, replaced)
    }
    replaced?.finish()
    if starts {
      NamedThread.start("visits live") { [self] in run() }
    }
    return isTaken
  }

  /// Looks soon for changes.
  func look() { state.withLock { if !$0.streams.isEmpty { $0.isDue = true } } }

  /// Ends all streams and the thread.
  func stop() {
    let wasRunning = state.withLock { state in
      defer { (state.isStopped, state.isRunning) = (true, false) }
      return state.isRunning
    }
    if wasRunning { ended.wait() }
  }

  private func run() {
    var listeners: [Listener] = []
    var lastBeat = ContinuousClock.now
    while let pendingListeners = next(before: lastBeat + Self.heartbeat) {
      listeners += pendingListeners
      let isBeat = lastBeat + Self.heartbeat <= .now
      if isBeat { lastBeat = .now }
      do {
        try tell(&listeners, isBeat: isBeat)
      } catch {
        logger.error("visits could not be told", metadata: ["error": "\(error)"])
      }
      let gone = listeners.filter { !$0.body.isOpen }
      listeners.removeAll { !$0.body.isOpen }
      if !gone.isEmpty { state.withLock { state in for one in gone { Self.leave(one, &state) } } }
    }
    for listener in listeners { listener.body.finish() }
    ended.signal()
  }

  private static func leave(_ listener: Listener, _ state: inout State) {
    let account = listener.principal.account
    let left = (state.streams[account] ?? []).filter { $0 !== listener.body }
    state.streams[account] = left.isEmpty ? nil : left
  }

  /// Waits for commits or listeners. Nil when the hub stops.
  private func next(before deadline: ContinuousClock.Instant) -> [Listener]? {
    let isDue = state.wait(
      until: { $0.isStopped || $0.isDue || !$0.pendingListeners.isEmpty }, orUntil: deadline
    ) { $0.isDue && !$0.isStopped }
    if isDue { Thread.sleep(forTimeInterval: Self.pause) }
    return state.withLock { state in
      let pendingListeners = state.pendingListeners
      (state.pendingListeners, state.isDue) = ([], false)
      guard !state.isStopped else {
        for one in pendingListeners { one.body.finish() }
        return nil
      }
      return pendingListeners
    }
  }

  private func tell(_ listeners: inout [Listener], isBeat: Bool) throws {
    guard !listeners.isEmpty else { return }
    let accounts = Set(listeners.map(\.principal.account))
    let (marks, ended) = try database.read(limit: .after(.seconds(5))) { connection in
      let marks = try VisitMarks.of(accounts, connection)
      // The session may have ended since the stream began.
      let ended = try listeners.indices.filter { place in
        let listener = listeners[place]
        let isNotified = isBeat || listener.mark != marks[listener.principal.account]
        return try isNotified && !gate.isOpen(to: listener.principal, for: .owner, connection)
      }
      return (marks, Set(ended))
    }
    for place in listeners.indices {
      if ended.contains(place) {
        listeners[place].body.finish()
        continue
      }
      let mark = marks[listeners[place].principal.account]
      let isNew = listeners[place].mark == nil
      if listeners[place].mark != mark {
        _ = listeners[place].body.push(isNew ? Self.ready : Self.changed)
      } else if isBeat {
        _ = listeners[place].body.push(Self.silence)
      }
      listeners[place].mark = mark
    }
  }
}
