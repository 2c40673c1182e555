import Foundation
package import Logging
package import PrivacyMap
package import SpatialDatabase
import Synchronization

/// Does the work of the `job` table: what is due, one job after the other, each leased while it runs,
/// so that a job that dies with the program is tried again after the restart.
package final class JobRunner: Sendable {
  /// Does a job; what it throws is noted and the job tried again later.
  package typealias Work = @Sendable (_ payload: String) throws -> Void

  private let database: Database
  private let surroundings: Surroundings
  private let logger: Logger
  private let works: [String: Work]
  private let isStopping = Mutex(false)
  private let ended = DispatchSemaphore(value: 0)

  /// How long a job may run before another worker may take it.
  private static let lease: Int64 = 600
  /// Attempts after which a job is given up.
  private static let attempts: Int64 = 8

  package init(
    database: Database, surroundings: Surroundings, logger: Logger, works: [String: Work] = [:]
  ) {
    self.database = database
    self.surroundings = surroundings
    self.logger = logger
    self.works = works
  }

  /// Looks for due jobs every second on a thread of its own.
  package func start() {
    let thread = Thread { [self] in
      while !isStopping.withLock({ $0 }) {
        do { while try runOne() {} } catch {
          logger.error("looking for jobs failed", metadata: ["error": "\(error)"])
        }
        Thread.sleep(forTimeInterval: 1)
      }
      ended.signal()
    }
    thread.name = "jobs"
    thread.start()
  }

  /// Lets the job under way finish and looks for no other.
  package func stop() {
    isStopping.withLock { $0 = true }
    ended.wait()
  }

  /// Does the job that has been due for longest.
  ///
  /// - Returns: false when none is due.
  package func runOne() throws -> Bool {
    let now = surroundings.now()
    let isDue = try database.read { connection in
      try connection.integer(Self.due, [.text(now.text), .text(now.text)]) != nil
    }
    // The write below is a sync to the disk, so it is not begun for nothing.
    guard isDue, let job = try take(now) else { return false }
    do {
      guard let work = works[job.kind] else { throw UnknownJob(kind: job.kind) }
      try work(job.payload)
      try database.write { connection in
        try connection.execute("DELETE FROM job WHERE rowid = ?", [.integer(job.rowid)])
      }
    } catch {
      logger.error("job \(job.kind) failed", metadata: ["error": "\(error)"])
      try putOff(job, because: "\(error)")
    }
    return true
  }

  private static let due = """
    SELECT rowid FROM job
    WHERE failed_at IS NULL AND due_at <= ? AND (leased_until IS NULL OR leased_until <= ?)
    ORDER BY due_at, rowid LIMIT 1
    """

  private typealias Job = (rowid: Int64, kind: String, payload: String, attempts: Int64)

  private func take(_ now: Timestamp) throws -> Job? {
    try database.write { connection in
      guard let rowid = try connection.integer(Self.due, [.text(now.text), .text(now.text)])
      else { return nil }
      let until = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + Self.lease)
      try connection.execute(
        "UPDATE job SET leased_until = ?, attempts = attempts + 1 WHERE rowid = ?",
        [.text(until.text), .integer(rowid)])
      return try connection.first(
        "SELECT rowid, kind, payload, attempts FROM job WHERE rowid = ?", [.integer(rowid)]
      ) { ($0.int(0), $0.text(1), $0.text(2), $0.int(3)) }
    }
  }

  /// Tries again after 1, 4, 16, … minutes, at most a day; gives up after eight attempts.
  private func putOff(_ job: Job, because reason: String) throws {
    let now = surroundings.now()
    let minutes = min(1_440, Int64(1) << (2 * min(job.attempts - 1, 6)))
    let due = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + minutes * 60)
    let failedAt = job.attempts >= Self.attempts ? now.text : nil
    try database.write { connection in
      try connection.execute(
        """
        UPDATE job SET due_at = ?, leased_until = NULL, last_error = ?, failed_at = ?
        WHERE rowid = ?
        """, [.text(due.text), .text(reason), SQLValue(failedAt), .integer(job.rowid)])
    }
  }

  /// Schedules work; a key that is scheduled already is not scheduled again.
  package static func schedule(
    _ kind: String, payload: String = "{}", key: String? = nil, due: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO job (kind, key, payload, due_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (key) DO NOTHING
      """, [.text(kind), SQLValue(key), .text(payload), .text(due.text)])
  }
}

/// A job that nobody here knows how to do.
struct UnknownJob: Error, CustomStringConvertible {
  let kind: String
  var description: String { "nobody knows how to do “\(kind)”" }
}
