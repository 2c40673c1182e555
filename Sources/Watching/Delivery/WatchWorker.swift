internal import Foundation
import Devices
import Locking
import Logging
import SafeFetch
import Service
import SpatialDatabase

/// The background work of watches: compares changes, queues mails and calls webhooks.
///
/// If several servers share the database, one of them works, and another takes over when it ends.
///
/// One thread compares changes, queues mails and finds webhooks with pending calls. It wakes further threads, which
/// call the servers (``WebhookCaller``).
final class WatchWorker: Sendable {
  let matcher: WatchMatcher
  private let database: Database
  private let writer: GroupedWriter
  private let mails: WatchMails
  let caller: WebhookCaller
  let failures: WatchFailures
  private let logger: Logger
  private let lease: Lease
  /// Whether this server worked at the last turn.
  private let isLeading = Locked(false)
  private let state = Monitor(State())
  /// Separate from ``state``, so that a change does not wake the threads that call.
  private let calls = Monitor(Calls())
  private let pace: WritePace
  /// The time of the next write of webhook positions.
  private let recordsAt = Locked(ContinuousClock.now)

  private struct State {
    /// Counts the changes of devices.
    var changes = 0
    /// The last change in the change sequence.
    var sequence: Int64 = 0
    /// The number of changes that were compared last.
    var compared = 0
    var isStopped = false
    var threads = 0
  }

  private struct Calls {
    /// Counts the moments at which webhooks may have become due.
    var count = 0
    var isStopped = false
  }

  /// The seconds during which changes are gathered: few, and many. Logging many together changes fewer pages.
  private static let gathering = 0.1
  private static let longGathering = 0.5
  /// The number of changes from which on there are many.
  private static let many = 25
  /// The time between two writes of the positions of webhooks.
  private static let recording = Duration.seconds(10)
  /// Threads that call webhooks.
  static let callers = 16
  /// The nice values of the threads. Requests come first on a busy machine, but alerts must not wait for minutes. One
  /// thread compares. Those that call are many, so together they would get as much of a processor as a request.
  private static let matching: Int32 = 5
  private static let calling: Int32 = 12

  init(
    matcher: WatchMatcher, database: Database, writer: GroupedWriter, mails: WatchMails,
    webhooks: WebhookStore, site: PublicFile, lease: Lease, logger: Logger
  ) throws {
    self.matcher = matcher
    self.database = database
    self.writer = writer
    self.mails = mails
    (self.lease, self.logger) = (lease, logger)
    pace = WritePace(isSaturated: { writer.isSaturated })
    failures = WatchFailures(
      database: database, writer: writer, store: mails.store, mails: mails, logger: logger)
    caller = try WebhookCaller(
      store: webhooks, database: database, writer: writer, site: site,
      reads: AlertReads(database), failures: failures, lease: lease)
  }

  /// Starts the threads.
  func start() {
    run("watches", Self.matching, { [self] in rest(&$0) }) { [self] in
      try failures.takeNoted()
      guard try leads() else { return }
      // Changes that arrive while many digests are due must not wait for them.
      repeat { try compare() } while try queueMails()
      try caller.addDue()
      wakeCallers()
      if !caller.isReady { pace.end() }
      try recordCalls()
    }
    for _ in 0..<Self.callers {
      run("webhooks", Self.calling, { [self] in awaitCall(&$0) }) { [self] in
        // The thread that compares wakes them again: looking at the writer costs each of them processor time.
        while !pace.mustWait, try caller.callNext({ isStopped }, unless: { pace.mustWait }) {}
      }
    }
  }

  /// Waits for the running work; a call takes at most a quarter of a minute.
  func stop() {
    state.withLock { $0.isStopped = true }
    calls.withLock { $0.isStopped = true }
    state.wait(until: { $0.threads == 0 }) { _ in }
    do { if lease.isHeld { try caller.record() } } catch {
      logger.error("calls of webhooks were not recorded", metadata: ["error": "\(error)"])
    }
    lease.release()
  }

  /// Whether this server does the work. After another one did it, everything in memory is read again.
  private func leads() throws -> Bool {
    guard try lease.hold() else {
      isLeading.withLock { $0 = false }
      return false
    }
    if !isLeading.withLock({ $0 }) {
      matcher.forget()
      try caller.takeOver()
      isLeading.withLock { $0 = true }
    }
    return true
  }

