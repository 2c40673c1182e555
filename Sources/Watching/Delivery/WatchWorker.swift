internal import Foundation
import Devices
import Locking
import Logging
import PrivacyMap
import SafeFetch
import Service
import SpatialDatabase

/// The background work of watches: compares changes, queues mails and calls webhooks.
///
/// One thread compares, queues and notices webhooks that are due. A few others, which wait until it wakes them, call
/// the servers. They make one call at a time to each host, in the order of the changes of each watch: a host that answers
/// slowly delays no other, and a crash repeats at most one call to each.
final class WatchWorker: Sendable {
  let matcher: WatchMatcher
  private let database: Database
  private let writer: GroupedWriter
  private let mails: WatchMails
  let webhooks: WebhookStore
  private let site: PublicFile
  private let logger: Logger
  private let state = Monitor(State())
  /// Held while one of the threads reads, so that others do not keep the readers of the database from requests while
  /// they wait for the processor.
  private let reading = Locked(())

  private struct State {
    /// Count the changes of devices, and the moments at which webhooks may have become due.
    var changes = 0
    var calls = 0
    var isStopped = false
    var threads = 0
    /// The hosts of the webhooks that are being called.
    var busy: Set<String> = []
  }

  /// The time during which changes are gathered.
  private static let gathering = 0.1
  /// The rest between two batches of a backlog, in durations of the batch before it.
  private static let restShare = 2.0
  private static let longestRest = Duration.seconds(1)
  /// Threads that call webhooks.
  static let callers = 8

  init(
    matcher: WatchMatcher, database: Database, writer: GroupedWriter, mails: WatchMails,
    webhooks: WebhookStore, site: PublicFile, logger: Logger
  ) {
    self.matcher = matcher
    self.database = database
    self.writer = writer
    self.mails = mails
    self.webhooks = webhooks
    self.site = site
    self.logger = logger
  }

  /// Starts the threads.
  func start() {
    run("watches", { [self] in rest(&$0) }) { [self] in
      // Changes that arrive while many digests are due must not wait for them.
      repeat { try compare() } while try queueMails()
      try wakeCallers()
    }
    for _ in 0..<Self.callers {
      run("webhooks", { [self] in awaitCall(&$0) }) { [self] in while try callNext() {} }
    }
  }

  /// Waits for the running work; a call takes at most a quarter of a minute.
  func stop() {
    state.withLock { $0.isStopped = true }
    state.wait(until: { $0.threads == 0 }) { _ in }
  }

  /// Does everything that is due, on the calling thread.
  func finish() throws {
    repeat { try compare() } while try queueMails()
    while try callNext() {}
  }

  /// Repeats `work` while `rest` returns true; its argument is the count that it returned for before.
  private func run(
    _ name: String, _ rest: @escaping @Sendable (inout Int) -> Bool,
    _ work: @escaping @Sendable () throws -> Void
  ) {
    state.withLock { $0.threads += 1 }
    let thread = Thread { [self] in
      // So that alerts take little time from requests while the processor is busy, and are late instead.
      ThreadPriority.lower()
      // The first turn does not wait: changes may be left from before the start.
      var seen = -1
      while rest(&seen) {
        do { try work() } catch {
          logger.error("work of watches failed", metadata: ["error": "\(error)"])
        }
      }
      state.withLock { $0.threads -= 1 }
    }
    thread.name = name
    thread.start()
  }

  /// Waits for changes, a second at most: mails become due, and the first watch is added. Returns whether to go on.
  private func rest(_ seen: inout Int) -> Bool {
    let known = seen
    let hasNews = state.wait(
      until: { $0.changes != known || $0.isStopped }, orUntil: .now + .seconds(1)
    ) { $0.changes != known && !$0.isStopped }
    if hasNews { Thread.sleep(forTimeInterval: Self.gathering) }
    return state.withLock { state in
      seen = state.changes
      return !state.isStopped
    }
  }

