import Devices
import Locking
import Logging
import PrivacyMap
import SpatialDatabase

/// Advances the requests for visits: finds volunteers, ends unanswered offers, sends reminders of planned visits,
/// returns missed visits to the queue, and closes requests whose device is gone.
///
/// It runs as a job with a lease, every minute and right after each change. A search reads outside the transaction that
/// makes the offer; that transaction repeats every check, so two servers that run it never offer a request twice.
final class VisitClock: Sendable {
  /// The kind of the job that runs every minute.
  static let job = "visits"
  static let every = Duration.seconds(60)
  /// The kind of the job that a change schedules.
  static let soon = "visits_soon"
  /// Requests read at a time, and the maximum number checked in one run.
  private static let portion = 50
  private static let maximum = 5_000
  /// Searches for one request in a run.
  private static let attempts = 5

  let database: Database
  let environment: Environment
  let workflow: VisitWorkflow
  let finder: VisitFinder
  private let logger: Logger
  /// The time of the last run. A clock that was set back makes later times impossible.
  private let last = Locked<Timestamp?>(nil)

  init(
    database: Database, environment: Environment, workflow: VisitWorkflow, finder: VisitFinder,
    logger: Logger
  ) {
    (self.database, self.environment, self.workflow, self.finder) = (
      database, environment, workflow, finder
    )
    self.logger = logger
  }

  private var now: Timestamp { environment.now() }
  private var store: VisitStore { workflow.store }

  /// Runs every minute.
  func run() throws {
    let now = now
    let isBack = last.withLock { last in
      defer { last = now }
      return last.map { now < $0 } ?? true
    }
    if isBack {
      try database.write { try store.dropImpossibleTimes(answer: workflow.answer, $0) }
    }
    try renewWindows(everyone: isBack)
    try closeWithoutDevice()
    try work()
    if try finder.run() > 0 { try work() }
  }

  /// Looks at all requests that are due.
  func work() throws {
    var count = 0
    while count < Self.maximum {
      let due = try database.read { try store.due(limit: Self.portion, $0) }
      guard !due.isEmpty else { return }
      for row in due {
        do { try look(at: row) } catch { try putOff(row, because: error) }
      }
      count += due.count
    }
  }

  /// Looks later at a request that fails, such as one whose search takes too long, so that the others go on.
  ///
  /// - Throws: faults of the database.
  private func putOff(_ row: Int64, because error: any Error) throws {
    guard (error as? DatabaseFault)?.isOfStatement ?? true else { throw error }
    let id = try database.write { connection -> String? in
      guard let visit = try store.one(row: row, connection), !visit.state.isOver else { return nil }
      try store.look(at: visit, now.later(VisitRules.maxPause), connection)
      return visit.id
    }
    logger.error(
      "a request for a visit was put off", metadata: ["visit": "\(id ?? "–")", "error": "\(error)"])
  }

  private func look(at row: Int64) throws {
    guard let visit = try database.read({ try store.one(row: row, $0) }) else { return }
    switch visit.state {
    case .waiting, .open:
      // If another request came first, the search is repeated.
      for _ in 0..<Self.attempts {
        if try dispatch(visit) { return }
      }
    case .offered, .accepted, .planned: try database.write { try settle(row, $0) }
    case .done, .closed: return
    }
  }

  /// Handles a due request that has a pending offer or an accepted visit.
  private func settle(_ row: Int64, _ connection: borrowing Connection) throws {
    guard let visit = try store.one(row: row, connection), let due = visit.dueAt, due <= now else {
      return
    }
    if let end = try workflow.obstacle(visit, connection) {
      return try workflow.close(visit, end, connection)
    }
    switch visit.state {
    case .offered: try workflow.lapse(visit, connection)
    case .planned:
      guard let planned = visit.plannedFor, now < planned.later(VisitRules.grace) else {
        return try workflow.giveBack(visit, .missed, connection)
      }
      let device = try store.device(visit.device, connection)
      if !visit.isReminded, now < planned, let device {
        try workflow.mails?.remind(visit, about: device, connection)
      }
      try store.noteReminder(of: visit, next: planned.later(VisitRules.grace), connection)
    case .accepted: try workflow.giveBack(visit, .missed, connection)
    case .waiting, .open, .done, .closed: return
    }
  }

