import Accounts
import PrivacyMap
import Rights
import Service
import SpatialDatabase

/// Counts the people of common requests on Mondays, all at once, and erases requests past their time.
struct CommonPublication: Sendable {
  static let job = "publish_common_requests"
  static let every = Duration.seconds(3_600)

  let database: Database
  let store: CommonRequestStore
  let choices: Choices
  let publicChanges: PublicChanges

  private var environment: Environment { store.environment }

  func run() throws {
    let now = environment.now()
    // Nothing changes in between, so that a number does not reveal who came in the last hours.
    let monday = Publication.monday(now.day)
    var (last, count) = (Int64(0), 0)
    while true {
      let due = try database.read { connection in
        try store.requests(
          CommonRequestStore.toCount, [.text(monday.text), .integer(last)], connection)
      }
      guard let end = due.last else { break }
      for request in due {
        // Reading takes longer than writing, so it comes before.
        let counts = CommonCounts(of: request, with: try standings(in: request, on: now))
        try database.write { try publish(request, counts, on: now, $0) }
      }
      (last, count) = (end.rowid, count + due.count)
    }
    var isPart = true
    while isPart {
      let portion = try database.write { try store.erasePast($0) }
      (count, isPart) = (count + portion.erased, portion.isPart)
    }
    if count > 0 { publicChanges.changed() }
  }

  /// The people that a read counts, so that no connection is occupied for long.
  private static let portion = 500

  /// The standings of the requests that count. An account takes part once, so each belongs to another person.
  private func standings(in request: CommonRequest, on now: Timestamp) throws -> [OutcomeStanding] {
    var standings: [OutcomeStanding] = []
    var last: Int64? = 0
    while let account = last {
      last = try database.read { connection in
        let choices = try store.choices(
          in: request, after: account, limit: Self.portion, connection)
        for (_, choice) in choices {
          if let found = try OutcomeRequests.standing(ofChoice: choice, now: now, connection) {
            standings.append(found)
          }
        }
        return choices.count == Self.portion ? choices.last?.account : nil
      }
    }
    return standings
  }

  private func publish(
    _ request: CommonRequest, _ counts: CommonCounts, on now: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    let due =
      request.dueOn == nil && counts.people.step != nil
      ? choices.lastDay(of: request.period, from: now.day, in: request.country) : nil
    guard try store.publish(request, counts, on: now.day, due: due, connection) else { return }
    try PublicChanges.note(connection, at: now)
  }
}
