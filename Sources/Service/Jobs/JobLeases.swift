internal import Foundation
internal import Locking
import PrivacyMap
import SpatialDatabase

/// The leases of the jobs that this process runs. They are renewed while the jobs run, so that no other server takes a
/// long one.
///
/// If servers share the database, a short job also has a row of the table `lease`, by the clock of the database. When a
/// server was killed, another one takes its jobs at the end of that row instead of ``length``.
final class JobLeases: Sendable {
  /// Seconds for which a job may run before another worker may take it, unless its lease is renewed.
  static let length: Int64 = 600
  /// Seconds between two renewals: several may fail before the lease ends.
  private static let pause = 60
  /// The same for the rows of `lease`, and the milliseconds for which they last.
  private static let shortPause = 10
  private static let shortLength: Int64 = 45_000
  /// The number of attempts up to which a job runs again soon after a crash, of which it may be the cause.
  static let interruptions: Int64 = 3

  private struct State {
    /// The number of the attempt of each job.
    var held: [Int64: Int64] = [:]
    var isStopping = false
  }

  private let state = Locked(State())
  private let ended = DispatchSemaphore(value: 0)
  /// Random, so that a server that was restarted is another one.
  private let holder = UUID().uuidString

  /// When a lease that begins or is renewed at `now` ends.
  static func end(from now: Timestamp) -> Timestamp {
    now.later(length)
  }

  func hold(_ job: Int64, attempt: Int64) { state.withLock { $0.held[job] = attempt } }

  func release(_ job: Int64) { state.withLock { $0.held[job] = nil } }

  private static func work(_ job: Int64) -> SQLValue { .text("job \(job)") }

  /// SQL condition: a row of `job` may be taken. Binds the present time.
  func isFree(in database: Database) -> String {
    let isOver = "leased_until IS NULL OR leased_until <= ?"
    guard database.isShared else { return "(\(isOver))" }
    return """
      (\(isOver) OR attempts <= \(Self.interruptions) AND EXISTS (SELECT 1 FROM lease
        WHERE work = 'job ' || job.rowid AND ends_at <= \(database.milliseconds)))
      """
  }

  /// Begins the row of a short job.
  func begin(
    _ job: Int64, in database: Database, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO lease (work, holder, ends_at) VALUES (?, ?, \(database.milliseconds) + ?)
      ON CONFLICT (work) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at
      """, [Self.work(job), .text(holder), .integer(Self.shortLength)])
  }

  func end(_ job: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "DELETE FROM lease WHERE work = ? AND holder = ?", [Self.work(job), .text(holder)])
  }

  /// Renews the rows of the running short jobs.
  func renewRows(in database: Database) throws {
    let held = state.withLock { $0.held.keys.sorted() }
    guard database.isShared, !held.isEmpty else { return }
    try database.apart(
      held.map { job in
        (
          "UPDATE lease SET ends_at = \(database.milliseconds) + ? WHERE work = ? AND holder = ?",
          [.integer(Self.shortLength), Self.work(job), .text(holder)]
        )
      }
    ) { _, _ in }
  }

  /// Renews the leases of the running jobs.
  func renew(_ now: Timestamp, in database: Database) throws {
    let held = state.withLock { $0.held.sorted { $0.key < $1.key } }
    if held.isEmpty { return }
    try database.write { connection in
      for (job, attempt) in held {
        // The end of the job may have been recorded meanwhile, or another server has begun the next attempt.
        try connection.execute(
          """
          UPDATE job SET leased_until = ?
          WHERE rowid = ? AND attempts IN (?, 0) AND leased_until IS NOT NULL
          """, [.text(Self.end(from: now).text), .integer(job), .integer(attempt)])
      }
    }
  }

  /// Starts a thread that calls `renew` and `renewRows` regularly.
  func start(
    _ renew: @escaping @Sendable () -> Void, rows renewRows: @escaping @Sendable () -> Void
  ) {
    NamedThread.start("job leases") { [self] in
      var seconds = 0
      while !state.withLock({ $0.isStopping }) {
        Thread.sleep(forTimeInterval: 1)
        seconds += 1
        if seconds.isMultiple(of: Self.shortPause) { renewRows() }
        if seconds.isMultiple(of: Self.pause) { renew() }
      }
      ended.signal()
    }
  }

  /// Waits for the thread. Call after ``start(_:)``.
  func stop() {
    state.withLock { $0.isStopping = true }
    ended.wait()
  }
}
