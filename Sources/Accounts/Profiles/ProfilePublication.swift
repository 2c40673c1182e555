import PrivacyMap
import Service
import SpatialDatabase

/// Publishes the counts on public profiles once a day, for all people at once (docs/explanation/claims.md).
///
/// Verdicts are not among them, because public data never names the author of one.
package struct ProfilePublication: Sendable {
  /// The kind of job.
  static let job = "publish_profiles"
  static let every = Duration.seconds(3_600)

  let database: Database
  let environment: Environment
  let counts: [PersonCount]
  private var store: ProfileStore { ProfileStore() }

  func run() throws {
    let today = environment.now().day
    guard try database.read({ try Publication.isDue(.profiles, today, $0) }) else { return }
    for counted in counts {
      guard let count = ProfileCount(rawValue: counted.name) else { continue }
      let current = try database.read(limit: .after(.seconds(60))) {
        try store.current(counted, $0)
      }
      try database.write { try publish(count, current, $0) }
    }
    try database.write { try Publication.note(.profiles, today, $0) }
  }

  private func publish(
    _ count: ProfileCount, _ current: [Int64: Int64], _ connection: borrowing Connection
  ) throws {
    let published = try store.published(count, connection)
    let changed = Set(current.keys).union(published.keys).filter {
      current[$0] ?? 0 != published[$0] ?? 0
    }
    for account in changed.sorted() {
      try store.publish(count, as: current[account] ?? 0, of: account, connection)
    }
  }
}
