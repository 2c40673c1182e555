import PrivacyMap
import Service
import SpatialDatabase

/// Erases the settings of volunteers who have not used them for a year, and the people of requests that ended three
/// months ago; publishes the figures. Runs every hour.
struct VisitSweep: Sendable {
  /// The kind of job.
  static let job = "visits_sweep"
  static let every = Duration.seconds(3_600)
  /// The seconds without a change, an answer or a report after which the settings of a volunteer are erased.
  static let life: Int64 = Seconds.days(365)
  /// The seconds after the end of a request after which it names no people.
  static let memory: Int64 = Seconds.days(90)
  /// Rows in a transaction, so that other writes do not wait long.
  private static let portion = 200

  let database: Database
  let environment: Environment
  let workflow: VisitWorkflow

  private func ago(_ seconds: Int64) -> SQLValue { .text(environment.now().later(-seconds).text) }

  func run() throws {
    while try database.write(endVolunteers) == Self.portion {}
    while try database.write(forgetOffers) == Self.portion {}
    while try database.write(forgetPeople) == Self.portion {}
    try database.write { try VisitFigures(environment: environment).publish($0) }
  }

  private func endVolunteers(_ connection: borrowing Connection) throws -> Int {
    let over = try connection.rows(
      "SELECT account_rowid, id FROM visit_volunteer WHERE renewed_at <= ? LIMIT ?",
      [ago(Self.life), SQLValue(Self.portion)]
    ) { ($0.int(0), $0.text(1)) }
    for (account, _) in over {
      try workflow.leave(account, connection)
      try workflow.volunteers.delete(account, connection)
    }
    try ErasureList.note(.volunteer, over.map(\.1), at: environment.now(), connection)
    return over.count
  }

  /// An offer ends at most a month before its request, so requests that still run keep theirs.
  private func forgetOffers(_ connection: borrowing Connection) throws -> Int {
    try connection.execute(
      """
      DELETE FROM visit_offer WHERE rowid IN (
        SELECT visit_offer.rowid FROM visit_offer
        JOIN visit_request ON visit_request.rowid = visit_offer.request_rowid
        WHERE visit_request.closed_at <= ? LIMIT ?)
      """, [ago(Self.memory), SQLValue(Self.portion)])
    return connection.changedRowCount
  }

  private func forgetPeople(_ connection: borrowing Connection) throws -> Int {
    try connection.execute(
      """
      UPDATE visit_request SET asker_rowid = NULL, visitor_rowid = NULL WHERE rowid IN (
        SELECT rowid FROM visit_request WHERE closed_at <= ?
          AND (asker_rowid IS NOT NULL OR visitor_rowid IS NOT NULL) LIMIT ?)
      """, [ago(Self.memory), SQLValue(Self.portion)])
    return connection.changedRowCount
  }
}
