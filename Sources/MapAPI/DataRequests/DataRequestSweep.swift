import PrivacyMap
import SpatialDatabase

/// Expires requests after thirty days without an answer and grants after their last day, notifies the
/// people concerned, and deletes requests that ended long ago.
struct DataRequestSweep: Sendable {
  /// The kind of job.
  static let job = "data_requests"
  static let every = Duration.seconds(3_600)
  /// Retention of ended requests in seconds, so that both sides can look it up.
  static let memory: Int64 = 365 * 86_400
  private static let portion: Int64 = 100

  let requests: DataRequests

  static let lapsing = """
    SELECT \(DataRequest.columns) FROM data_request \(DataRequest.joins)
    WHERE data_request.state = 'waiting' AND data_request.lapses_at <= ? LIMIT ?
    """
  static let ending = """
    SELECT \(DataRequest.columns) FROM data_request \(DataRequest.joins)
    WHERE data_request.state = 'accepted' AND data_request.granted_until < ? LIMIT ?
    """

  func run() throws {
    let now = requests.now
    try settle(Self.lapsing, now.text) { request, connection in
      try requests.set(.lapsed, request, connection)
      try requests.mails.tell(.lapsed, request.asker, about: request.asked, connection)
    }
    try settle(Self.ending, now.day.text) { request, connection in
      try requests.set(.ended, request, connection)
      try requests.mails.tell(.ended, request.asker, about: request.asked, connection)
      try requests.mails.tell(.ended, request.asked, about: request.asker, connection)
    }
    let limit = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch - Self.memory)
    try requests.database.write { connection in
      try connection.execute(
        "DELETE FROM data_request WHERE ended_at <= ?", [.text(limit.text)])
    }
  }

  /// Runs `body` for each matching request, in portions, so that other writes do not wait long.
  private func settle(
    _ sql: String, _ limit: String, _ body: (DataRequest, Connection) throws -> Void
  ) throws {
    var count: Int64
    repeat {
      count = try requests.database.write { connection in
        let due = try connection.rows(sql, [.text(limit), .integer(Self.portion)]) {
          DataRequest($0)
        }
        for request in due { try body(request, connection) }
        return Int64(due.count)
      }
    } while count == Self.portion
  }
}

/// Notifies the other sides of a deleted account that their requests and grants end.
struct DataRequestFarewell {
  let mails: DataRequestMails

  func tell(_ account: Int64, _ connection: borrowing Connection) throws {
    let running = try connection.rows(
      """
      SELECT \(DataRequest.columns) FROM data_request \(DataRequest.joins)
      WHERE data_request.state IN ('waiting', 'accepted')
        AND (data_request.asker_rowid = ?1 OR data_request.asked_rowid = ?1)
      """, [.integer(account)]
    ) { DataRequest($0) }
    for request in running {
      let reader = request.asker?.rowid == account ? request.asked : request.asker
      // Omit the name of the deleted account, because the mail may stay in the queue.
      try mails.tell(.ended, reader, about: nil, connection)
    }
  }
}
