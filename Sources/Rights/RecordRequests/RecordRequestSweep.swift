import PrivacyMap
import SpatialDatabase

/// Expires requests after thirty days without an answer and grants after their last day, notifies the
/// people concerned, and deletes requests that ended long ago.
package struct RecordRequestSweep: Sendable {
  /// The kind of job.
  package static let job = "data_requests"
  static let every = Duration.seconds(3_600)
  /// Retention of ended requests in seconds, so that both sides can look it up.
  package static let memory: Int64 = Seconds.days(365)
  private static let portion: Int64 = 100

  let requests: RecordRequests

  func run() throws {
    let now = requests.now
    try settle(RecordRequestStore.lapsing, now.text) { request, connection in
      try requests.store.set(.lapsed, request, connection)
      try requests.mails.tell(.lapsed, request.asker, about: request.asked, connection)
    }
    try settle(RecordRequestStore.ending, now.day.text) { request, connection in
      try requests.store.set(.ended, request, connection)
      try requests.mails.tell(.ended, request.asker, about: request.asked, connection)
      try requests.mails.tell(.ended, request.asked, about: request.asker, connection)
    }
    let limit = now.later(-Self.memory)
    try requests.database.write { connection in
      try requests.store.erase(endedBefore: limit, connection)
    }
  }

  /// Runs `body` for each matching request, in portions, so that other writes do not wait long.
  private func settle(
    _ sql: String, _ limit: String, _ body: (RecordRequest, Connection) throws -> Void
  ) throws {
    var count: Int64
    repeat {
      count = try requests.database.write { connection in
        let due = try requests.store.requests(
          found: sql, by: limit, limit: Self.portion, connection)
        for request in due { try body(request, connection) }
        return Int64(due.count)
      }
    } while count == Self.portion
  }
}
