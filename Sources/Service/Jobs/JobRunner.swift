import Foundation
internal import Locking
package import Logging
package import PrivacyMap
package import SpatialDatabase

/// Runs the jobs of the `job` table that are due, one after the other. A job is leased while it runs,
/// so that a job that was interrupted by a crash runs again after the restart.
package final class JobRunner: Sendable {
  /// Runs a job. An error is logged and the job is retried later, unless the error is a
  /// ``HopelessJob``.
  package typealias Work = @Sendable (_ payload: String) throws -> Void
  /// Cleans up after a job that has succeeded or is abandoned, in the same transaction.
  package typealias Cleanup = @Sendable (_ payload: String, Connection) throws -> Void

  /// The jobs that a thread runs: jobs of these kinds, or of all others.
  private struct Lane: Sendable {
    let kinds: [String]
    let isTheirs: Bool

    static let all = Lane(kinds: [], isTheirs: false)

    func contains(_ kind: String) -> Bool { kinds.contains(kind) == isTheirs }
  }

  /// The state of the last search for jobs.
  private struct Round {
    /// The time of the search in seconds since 1970; before the first search, the maximum.
    var now = Int64.max
    /// The database error that was logged last.
    var fault: String?
  }

  private let database: Database
  private let writer: GroupedWriter?
  private let environment: Environment
  private let logger: Logger
  private let works: [String: Work]
  private let apart: [String]
  private let cleanups: [String: Cleanup]
  private let repeated: [String: Duration]
  private let figures: JobFigures
  private let stopping: Stopping
  private let looks = JobLooks()
  private let round = Locked(Round())
  private let ended = DispatchSemaphore(value: 0)
  private let leases = JobLeases()

  /// The number of attempts after which a job is abandoned.
  private static let attempts: Int64 = 8
  /// The longest delay, in seconds, before a failed job is retried.
  private static let maxPause: Int64 = Seconds.day
  /// The longest delay, in seconds, before a failed job is retried that repeats more often.
  private static let maxRepeatedPause: Int64 = 300

  /// `works` run the jobs of each kind, and `cleanups` run at the end of one. Kinds that wait
  /// for other systems, such as a mail server, are in `apart` and get threads of their own. `repeated`
  /// kinds run again after the given time, forever, and are never given up. `figures` count the results
  /// of jobs. With a `writer`, the records of jobs share transactions with other writes. No job starts once
  /// `stopping` has begun.
  package init(
    database: Database, writer: GroupedWriter? = nil, environment: Environment, logger: Logger,
    works: [String: Work] = [:],
    apart: [String] = [], cleanups: [String: Cleanup] = [:], repeated: [String: Duration] = [:],
    figures: JobFigures = JobFigures(), stopping: Stopping = Stopping()
  ) {
    self.database = database
    self.writer = writer
    self.environment = environment
    self.logger = logger
    self.works = works
    self.apart = apart
    self.cleanups = cleanups
    self.repeated = repeated
    self.figures = figures
    self.stopping = stopping
    figures.expect(works.keys, repeated: repeated)
  }

  /// Starts the threads: one checks for due jobs every second, and the others run them.
  package func start() {
    // With PostgreSQL another server may be running them.
    do { if !database.isShared { try database.write(resume) } } catch {
      logger.error("interrupted jobs wait for their lease", metadata: ["error": "\(error)"])
    }
    leases.start(
      { [self] in renewing { try leases.renew(environment.now(), in: database) } },
      rows: { [self] in renewing { try leases.renewRows(in: database) } })
    looks.start { [self] in
      lookAround()
      do { return try dueKinds() } catch {
        logger.error("looking for jobs failed", metadata: ["error": "\(error)"])
        return nil
      }
    }
    start(Lane(kinds: apart, isTheirs: false), "jobs")
    for kind in apart { start(Lane(kinds: [kind], isTheirs: true), kind) }
  }

  private func renewing(_ renew: () throws -> Void) {
    do { try renew() } catch {
      logger.error("leases of jobs are not renewed", metadata: ["error": "\(error)"])
    }
  }

  private func start(_ lane: Lane, _ name: String) {
    NamedThread.start(name) { [self] in
      var count = 0
      while let next = looks.next(after: count, where: { $0.contains(where: lane.contains) }) {
        count = next
        do { try runAll(lane) } catch {
          logger.error("jobs are not run", metadata: ["error": "\(error)"])
        }
      }
      ended.signal()
    }
  }

  /// Runs before each search for jobs. Schedules the repeated jobs at the start and after the clock was
  /// set back, and logs a problem with the database file once.
  private func lookAround() {
    let now = environment.now().secondsSinceEpoch
    let last = round.withLock { $0.now }
    do {
      try database.confirmFile()
      if now < last { try scheduleRepeated() }
      let passed = round.withLock { round in
        defer { round = Round(now: now) }
        return round.fault
      }
      if let passed {
        logger.notice(
          "jobs run again; the earlier fault has passed", metadata: ["was": "\(passed)"])
      }
    } catch {
      let isNew = round.withLock { round in
        defer { round.fault = "\(error)" }
        return round.fault != "\(error)"
      }
      if isNew { logger.error("no job can be done", metadata: ["error": "\(error)"]) }
    }
  }

  /// Ensures that each repeated kind has one job, and that no job is scheduled by a clock that was
  /// ahead.
  package func scheduleRepeated() throws {
    let now = environment.now()
    try database.write { connection in
      for kind in repeated.keys.sorted() {
        try connection.execute(
          "INSERT INTO job (kind, key, due_at) VALUES (?1, ?1, ?2) ON CONFLICT (key) DO NOTHING",
          [.text(kind), .text(now.text)])
      }
      try dropImpossibleTimes(now, connection)
    }
  }

  private func dropImpossibleTimes(_ now: Timestamp, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE job SET leased_until = NULL WHERE leased_until > ?",
      [.text(JobLeases.end(from: now).text)])
    let pauses = repeated.mapValues { max($0.components.seconds, Self.maxPause) }
    for kind in Set(pauses.keys).union(apart).sorted() {
      let latest = now.after(pauses[kind] ?? Self.maxPause)
      try connection.execute(
        "UPDATE job SET due_at = ? WHERE failed_at IS NULL AND kind = ? AND due_at > ?",
        [.text(now.text), .text(kind), .text(latest.text)])
    }
  }

  /// Waits for the running jobs and starts no others. Call after ``start()``.
  package func stop() {
    stopping.begin()
    looks.stop()
    for _ in 0...apart.count { ended.wait() }
    leases.stop()
  }

  /// Runs the job that has been due for longest.
  ///
  /// - Returns: false when no job is due.
  package func runOne() throws -> Bool {
    guard let job = try first(of: .all) else { return false }
    _ = try run(job, then: nil)
    return true
  }

  /// Runs the due jobs of a lane.
  private func runAll(_ lane: Lane) throws {
    var next = stopping.hasBegun ? nil : try first(of: lane)
    while let job = next { next = try run(job, then: lane) }
  }

  private func first(of lane: Lane) throws -> Job? {
    let now = environment.now()
    let isDue = try database.read { try due(lane, now, $0) != nil }
    // The write waits for a sync to the disk, so it is only done if a job is due.
    return isDue ? try write { [self] in try take(lane, $0) } : nil
  }

  private func write<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T
  ) throws -> T {
    try writer?.write(orIn: database, body) ?? database.write(body)
  }

  /// Runs a job.
  ///
  /// - Returns: the next job of the lane. The transaction that records the end of this job also takes the next one, so
  ///   that a job costs one transaction.
  private func run(_ job: Job, then lane: Lane?) throws -> Job? {
    let started = ContinuousClock.now
    leases.hold(job.rowid, attempt: job.attempts)
    defer { leases.release(job.rowid) }
    var fault: (any Error)?
    do {
      guard let work = works[job.kind] else { throw UnknownJob(kind: job.kind) }
      try work(job.payload)
    } catch let error as Interrupted {
      fault = error
    } catch {
      fault = error
      figures.failed(job.kind, took: .now - started)
      logger.error("job \(job.kind) failed", metadata: ["error": "\(error)"])
    }
    let next = try write { [self, fault] connection -> Job? in
      if database.isShared { try leases.end(job.rowid, connection) }
      switch try attempts(of: job, connection) {
      case job.attempts:
        if fault is Interrupted {
          try giveBack(job, connection)
        } else if let fault {
          try putOff(job, because: fault, connection)
        } else {
          try finish(job, connection)
        }
      // It was scheduled again while it ran: what it did not see is done by another run.
      case 0: try release(job, connection)
      // A server that did not renew its lease in time has lost the job.
      default: logger.warning("job \(job.kind) ended after its lease")
      }
      guard let lane, !stopping.hasBegun else { return nil }
      return try take(lane, connection)
    }
    if fault == nil { figures.succeeded(job.kind, took: .now - started, at: environment.now()) }
    return next
  }

  private func attempts(of job: Job, _ connection: borrowing Connection) throws -> Int64? {
    try connection.integer("SELECT attempts FROM job WHERE rowid = ?", [.integer(job.rowid)])
  }

  private func release(_ job: Job, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE job SET leased_until = NULL WHERE rowid = ?", [.integer(job.rowid)])
  }

  private func finish(_ job: Job, _ connection: borrowing Connection) throws {
    guard let pause = repeated[job.kind] else {
      try cleanups[job.kind]?(job.payload, connection)
      return try connection.execute("DELETE FROM job WHERE rowid = ?", [.integer(job.rowid)])
    }
    let next = environment.now().after(pause.components.seconds)
    try connection.execute(
      """
      UPDATE job SET due_at = ?, leased_until = NULL, attempts = 0, last_error = NULL
      WHERE rowid = ?
      """, [.text(next.text), .integer(job.rowid)])
  }

  /// The kinds of the jobs that are due.
  private func dueKinds() throws -> Set<String> {
    let now = SQLValue.text(environment.now().text)
    return try database.readOnce { connection in
      Set(
        try connection.rows(
          """
          SELECT DISTINCT kind FROM job
          WHERE failed_at IS NULL AND due_at <= ? AND \(leases.isFree(in: database))
          """, [now, now]
        ) { $0.text(0) })
    }
  }

  /// The rowid of the job that has been due for longest.
  private func due(
    _ lane: Lane, _ now: Timestamp, _ connection: borrowing Connection
  ) throws -> Int64? {
    let kinds = "[" + lane.kinds.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    return try connection.integer(
      """
      SELECT rowid FROM job
      WHERE failed_at IS NULL AND due_at <= ? AND \(leases.isFree(in: database))
        AND (kind IN (SELECT value FROM json_each(?))) = ?
      ORDER BY due_at, rowid LIMIT 1
      """,
      [
        .text(now.text), .text(now.text), .text(kinds), .integer(lane.isTheirs ? 1 : 0),
      ])
  }

  private struct Job: Sendable {
    let rowid: Int64
    let kind, payload: String
    let attempts: Int64

    init(_ rowid: Int64, _ kind: String, _ payload: String, _ attempts: Int64) {
      (self.rowid, self.kind, self.payload, self.attempts) = (rowid, kind, payload, attempts)
    }
  }

  private func take(_ lane: Lane, _ connection: borrowing Connection) throws -> Job? {
    let now = environment.now()
    guard let rowid = try due(lane, now, connection) else { return nil }
    try connection.execute(
      "UPDATE job SET leased_until = ?, attempts = attempts + 1 WHERE rowid = ?",
      [.text(JobLeases.end(from: now).text), .integer(rowid)])
    let job = try connection.first(
      "SELECT rowid, kind, payload, attempts FROM job WHERE rowid = ?", [.integer(rowid)]
    ) { Job($0.int(0), $0.text(1), $0.text(2), $0.int(3)) }
    // Those that run apart wait for other systems, so a second server must not begin them soon.
    if let job, database.isShared, !apart.contains(job.kind) {
      try leases.begin(rowid, in: database, connection)
    }
    return job
  }

  /// Lets the jobs that a crash of this instance interrupted run again at once. A job that was interrupted repeatedly waits
  /// for its lease, because it may be the cause.
  private func resume(_ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE job SET leased_until = NULL WHERE leased_until IS NOT NULL AND attempts <= ?",
      [.integer(JobLeases.interruptions)])
  }

  /// Lets a job that did not end run again at once, after the next start or on another server.
  private func giveBack(_ job: Job, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE job SET leased_until = NULL, attempts = attempts - 1 WHERE rowid = ?",
      [.integer(job.rowid)])
  }

  /// Retries after 1, 4, 16, … minutes, at most a day, or ``maxRepeatedPause``. Gives up after eight attempts, or at once on a
  /// ``HopelessJob``.
  private func putOff(
    _ job: Job, because error: any Error, _ connection: borrowing Connection
  ) throws {
    let now = environment.now()
    let every = repeated[job.kind]?.components.seconds
    // Repeated work goes on soon after the fault has passed.
    let longest = every.map { max($0, Self.maxRepeatedPause) } ?? Self.maxPause
    let due = now.after(min(longest, 60 << (2 * min(job.attempts - 1, 6))))
    let isGivenUp =
      every == nil && (job.attempts >= Self.attempts || error is HopelessJob)
    let failedAt = isGivenUp ? now.text : nil
    if isGivenUp { try cleanups[job.kind]?(job.payload, connection) }
    try connection.execute(
      """
      UPDATE job SET due_at = ?, leased_until = NULL, last_error = ?, failed_at = ?
      WHERE rowid = ?
      """, [.text(due.text), .text("\(error)"), SQLValue(failedAt), .integer(job.rowid)])
  }

  /// Schedules a job. A key that is already scheduled is not scheduled again, unless its job runs now, which may not see
  /// what it is scheduled for any more, or was given up.
  package static func schedule(
    _ kind: String, payload: String = "{}", key: String? = nil, due: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO job (kind, key, payload, due_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET payload = excluded.payload, due_at = excluded.due_at,
        attempts = 0, failed_at = NULL, last_error = NULL
      WHERE job.leased_until IS NOT NULL OR job.failed_at IS NOT NULL
      """, [.text(kind), SQLValue(key), .text(payload), .text(due.text)])
  }
}

/// An error that every retry of the job would repeat.
package struct HopelessJob: Error, CustomStringConvertible {
  package let reason: String
  package var description: String { reason }

  package init(reason: String) { self.reason = reason }
}

/// A job of a kind without a handler.
struct UnknownJob: Error, CustomStringConvertible {
  let kind: String
  var description: String { "there is no handler for jobs of the kind “\(kind)”" }
}

extension Timestamp {
  /// The time `seconds` later.
  fileprivate func after(_ seconds: Int64) -> Timestamp {
    Timestamp(secondsSinceEpoch: secondsSinceEpoch + seconds)
  }
}