  /// Offers a request to the next volunteer.
  ///
  /// - Returns: false if the volunteer found can no longer get the offer. The request is due again after a second.
  private func dispatch(_ visit: StoredVisit) throws -> Bool {
    let choice = try database.read(limit: .after(.seconds(5))) {
      connection -> VisitDispatch.Choice? in
      guard let device = try workflow.presentDevice(of: visit, connection) else { return nil }
      return try VisitDispatch.next(
        for: VisitCall(place: device.place, kind: device.category),
        in: StoredQueues(connection: connection, visit: visit, author: device.author, now: now),
        at: now)
    }
    return try database.write { try settle(visit.rowid, choice, $0) }
  }

  /// Applies the result of a search, unless the request has changed since.
  private func settle(
    _ row: Int64, _ choice: VisitDispatch.Choice?, _ connection: borrowing Connection
  ) throws -> Bool {
    guard let visit = try store.one(row: row, connection),
      [.waiting, .open].contains(visit.state)
    else { return true }
    if let end = try workflow.obstacle(visit, connection) {
      try workflow.close(visit, end, connection)
      return true
    }
    guard now < visit.askedAt.later(VisitRules.life) else {
      try workflow.close(visit, .expired, connection)
      return true
    }
    switch choice {
    case .volunteer(let candidate):
      if try workflow.offer(row, to: candidate.account, connection) { return true }
      try store.look(at: visit, now.later(1), connection)
      return false
    case .later(let time):
      let isOver = visit.openedAt != nil || now >= visit.askedAt.later(VisitRules.wait)
      try rest(visit, isOver: isOver, until: time, connection)
    case .nobody:
      try rest(visit, isOver: true, until: now.later(VisitRules.maxPause), connection)
    case nil: try store.look(at: visit, now.later(VisitRules.minPause), connection)
    }
    return true
  }

  /// Schedules the next check of a request without a volunteer, and opens it to everyone if `isOver`.
  private func rest(
    _ visit: StoredVisit, isOver: Bool, until time: Timestamp?, _ connection: borrowing Connection
  ) throws {
    let earliest = now.later(VisitRules.minPause)
    let due = min(max(time ?? earliest, earliest), now.later(VisitRules.maxPause))
    if isOver, visit.state == .waiting {
      try workflow.open(visit, next: due, connection)
    } else {
      try store.look(at: visit, due, connection)
    }
  }

  /// Computes the next availability window of volunteers whose previous window has passed.
  private func renewWindows(everyone: Bool) throws {
    var last: Int64 = 0
    while true {
      let found = try database.read {
        try workflow.volunteers.windows(everyone: everyone, after: last, limit: 200, $0)
      }
      guard let end = found.last?.account else { return }
      last = end
      try database.writeInTurns(found) { volunteer, connection in
        try workflow.volunteers.put(volunteer.window, of: volunteer.account, connection)
        try workflow.wake(for: volunteer.account, connection)
      }
    }
  }

  static let lostQuery = """
    SELECT visit_request.rowid FROM visit_request
    LEFT JOIN device ON device.rowid = visit_request.device_rowid
    LEFT JOIN operator ON operator.rowid = device.operator_rowid
    WHERE visit_request.closed_at IS NULL AND visit_request.due_at > '' AND (device.rowid IS NULL OR device.hidden <> 0
      OR \(DeviceNeed.isInHome))
    LIMIT ?
    """

  /// Closes the requests about devices that were deleted, merged or hidden.
  private func closeWithoutDevice() throws {
    let lost = try database.read(limit: .after(.seconds(10))) {
      try $0.rows(Self.lostQuery, [SQLValue(Self.maximum)]) { $0.int(0) }
    }
    try database.writeInTurns(lost) { row, connection in
      guard let visit = try store.one(row: row, connection), !visit.state.isOver,
        let end = try workflow.obstacle(visit, connection)
      else { return }
      try workflow.close(visit, end, connection)
    }
  }
}
