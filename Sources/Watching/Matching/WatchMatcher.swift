import Devices
import Locking
import PrivacyMap
import Reading
import Service
import SpatialDatabase

/// Compares changes with watches, off the write path.
///
/// The change sequence is the outbox: a change is in it in the transaction of the change itself. A change that some
/// watch may report is logged in one transaction with the progress, so a crash neither loses nor repeats it. Only
/// watches that report at once are compared here, to schedule their mails and calls; the others read the log when their
/// digest is due or their feed is requested.
final class WatchMatcher: Sendable {
  private let database: Database
  private let writer: GroupedWriter
  private let changes: ChangeStore
  private let log: ChangeLog
  private let matches: MatchStore
  private let devices: DeviceStore
  private let lease: Lease
  private let state = Locked(State())
  /// Separate from ``state``, which is locked during a write, because the writer reads it.
  private let watches = Locked(0)

  private struct State {
    var index = WatchIndex()
    /// The version of the watches in the index.
    var version: Int64 = -1
    var hasBegun = false
    /// The last change that was compared. The stored progress may be behind it if no watch reports a change.
    var progress = ChangeStore.Progress(sequence: 0, note: 0)
  }

  /// The additions of a batch of changes.
  private struct News {
    var changes: [(change: ChangeStore.Change, keys: [Int64])] = []
    var outcomes: [String] = []
    /// The watches that report something at once.
    var reported: [Int64: WatchIndex.Entry] = [:]
    let batch: ChangeStore.Batch
    /// Whether the stored progress is far behind.
    let isBehind: Bool

    var isEmpty: Bool { changes.isEmpty && outcomes.isEmpty }
  }

  /// The number of changes without one to log after which the progress is stored.
  private static let maxGap: Int64 = 500

  init(
    database: Database, writer: GroupedWriter, matches: MatchStore, news: WatchNews, lease: Lease
  ) {
    self.database = database
    self.writer = writer
    (self.matches, self.lease) = (matches, lease)
    (changes, log, devices) = (news.changes, news.log, news.devices)
  }

  /// The number of watches in memory.
  var count: Int { watches.withLock { $0 } }

  /// The result of ``step()``.
  struct Step {
    /// Whether there may be more changes.
    var isPart = false
    /// The number of changes that were compared.
    var count = 0
    /// The last of them in the change sequence.
    var sequence: Int64 = 0
    /// The watches whose webhook may have something to call, each with its host.
    var calls: [(watch: Int64, host: String)] = []
  }

  /// Compares the next changes. At the first time all webhooks may have something to call.
  @discardableResult
  func step() throws -> Step {
    try state.withLock { state in
      defer { watches.withLock { $0 = state.index.count } }
      guard let news = try database.read(limit: .none, { try news(&state, $0) }) else {
        state.hasBegun = true
        return Step()
      }
      if news.isBehind || !news.isEmpty {
        try writer.write(orIn: database) { [self] in try store(news, $0) }
      }
      state.progress = news.batch.progress
      for entry in news.reported.values where entry.mailsAtOnce {
        state.index.mailing.insert(entry.rowid)
      }
      let reported = Array(state.hasBegun ? news.reported.values : state.index.entries.values)
      state.hasBegun = true
      return Step(
        isPart: news.batch.isPart, count: news.batch.changes.count,
        sequence: news.batch.progress.sequence,
        calls: reported.compactMap { entry in entry.host.map { (entry.rowid, $0) } })
    }
  }

  /// Forgets everything, because another server compared meanwhile.
  func forget() { state.withLock { $0 = State() } }

  /// Forgets that the mail of a watch is scheduled.
  func noteMailed(_ rows: [Int64]) {
    state.withLock { for row in rows { $0.index.mailing.remove(row) } }
  }

