internal import Locking
import Moderation
import PrivacyMap
import Rights
import Service
import SpatialDatabase
import Watching

/// Metrics that are read from the database.
struct StoredFigures: Sendable {
  /// Jobs of one kind.
  struct Jobs: Sendable {
    var givenUp: Int64
    /// Due time of the next job, in seconds since 1970.
    var due: Int64?
    /// The most attempts that any waiting job has had.
    var attempts: Int64
    /// Time of reading.
    var now: Int64

    /// Seconds since the oldest job became due.
    var overdue: Double { due.map { Double(max(0, now - $0)) } ?? 0 }

    /// Time of the last success of a repeated job, derived from its due time; nil if its last run failed.
    func lastSuccess(every interval: Duration?) -> Int64? {
      guard let interval, let due, attempts == 0, due > now else { return nil }
      return due - interval.components.seconds
    }
  }

  /// Waiting items, and the age of the oldest in seconds.
  struct Waiting: Sendable {
    var count: Int64
    var oldestAge: Double
  }

  /// The highest number of the change sequence.
  var sequence: Int64
  var jobs: [String: Jobs]
  var mail: Waiting
  /// Items waiting for a moderator.
  var queue: [QueueStore.Kind: Waiting]
  /// Choices whose time limit for an answer has passed.
  var overdueChoices: Int64
  /// Watches that are not paused.
  var watches: Int64
  /// Seconds by which this server's clock is ahead of the database's clock.
  var clockAhead: Int64

  static let lastChange = "SELECT max(sequence) FROM change"

  init(
    at now: Timestamp, _ pending: QueueStore, _ connection: borrowing Connection
  ) throws {
    sequence = try connection.integer(Self.lastChange) ?? 0
    let jobs = try StoredJobs.standings(connection).map { kind in
      (
        kind.kind,
        Jobs(
          givenUp: kind.failed, due: kind.due.flatMap { Timestamp(text: $0)?.secondsSinceEpoch },
          attempts: kind.attempts, now: now.secondsSinceEpoch)
      )
    }
    self.jobs = Dictionary(jobs) { first, _ in first }
    let mails = try StoredMail.waiting(connection)
    mail = Waiting(count: mails.count, oldestAge: Self.age(mails.oldestAt, now))
    queue = try pending.waiting(connection).mapValues { kind in
      Waiting(count: kind.count, oldestAge: Self.age(kind.since, now))
    }
    overdueChoices = try ChoiceFigures.overdue(on: now.day, connection)
    watches = try WatchFigures.running(connection)
    clockAhead = try connection.secondsAhead(now.secondsSinceEpoch)
  }

  /// Seconds since a time; 0 if `text` is nil.
  private static func age(_ text: String?, _ now: Timestamp) -> Double {
    let moment = text.flatMap { Timestamp(text: $0) }
    return moment.map { Double(max(0, now.secondsSinceEpoch - $0.secondsSinceEpoch)) } ?? 0
  }
}

/// Caches ``StoredFigures``, so that not every request for metrics queries the database.
final class StoredFigureReader: Sendable {
  private struct State {
    var readAt: ContinuousClock.Instant?
    var figures: StoredFigures?
  }

  /// The time during which the figures are reused.
  static let lifetime = Duration.seconds(15)

  private let database: Database
  private let pending: QueueStore
  private let now: @Sendable () -> Timestamp
  private let lifetime: Duration
  private let state = Locked(State())

  init(
    _ database: Database, pending: QueueStore, now: @escaping @Sendable () -> Timestamp,
    lifetime: Duration = StoredFigureReader.lifetime
  ) {
    self.database = database
    self.pending = pending
    self.now = now
    self.lifetime = lifetime
  }

  /// The cached figures; nil if the database could not be read.
  var latest: StoredFigures? { state.withLock { $0.figures } }

  /// Reads the figures again if they are too old. May block, so call it on a separate queue.
  func refresh() {
    let readAt = state.withLock { $0.readAt }
    if let readAt, ContinuousClock.now - readAt < lifetime { return }
    let (now, pending) = (now(), pending)
    // If reading fails, no figures are shown: old ones would be mistaken for current ones.
    let figures = try? database.read { try StoredFigures(at: now, pending, $0) }
    state.withLock { $0 = State(readAt: .now, figures: figures) }
  }
}
