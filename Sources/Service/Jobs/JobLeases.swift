internal import Foundation
internal import Locking
import PrivacyMap
import SpatialDatabase

/// The leases of the jobs that this process runs. They are renewed while the jobs run, so that no other server takes a
/// long one.
final class JobLeases: Sendable {
  /// Seconds for which a job may run before another worker may take it, unless its lease is renewed.
  static let length: Int64 = 600
  /// Seconds between two renewals: several may fail before the lease ends.
  private static let pause = 60

  private struct State {
    /// The number of the attempt of each job.
    var held: [Int64: Int64] = [:]
    var isStopping = false
  }

  private let state = Locked(State())
  private let ended = DispatchSemaphore(value: 0)

  /// When a lease that begins or is renewed at `now` ends.
  static func end(from now: Timestamp) -> Timestamp {
    now.later(length)
  }

  func hold(_ job: Int64, attempt: Int64) { state.withLock { $0.held[job] = attempt } }

  func release(_ job: Int64) { state.withLock { $0.held[job] = nil } }

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
          WHERE rowid = ? AND attempts = ? AND leased_until IS NOT NULL
          """, [.text(Self.end(from: now).text), .integer(job), .integer(attempt)])
      }
    }
  }

  /// Starts a thread that calls `renew` regularly.
  func start(_ renew: @escaping @Sendable () -> Void) {
    NamedThread.start("job leases") { [self] in
      var seconds = 0
      while !state.withLock({ $0.isStopping }) {
        Thread.sleep(forTimeInterval: 1)
        seconds += 1
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