  /// The next changes that watches may report; nil without watches.
  private func news(_ state: inout State, _ connection: borrowing Connection) throws -> News? {
    let (stored, version) = try changes.stored(connection)
    if version != state.version {
      try matches.refresh(&state.index, after: state.version, connection)
      state.version = version
    }
    state.progress.sequence = max(state.progress.sequence, stored.sequence)
    state.progress.note = max(state.progress.note, stored.note)
    guard state.index.count > 0 else { return nil }
    let batch = try changes.batch(
      after: state.progress, maximum: ChangeStore.maxBatchSize, connection)
    var news = News(
      batch: batch,
      isBehind: batch.progress.sequence - stored.sequence > Self.maxGap
        || batch.progress.note - stored.note > Self.maxGap)
    // Each filter is evaluated separately. A watch whose filter fails or takes long counts as reporting: its mail or
    // its call compares again, alone.
    var matching = Matching(store: devices, changes: changes, trial: FilterTrial(database))
    try addChanges(to: &news, state.index, &matching, connection)
    for name in batch.outcomes where !state.index.watched([ChangeKey.outcomes]).isEmpty {
      news.outcomes.append(name)
      for entry in state.index.candidates([ChangeKey.outcomes])
      where news.reported[entry.rowid] == nil && !isScheduled(entry, state.index) {
        guard try matching.device(entry.watch, outcomeOf: name, connection) != nil else { continue }
        news.reported[entry.rowid] = entry
      }
    }
    return news
  }

  /// Adds the changes that a watch may report, with the watches that report them at once.
  private func addChanges(
    to news: inout News, _ index: WatchIndex, _ matching: inout Matching,
    _ connection: borrowing Connection
  ) throws {
    var candidates: [(change: ChangeStore.Change, entries: [WatchIndex.Entry])] = []
    // The watches whose filters need the database, which evaluates each filter for all of its changes at once.
    var filtering: [Int64: (entry: WatchIndex.Entry, changes: [ChangeStore.Change])] = [:]
    for change in news.batch.changes {
      let watched = index.watched(Self.keys(of: change))
      guard !watched.isEmpty else { continue }
      news.changes.append((change, watched))
      let entries = index.candidates(watched).filter {
        $0.since < change.sequence && !isScheduled($0, index)
      }
      candidates.append((change, entries))
      for entry in entries where entry.watch.filter.rest != nil {
        filtering[entry.rowid, default: (entry, [])].changes.append(change)
      }
    }
    for (_, some) in filtering.sorted(by: { $0.key < $1.key }) {
      try matching.prepare(some.entry.watch, some.changes, connection)
    }
    for (change, entries) in candidates {
      for entry in entries where news.reported[entry.rowid] == nil {
        guard try matching.event(entry.watch, change, connection) != nil else { continue }
        news.reported[entry.rowid] = entry
      }
    }
  }

  private static func keys(of change: ChangeStore.Change) -> [Int64] {
    var keys: Set<Int64> = []
    if let before = change.before {
      keys.formUnion(ChangeKey.keys(of: before, operators: change.operatorsBefore))
    }
    if let after = change.after {
      keys.formUnion(ChangeKey.keys(of: after, operators: change.operatorsAfter))
    }
    return keys.sorted()
  }

  /// Whether nothing is to be scheduled for a watch.
  private func isScheduled(_ entry: WatchIndex.Entry, _ index: WatchIndex) -> Bool {
    entry.host == nil && index.mailing.contains(entry.rowid)
  }

  private func store(_ news: News, _ connection: borrowing Connection) throws {
    try lease.confirm(connection)
    for (change, keys) in news.changes { try log.add(change, keys, connection) }
    for name in news.outcomes {
      try log.add(outcomeOf: name, news.batch.progress.sequence, connection)
    }
    for (row, entry) in news.reported.sorted(by: { $0.key < $1.key }) where entry.mailsAtOnce {
      try matches.scheduleMail(of: row, connection)
    }
    try changes.store(news.batch.progress, connection)
  }
}