  /// Does everything that is due, on the calling thread.
  func finish() throws {
    try failures.takeNoted()
    guard try leads() else { return }
    repeat { try compare() } while try queueMails()
    try caller.addDue()
    while try caller.callNext({ isStopped }) {}
    try caller.record()
  }

  /// Repeats `work` while `rest` returns true; its argument is the count that it returned for before.
  private func run(
    _ name: String, _ nice: Int32, _ rest: @escaping @Sendable (inout Int) -> Bool,
    _ work: @escaping @Sendable () throws -> Void
  ) {
    state.withLock { $0.threads += 1 }
    NamedThread.start(name, nice: nice) { [self] in
      // The first turn does not wait: changes may be left from before the start.
      var seen = -1
      while rest(&seen) {
        do { try work() } catch {
          logger.error("work of watches failed", metadata: ["error": "\(error)"])
        }
      }
      state.withLock { $0.threads -= 1 }
    }
  }

  /// Waits for changes, a second at most: mails become due, and the first watch is added. Returns whether to go on.
  private func rest(_ seen: inout Int) -> Bool {
    let known = seen
    let hasNews = state.wait(
      until: { $0.changes != known || $0.isStopped }, orUntil: .now + .seconds(1)
    ) { $0.changes != known && !$0.isStopped }
    if hasNews {
      let isMany = state.withLock { $0.compared } >= Self.many
      Thread.sleep(forTimeInterval: isMany ? Self.longGathering : Self.gathering)
    }
    return state.withLock { state in
      seen = state.changes
      return !state.isStopped
    }
  }

  /// Waits until webhooks may be due. Returns whether to go on.
  private func awaitCall(_ seen: inout Int) -> Bool {
    let known = seen
    let (count, isStopped) = calls.wait(until: { $0.count != known || $0.isStopped }) {
      ($0.count, $0.isStopped)
    }
    seen = count
    return !isStopped
  }

  private func wakeCallers() {
    if caller.isReady { calls.withLock { $0.count += 1 } }
  }

  private func recordCalls() throws {
    let isDue = recordsAt.withLock { moment in
      guard moment <= .now else { return false }
      moment = .now + Self.recording
      return true
    }
    if isDue { try caller.record() }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func compare() throws {
    while try !isStopped && lease.hold() {
      if pace.mustWait {
        Thread.sleep(forTimeInterval: WritePace.interval)
        continue
      }
      let begunAt = ContinuousClock.now
      let step = try matcher.step()
      state.withLock { $0.compared = step.count }
      caller.add(step.calls)
      wakeCallers()
      guard step.isPart else { return }
      // A backlog that lasts must not keep mails from being sent.
      let comparedAt = ContinuousClock.now
      while try queueMails(), .now - comparedAt < comparedAt - begunAt, !pace.mustWait {}
      let backlog = state.withLock { $0.sequence } - step.sequence
      let rest = WritePace.rest(after: .now - begunAt, backlog: backlog)
      Thread.sleep(forTimeInterval: rest / .seconds(1))
    }
  }

  /// Queues a portion of the mails that are due. Returns whether there may be more.
  private func queueMails() throws -> Bool {
    guard !isStopped else { return false }
    let rows = try database.read(mails.due)
    guard !rows.isEmpty else { return false }
    let due = try dueNews(of: rows)
    try writer.write(orIn: database) { [mails, lease] connection in
      try lease.confirm(connection)
      for one in due { try mails.queue(one, connection) }
    }
    matcher.noteMailed(rows)
    return rows.count == WatchMails.portion
  }

  /// The news of watches whose mail is due, without watches whose filters fail.
  private func dueNews(of rows: [Int64]) throws -> [WatchMails.Due] {
    // Almost always together, in one transaction.
    let limit = Database.TimeLimit.after(WatchFailures.limit * rows.count)
    do {
      return try database.read(limit: limit) { connection in
        try rows.compactMap { try mails.dueNews(of: $0, connection) }
      }
    } catch  where WatchFailures.isOfFilter(error) {}
    return try rows.compactMap { row in
      try failures.reading(row) {
        try database.read(limit: .after(WatchFailures.limit)) { connection in
          try mails.dueNews(of: row, connection)
        }
      } ?? nil
    }
  }
}

extension WatchWorker: MapObserver {
  var isListening: Bool { matcher.count > 0 }
  /// The changes are read from the change sequence.
  var needsTransitions: Bool { false }

  func note(_ transitions: [MapTransition], sequence: Int64) {
    state.withLock {
      $0.changes += 1
      $0.sequence = sequence
    }
  }
}
