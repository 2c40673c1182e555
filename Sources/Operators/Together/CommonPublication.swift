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
      for request in due { try database.write { try publish(request, on: now, $0) } }
      (last, count) = (end.rowid, count + due.count)
    }
    count += try database.write { try store.erasePast($0) }
    if count > 0 { publicChanges.changed() }
  }

  private func publish(
    _ request: CommonRequest, on now: Timestamp, _ connection: borrowing Connection
  ) throws {
    // An account takes part once, so each standing belongs to another person.
    let standings = try store.choices(in: request, connection).compactMap {
      try OutcomeRequests.standing(ofChoice: $0, now: now, connection)
    }
    let counts = CommonCounts(of: request, with: standings)
    let due =
      request.dueOn == nil && counts.people.step != nil
      ? choices.lastDay(of: request.period, from: now.day, in: request.country) : nil
    try store.publish(request, counts, on: now.day, due: due, connection)
    try PublicChanges.note(connection, at: now)
  }
}
