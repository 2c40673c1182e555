import Locking
import SafeFetch
import Service
import SpatialDatabase

/// Calls the webhooks with pending news: one call at a time to each host, in the order of the changes of each watch. A
/// host that answers slowly delays no other, and a crash repeats at most one call to each.
///
/// The list of webhooks with pending news is in memory. The database has only the times of webhooks that failed or are
/// tested, and the progress of each. Together with ``CallJournal``, this is all that a start needs. If several servers
/// share the database, one of them calls, and each accepted call is a row of `webhook_call`, so that another server can
/// take over.
final class WebhookCaller: Sendable {
  let store: WebhookStore
  private let database: Database
  private let writer: GroupedWriter
  private let site: PublicFile
  private let journals: Locked<CallJournal>
  private let queue = Locked(CallQueue())
  private let reads: AlertReads
  private let failures: WatchFailures

  /// The maximum number of positions in a transaction, so that no write waits long.
  private static let portion = 100
  /// The seconds until the rest of the changes is compared.
  private static let rest: Int64 = 10

  private let lease: Lease

  init(
    store: WebhookStore, database: Database, writer: GroupedWriter, site: PublicFile,
    reads: AlertReads, failures: WatchFailures, lease: Lease
  ) throws {
    (self.store, self.database, self.writer) = (store, database, writer)
    (self.site, self.reads, self.failures, self.lease) = (site, reads, failures, lease)
    let last = try database.read { try $0.integer(ChangeLog.last) ?? 0 }
    journals = Locked(
      database.isShared
        ? CallJournal(calls: []) : CallJournal(path: database.path + "-calls", last: last))
  }

  var journal: CallJournal { journals.withLock { $0 } }

  /// Continues the calls of the server that has ended.
  func takeOver() throws {
    guard database.isShared else { return }
    let calls = try database.read(limit: .none) { connection in
      try connection.rows("SELECT watch_rowid, number FROM webhook_call") { row in
        (watch: row.int(0), number: row.int(1))
      }
    }
    let journal = CallJournal(calls: calls)
    journals.withLock { $0 = journal }
  }

  /// Whether a call is possible now.
  var isReady: Bool { queue.withLock { $0.isReady } }

  /// Adds webhooks that may have pending calls.
  func add(_ watches: [(watch: Int64, host: String)]) {
    guard !watches.isEmpty else { return }
    queue.withLock { queue in
      for (watch, host) in watches { queue.add(watch, at: host) }
    }
  }

  /// Adds the scheduled webhooks that are due.
  func addDue() throws { add(try reads.read(store.due)) }

  /// Makes the next calls of a webhook until `isStopped` or `mustWait`. Returns whether one was waiting.
  func callNext(
    _ isStopped: () -> Bool, unless mustWait: () -> Bool = { false }
  ) throws -> Bool {
    guard !isStopped(), lease.isHeld, let (watch, host) = queue.withLock({ $0.take() }) else {
      return false
    }
    defer { queue.withLock { $0.free(host) } }
    do { try call(watch, host, isStopped, mustWait) } catch {
      add([(watch, host)])
      throw error
    }
    return true
  }

  private func call(
    _ watch: Int64, _ host: String, _ isStopped: () -> Bool, _ mustWait: () -> Bool
  ) throws {
    let position = journal.through(watch)
    let turn = try failures.reading(watch) {
      try reads.read(limit: .after(WatchFailures.limit)) { [store] connection in
        try store.turn(of: watch, after: position, connection)
      }
    }
    switch turn {
    // A watch that was set aside or put off is scheduled, or ended, in the database.
    case nil, .rest: return
    case .stop: try writer.write(orIn: database) { [store] in try store.stop(watch, $0) }
    // The address has changed since.
    case .calls(let pending) where pending.address.host != host:
      add([(watch, pending.address.host)])
    case .calls(let pending):
      for call in pending.calls {
        // Read again after the wait: its owner may change the watch meanwhile.
        if mustWait() { return add([(watch, host)]) }
        // A call ends before another server may take over.
        guard !isStopped(), lease.isHeld, try make(call, of: pending) else { return }
      }
      guard pending.isWhole || pending.calls.isEmpty else { return add([(watch, host)]) }
      journal.skip(watch, to: pending.through)
      guard pending.isWhole else {
        // So many changes without a match, or a filter that takes long: others come first.
        return try writer.write(orIn: database) { [store] connection in
          try store.putOff(watch, by: Self.rest, connection)
        }
      }
      if pending.calls.isEmpty, pending.isScheduled {
        try writer.write(orIn: database) { [store] in try store.stop(watch, $0) }
      }
    }
  }

  /// Makes a call. Returns whether it was accepted.
  private func make(_ call: WebhookStore.Call, of pending: WebhookStore.Pending) throws -> Bool {
    let row = pending.watch.rowid
    let signed = try reads.read { [store] in try store.signed(call, of: pending, $0) }
    do throws(PublicFileFailure) {
      let answer = try site.post(
        signed.body, headers: signed.headers, to: pending.address.host, pending.address.path)
      if case .challenge(let challenge) = call, !challenge.isMet(by: answer) { throw .notThere }
    } catch {
      try writer.write(orIn: database) { [store] connection in
        error == .busy ? try store.putOff(row, connection) : try store.fail(row, connection)
      }
      return false
    }
    if let number = call.number { try note(row, number) }
    if case .challenge = call {
      try writer.write(orIn: database) { [store] in try store.prove(pending.watch, $0) }
    } else if pending.isScheduled {
      try writer.write(orIn: database) { [store] in try store.succeed(call, of: row, $0) }
    }
    return true
  }

  /// Records that a call was accepted. With PostgreSQL this is stored at once, so that a crash repeats no earlier call.
  func note(_ watch: Int64, _ number: Int64) throws {
    journal.note(watch, number)
    guard database.isShared else { return }
    try database.apart([
      (
        """
        INSERT INTO webhook_call (watch_rowid, number) SELECT rowid, CAST(? AS BIGINT) FROM watch WHERE rowid = ?
        ON CONFLICT (watch_rowid, number) DO NOTHING
        """, [.integer(number), .integer(watch)]
      )
    ])
  }

  /// Writes the progress of webhooks to the database.
  func record() throws {
    let journal = journal
    let positions = journal.begin()
    guard !positions.isEmpty else { return }
    var gone: Set<Int64> = []
    let watches = positions.keys.sorted()
    for start in stride(from: 0, to: watches.count, by: Self.portion) {
      let part = watches[start..<min(start + Self.portion, watches.count)]
      let missing = try writer.write(orIn: database) { [store, lease] connection in
        try lease.confirm(connection)
        return try part.filter { row in
          guard let position = positions[row] else { return false }
          return try !store.record(position, of: row, connection)
        }
      }
      gone.formUnion(missing)
    }
    journal.end(positions, gone: gone)
  }
}
