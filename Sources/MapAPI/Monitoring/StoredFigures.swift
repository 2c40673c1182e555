internal import Locking
import Metrics
import PrivacyMap
import SpatialDatabase

/// What has to be asked of the database to tell how an instance is doing.
struct StoredFigures: Sendable {
  /// Jobs of a kind.
  struct Jobs: Sendable {
    var givenUp: Int64
    /// When the next one is due, in seconds since 1970.
    var due: Int64?
    /// How often those that wait were tried, at most.
    var attempts: Int64
    /// When this was read.
    var now: Int64

    /// Seconds that the oldest has been due.
    var overdue: Double { due.map { Double(max(0, now - $0)) } ?? 0 }

    /// When a repeated job was last done well, from when it is due again; nil where it was not.
    func lastSuccess(every interval: Duration?) -> Int64? {
      guard let interval, let due, attempts == 0, due > now else { return nil }
      return due - interval.components.seconds
    }
  }

  /// Things that wait, and for how many seconds the oldest has.
  struct Waiting: Sendable {
    var count: Int64
    var oldestAge: Double
  }

  /// The last of the change sequence.
  var sequence: Int64
  var jobs: [String: Jobs]
  var mail: Waiting
  /// What waits for a moderator.
  var queue: [QueueStore.Kind: Waiting]
  /// Choices whose last day for an answer is over.
  var overdueChoices: Int64

  static let lastChange = "SELECT max(sequence) FROM change"
  static let waitingJobs = """
    SELECT kind, count(*) FILTER (WHERE failed_at IS NOT NULL),
      min(due_at) FILTER (WHERE failed_at IS NULL),
      max(attempts) FILTER (WHERE failed_at IS NULL)
    FROM job GROUP BY kind
    """
  static let waitingMail = "SELECT count(*), min(created_at) FROM mail"
  static let overdue = """
    SELECT count(*) FROM choice
    WHERE state IN ('sent', 'acknowledged', 'extended') AND last_day < ?
    """

  init(at now: Timestamp, _ connection: borrowing Connection) throws {
    sequence = try connection.integer(Self.lastChange) ?? 0
    let jobs = try connection.rows(Self.waitingJobs) { row in
      (
        row.text(0),
        Jobs(
          givenUp: row.int(1),
          due: row.optionalText(2).flatMap { Timestamp(text: $0)?.secondsSinceEpoch },
          attempts: row.optionalInt(3) ?? 0, now: now.secondsSinceEpoch)
      )
    }
    self.jobs = Dictionary(jobs) { first, _ in first }
    mail =
      try connection.first(Self.waitingMail) { row in
        Waiting(count: row.int(0), oldestAge: Self.age(row.optionalText(1), now))
      } ?? Waiting(count: 0, oldestAge: 0)
    queue = try QueueStore().waiting(connection).mapValues { kind in
      Waiting(count: kind.count, oldestAge: Self.age(kind.since, now))
    }
    overdueChoices = try connection.integer(Self.overdue, [.text(now.day.text)]) ?? 0
  }

  /// Seconds since a moment; 0 where there is none.
  private static func age(_ text: String?, _ now: Timestamp) -> Double {
    let moment = text.flatMap { Timestamp(text: $0) }
    return moment.map { Double(max(0, now.secondsSinceEpoch - $0.secondsSinceEpoch)) } ?? 0
  }
}

/// Reads ``StoredFigures`` now and then, so that the database is not asked whenever somebody asks us.
final class StoredFigureReader: Sendable {
  private struct State {
    var readAt: ContinuousClock.Instant?
    var figures: StoredFigures?
  }

  /// How long what was read is told.
  static let lifetime = Duration.seconds(15)

  private let database: Database
  private let now: @Sendable () -> Timestamp
  private let lifetime: Duration
  private let state = Locked(State())

  init(
    _ database: Database, now: @escaping @Sendable () -> Timestamp,
    lifetime: Duration = StoredFigureReader.lifetime
  ) {
    self.database = database
    self.now = now
    self.lifetime = lifetime
  }

  /// What was read last; nil where the database did not answer.
  var latest: StoredFigures? { state.withLock { $0.figures } }

  /// Reads anew what is too old; to be called where waiting for a reader holds up nobody else.
  func refresh() {
    let readAt = state.withLock { $0.readAt }
    if let readAt, ContinuousClock.now - readAt < lifetime { return }
    let now = now()
    // An old figure would be taken for today's: none says that there is none.
    let figures = try? database.read { try StoredFigures(at: now, $0) }
    state.withLock { $0 = State(readAt: .now, figures: figures) }
  }
}
