import PrivacyMap
import SpatialDatabase

/// How long something personal is kept, and what erases it then.
///
/// `public/terms/stored.json` promises the same to people; a test compares the two.
package struct RetentionRule: Sendable {
  /// A length of time, in the unit that the promise is made in.
  package enum Period: Equatable, Sendable {
    case hours(Int64), days(Int64), years(Int64)

    package var seconds: Int64 {
      switch self {
      case .hours(let count): count * 3_600
      case .days(let count): count * 86_400
      case .years(let count): count * 365 * 86_400
      }
    }
  }

  /// What it is called: `session_idle`.
  package let code: String
  /// The entry of `public/terms/stored.json` that says so to people.
  package let entry: String
  /// What is kept, and what for.
  package let what: String
  package let why: String
  package let period: Period
  /// The kind of the job that erases it.
  package let job: String
  /// Counts what should be gone at a moment, which is `?1` as ``limit`` says it.
  let due: String
  let limit: Limit

  /// What a moment is compared with.
  enum Limit: Sendable {
    /// The rows say when they end.
    case now
    case today
    /// The rows say when they began: so many seconds ago.
    case ago(Int64)
    /// So many days ago, by the day.
    case daysAgo(Int32)

    func text(at now: Timestamp) -> String {
      switch self {
      case .now: now.text
      case .today: now.day.text
      case .ago(let seconds):
        Timestamp(secondsSinceEpoch: now.secondsSinceEpoch - seconds).text
      case .daysAgo(let days): Day(daysSinceEpoch: now.day.daysSinceEpoch - days).text
      }
    }
  }

  /// How much of it should be gone.
  func count(at now: Timestamp, _ connection: borrowing Connection) throws -> Int64 {
    try connection.integer(due, [.text(limit.text(at: now))]) ?? 0
  }
}
