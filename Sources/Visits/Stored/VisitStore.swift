import Devices
import PrivacyMap
import Service
import SpatialDatabase

/// The table `visit_request`.
struct VisitStore: Sendable {
  let environment: Environment

  static let notThere = NotFound(Message("error.not_found.visit"))

  var now: Timestamp { environment.now() }

  func one(_ id: String, _ connection: borrowing Connection) throws -> StoredVisit {
    let found = try connection.first(
      "SELECT \(StoredVisit.columns) FROM visit_request WHERE id = ?", [.text(id)],
      decode: StoredVisit.init)
    guard let found else { throw Self.notThere }
    return found
  }

  func one(row: Int64, _ connection: borrowing Connection) throws -> StoredVisit? {
    try connection.first(
      "SELECT \(StoredVisit.columns) FROM visit_request WHERE rowid = ?", [.integer(row)],
      decode: StoredVisit.init)
  }

  /// The request about a device that has not ended.
  func open(about device: Int64, _ connection: borrowing Connection) throws -> StoredVisit? {
    try connection.first(
      "SELECT \(StoredVisit.columns) FROM visit_request WHERE device_rowid = ? AND closed_at IS NULL",
      [.integer(device)], decode: StoredVisit.init)
  }

  func device(_ row: Int64?, _ connection: borrowing Connection) throws -> VisitedDevice? {
    guard let row else { return nil }
    return try connection.first(
      "SELECT \(VisitedDevice.columns) FROM \(DeviceStore.tables) WHERE device.rowid = ?",
      [.integer(row)], decode: VisitedDevice.init)
  }

  /// The requests of an account, latest first: either the requests that it made, or its current and former visits.
  func requests(
    _ side: Side, _ account: Int64, onlyOpen: Bool = false, limit: Int,
    _ connection: borrowing Connection
  ) throws -> [StoredVisit] {
    try connection.rows(
      """
      SELECT \(StoredVisit.columns) FROM visit_request WHERE \(side.rawValue) = ?
        \(onlyOpen ? "AND closed_at IS NULL" : "")
      ORDER BY rowid DESC LIMIT ?
      """, [.integer(account), SQLValue(limit)], decode: StoredVisit.init)
  }

  enum Side: String { case asker = "asker_rowid", visitor = "visitor_rowid" }

  /// The number of requests of an account that have not ended.
  func openCount(
    _ side: Side, _ account: Int64, _ connection: borrowing Connection
  ) throws -> Int {
    Int(
      try connection.integer(
        "SELECT count(*) FROM visit_request WHERE \(side.rawValue) = ? AND closed_at IS NULL",
        [.integer(account)]) ?? 0)
  }

  /// The time of the last visit to a device.
  func lastVisit(to device: Int64, _ connection: borrowing Connection) throws -> Timestamp? {
    try connection.text(
      """
      SELECT max(closed_at) FROM visit_request
      WHERE device_rowid = ? AND closed_at IS NOT NULL AND state = 'done'
      """, [.integer(device)]
    ).flatMap { Timestamp(text: $0) }
  }

  /// Adds a request that waits for a volunteer.
  func add(
    about device: VisitedDevice, _ reason: VisitReason, by asker: Int64?,
    _ connection: borrowing Connection
  ) throws -> StoredVisit {
    // Public lists show the day.
    let id = environment.newID(madeAt: Timestamp(startOf: now.day)).text
    try connection.execute(
      """
      INSERT INTO visit_request (id, device_rowid, device_id, reason, asker_rowid, cell_row, state, asked_at,
        state_at, due_at)
      VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?, ?, ?)
      """,
      [
        .text(id), .integer(device.rowid), .text(device.id), .text(reason.rawValue),
        SQLValue(asker),
        SQLValue(VisitCell(device.place).row), .text(now.text), .text(now.text), .text(now.text),
      ])
    return try one(id, connection)
  }

  /// The columns that change with the state of a request.
  struct Change: Sendable {
    var dueAt: Timestamp?
    var visitor: Int64?
    var plannedFor: Timestamp?
    var outcome: VisitOutcome?
    var end: VisitEnd?
  }

  /// Stores the next state of a request.
  func put(
    _ state: VisitState, _ change: Change, of visit: StoredVisit, _ connection: borrowing Connection
  ) throws {
    let opened = state == .open ? visit.openedAt ?? now : visit.openedAt
    let offers = visit.offers + (state == .offered ? 1 : 0)
    try connection.execute(
      """
      UPDATE visit_request SET state = ?, state_at = ?, due_at = ?, visitor_rowid = ?,
        planned_for = ?, reminded_at = NULL, opened_at = ?, offers = ?, outcome = ?, closed_at = ?,
        closed_because = ?
      WHERE rowid = ?
      """,
      [
        .text(state.rawValue), .text(now.text), SQLValue(state.isOver ? nil : change.dueAt?.text),
        SQLValue(change.visitor), SQLValue(change.plannedFor?.text), SQLValue(opened?.text),
        .integer(offers), SQLValue(change.outcome?.rawValue),
        SQLValue(state.isOver ? now.text : nil), SQLValue(change.end?.rawValue),
        .integer(visit.rowid),
      ])
  }

  /// The requests that are due for a check, the longest wait first.
  static let dueQuery = """
    SELECT rowid FROM visit_request WHERE closed_at IS NULL AND due_at <= ?
    ORDER BY due_at, rowid LIMIT ?
    """

  func due(limit: Int, _ connection: borrowing Connection) throws -> [Int64] {
    try connection.rows(Self.dueQuery, [.text(now.text), SQLValue(limit)]) { $0.int(0) }
  }

  /// Schedules the next check of a request.
  func look(at visit: StoredVisit, _ due: Timestamp, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE visit_request SET due_at = ? WHERE rowid = ?",
      [.text(due.text), .integer(visit.rowid)])
  }

  func noteReminder(
    of visit: StoredVisit, next due: Timestamp, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE visit_request SET reminded_at = ?, due_at = ? WHERE rowid = ?",
      [.text(now.text), .text(due.text), .integer(visit.rowid)])
  }

  /// Schedules an early check of the requests for which a new volunteer may be available, the oldest 20 first.
  func wake(rows: ClosedRange<Int>, _ connection: borrowing Connection) throws {
    try connection.execute(
      """
      UPDATE visit_request SET due_at = ?1 WHERE rowid IN (
        SELECT rowid FROM visit_request WHERE state IN ('waiting', 'open') AND due_at > ?1
          AND cell_row BETWEEN ?2 AND ?3 ORDER BY rowid LIMIT 20)
      """, [.text(now.text), SQLValue(rows.lowerBound), SQLValue(rows.upperBound)])
  }

  /// Brings times back that a clock that was ahead has set.
  func dropImpossibleTimes(answer: Int64, _ connection: borrowing Connection) throws {
    let limits: [(states: String, seconds: Int64)] = [
      ("'waiting', 'open'", VisitRules.maxPause), ("'offered'", answer),
      ("'accepted'", VisitRules.visit),
    ]
    for (states, seconds) in limits {
      let latest = now.later(seconds)
      try connection.execute(
        """
        UPDATE visit_request SET due_at = ?1
        WHERE closed_at IS NULL AND due_at > ?1 AND state IN (\(states))
        """, [.text(latest.text)])
    }
    try connection.execute(
      "UPDATE visit_offer SET ends_at = ?1 WHERE state = 'pending' AND ends_at > ?1",
      [.text(now.later(answer).text)])
  }
}