  /// Waits until webhooks may be due. Returns whether to go on.
  private func awaitCall(_ seen: inout Int) -> Bool {
    let known = seen
    let (calls, isStopped) = state.wait(until: { $0.calls != known || $0.isStopped }) {
      ($0.calls, $0.isStopped)
    }
    seen = calls
    return !isStopped
  }

  private func wakeCallers() throws {
    let busy = state.withLock { $0.busy }
    guard busy.count < Self.callers,
      try read({ try webhooks.due(except: busy, $0) }) != nil
    else { return }
    state.withLock { $0.calls += 1 }
  }

  private func read<T: Sendable>(_ body: @Sendable (Connection) throws -> T) throws -> T {
    // No time limit: comparing thousands of changes takes long on a busy machine, and a mail whose reading is always
    // interrupted would never be sent.
    try reading.withLock { _ in try database.read(limit: .none, body) }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func compare() throws {
    while !isStopped {
      let begunAt = ContinuousClock.now
      if try !matcher.step() { return }
      try wakeCallers()
      // A backlog that lasts must not keep mails from being sent.
      _ = try queueMails()
      // With a backlog, requests get most of the time.
      let rest = min(Self.longestRest, (ContinuousClock.now - begunAt) * Self.restShare)
      Thread.sleep(forTimeInterval: rest / .seconds(1))
    }
  }

  /// Queues a portion of the mails that are due. Returns whether there may be more.
  private func queueMails() throws -> Bool {
    guard !isStopped else { return false }
    let due = try read(mails.dueNews)
    guard !due.isEmpty else { return false }
    try writer.write(orIn: database) { [mails] in
      for one in due { try mails.queue(one, $0) }
    }
    matcher.noteMailed(due.map(\.row))
    return due.count == WatchMails.portion
  }

  /// Makes the next calls of the webhook that has been due for longest. Returns whether there was one.
  private func callNext() throws -> Bool {
    guard !isStopped, let (watch, host) = try take() else { return false }
    defer { state.withLock { _ = $0.busy.remove(host) } }
    guard let pending = try read({ try webhooks.pending(of: watch, $0) }) else {
      try writer.write(orIn: database) { [webhooks] in try webhooks.stop(watch, $0) }
      return true
    }
    for call in pending.calls {
      let isLast = call.number == pending.calls.last?.number && pending.isWhole
      guard try !isStopped && make(call, of: pending, isLast: isLast) else { return true }
    }
    if pending.calls.isEmpty {
      try writer.write(orIn: database) { [webhooks] in try webhooks.rest(pending, $0) }
    }
    return true
  }

  /// Makes a call. Returns whether it was accepted.
  private func make(
    _ call: WebhookStore.Call, of pending: WebhookStore.Pending, isLast: Bool
  ) throws -> Bool {
    let signed = try read { try webhooks.signed(call, of: pending, $0) }
    do throws(PublicFileFailure) {
      try site.post(
        signed.body, headers: signed.headers, to: pending.address.host, pending.address.path)
    } catch {
      try writer.write(orIn: database) { [webhooks] connection in
        error == .busy
          ? try webhooks.putOff(pending.watch.rowid, connection)
          : try webhooks.fail(pending.watch.rowid, connection)
      }
      return false
    }
    try writer.write(orIn: database) { [webhooks] in
      try webhooks.succeed(call, of: pending, $0)
      if isLast { try webhooks.rest(pending, $0) }
    }
    return true
  }

  private func take() throws -> (watch: Int64, host: String)? {
    while true {
      let busy = state.withLock { $0.busy }
      guard let due = try read({ try webhooks.due(except: busy, $0) }) else { return nil }
      // Otherwise another thread has taken the host meanwhile.
      if state.withLock({ $0.busy.insert(due.host).inserted }) { return due }
    }
  }
}

extension WatchWorker: MapObserver {
  var isListening: Bool { matcher.count > 0 }

  func note(_ transitions: [MapTransition], sequence: Int64) {
    state.withLock { $0.changes += 1 }
  }
}
