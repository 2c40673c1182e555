package import PrivacyMap
package import SpatialDatabase

/// The jobs in the table `job`, for features that schedule, change and cancel single jobs.
package enum StoredJobs {
  /// The retention of failed jobs in days, for troubleshooting.
  package static let failedDays: Int64 = 30

  /// SQL condition: a row of `job` that failed before a time. Jobs of the erasure list stay until they succeed.
  static let isOld = "failed_at <= ?1 AND kind <> '\(ErasureList.job)'"

  /// The payload of the job with a key; nil for an unknown key.
  package static func payload(
    of key: String, _ connection: borrowing Connection
  ) throws -> String? {
    try connection.text("SELECT payload FROM job WHERE key = ?", [.text(key)])
  }

  /// Schedules a job, or replaces payload and due time of the job with this key and resets its attempts.
  package static func put(
    _ kind: String, payload: String, key: String, due: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO job (kind, key, payload, due_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET payload = excluded.payload, due_at = excluded.due_at,
        attempts = 0, failed_at = NULL, last_error = NULL
      """, [.text(kind), .text(key), .text(payload), .text(due.text)])
  }

  /// Replaces payload and due time of the job with a key, to store its progress.
  package static func postpone(
    _ key: String, payload: String, until due: Timestamp, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE job SET payload = ?, due_at = ? WHERE key = ?",
      [.text(payload), .text(due.text), .text(key)])
  }

  /// Deletes the job with a key, unless it is running. A running job is deleted by its runner.
  ///
  /// - Returns: whether it was deleted.
  @discardableResult
  package static func cancel(_ key: String, _ connection: borrowing Connection) throws -> Bool {
    try connection.execute("DELETE FROM job WHERE key = ? AND leased_until IS NULL", [.text(key)])
    return connection.changedRowCount > 0
  }

  /// Deletes the job with a key, even if it is running.
  package static func delete(_ key: String, _ connection: borrowing Connection) throws {
    try connection.execute("DELETE FROM job WHERE key = ?", [.text(key)])
  }

  /// Deletes the jobs of a kind whose payload meets a condition.
  package static func delete(
    kind: String, where isDeleted: (_ payload: String) -> Bool, _ connection: borrowing Connection
  ) throws {
    let jobs = try connection.rows("SELECT rowid, payload FROM job WHERE kind = ?", [.text(kind)]) {
      (row: $0.int(0), payload: $0.text(1))
    }
    for job in jobs where isDeleted(job.payload) {
      try connection.execute("DELETE FROM job WHERE rowid = ?", [.integer(job.row)])
    }
  }

  /// Deletes the jobs of a kind that have been due since a time.
  package static func delete(
    kind: String, dueUntil limit: Timestamp, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "DELETE FROM job WHERE kind = ? AND due_at <= ?", [.text(kind), .text(limit.text)])
  }
}

extension StoredJobs {
  /// The numbers of due, scheduled and failed jobs. Failed jobs are not repeated.
  package typealias Counts = (waiting: Int64, scheduled: Int64, failed: Int64)

  package static func counts(
    at now: Timestamp, _ connection: borrowing Connection
  ) throws -> Counts {
    try connection.first(
      """
      SELECT count(*) FILTER (WHERE failed_at IS NULL AND due_at <= ?1),
        count(*) FILTER (WHERE failed_at IS NULL AND due_at > ?1),
        count(*) FILTER (WHERE failed_at IS NOT NULL)
      FROM job
      """, [.text(now.text)]
    ) { ($0.int(0), $0.int(1), $0.int(2)) } ?? (0, 0, 0)
  }

  /// The failed jobs of one kind.
  package typealias Failed = (kind: String, count: Int64, lastAt: String)

  /// The failed jobs by kind; at most 20 kinds.
  package static func failed(_ connection: borrowing Connection) throws -> [Failed] {
    try connection.rows(
      """
      SELECT kind, count(*), max(failed_at) FROM job WHERE failed_at IS NOT NULL
      GROUP BY kind ORDER BY kind LIMIT 20
      """
    ) { ($0.text(0), $0.int(1), $0.text(2)) }
  }

  package static func lastError(
    of kind: String, _ connection: borrowing Connection
  ) throws -> String? {
    try connection.text("SELECT last_error FROM job WHERE kind = ?", [.text(kind)])
  }

  /// The state of all jobs of one kind.
  package struct Standing: Sendable {
    package let kind: String
    /// The number of failed jobs.
    package let failed: Int64
    /// The due time of the next job.
    package let due: String?
    /// The maximum number of attempts of a waiting job.
    package let attempts: Int64
  }

  package static func standings(_ connection: borrowing Connection) throws -> [Standing] {
    try connection.rows(
      """
      SELECT kind, count(*) FILTER (WHERE failed_at IS NOT NULL),
        min(due_at) FILTER (WHERE failed_at IS NULL),
        max(attempts) FILTER (WHERE failed_at IS NULL)
      FROM job GROUP BY kind
      """
    ) {
      Standing(
        kind: $0.text(0), failed: $0.int(1), due: $0.optionalText(2),
        attempts: $0.optionalInt(3) ?? 0)
    }
  }
}
