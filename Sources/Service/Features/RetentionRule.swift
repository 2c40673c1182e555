package import PrivacyMap
package import SpatialDatabase

/// The retention period of one kind of personal data, and the job that erases it.
///
/// `public/terms/stored.json` states the same periods to users; a test compares the two.
package struct RetentionRule: Sendable {
  /// A length of time, in the unit stated to users.
  package enum Period: Equatable, Sendable {
    case hours(Int64), days(Int64), years(Int64)
  }

  /// The code of the rule, such as `session_idle`.
  package let code: String
  /// The entry of `public/terms/stored.json` that states the rule to users.
  package let entry: String
  /// The data and its purpose.
  package let what: String
  package let why: String
  package let period: Period
  /// The kind of the job that erases it.
  package let job: String
  /// SQL that counts the rows past their retention period; `?1` is the time computed by ``limit``.
  package let due: String
  package let limit: Limit
  /// SQL that deletes the rows of ``due``, if the job only deletes them.
  package let deletion: String?

  package init(
    code: String, entry: String, what: String, why: String, period: Period, job: String,
    due: String, deletion: String? = nil, limit: Limit
  ) {
    self.code = code
    self.entry = entry
    self.what = what
    self.why = why
    self.period = period
    self.job = job
    self.due = due
    self.deletion = deletion
    self.limit = limit
  }

  /// A rule for rows that are deleted as soon as they meet a condition, in which `?1` is the time of ``limit``.
  package static func rows(
    of table: String, where condition: String, code: String, entry: String, what: String,
    why: String, period: Period, job: String, limit: Limit
  ) -> RetentionRule {
    RetentionRule(
      code: code, entry: entry, what: what, why: why, period: period, job: job,
      due: "SELECT count(*) FROM \(table) WHERE \(condition)",
      deletion: "DELETE FROM \(table) WHERE \(condition)", limit: limit)
  }

  /// The time that rows are compared with.
  package enum Limit: Sendable {
    /// The rows contain their end.
    case now
    case today
    /// The rows contain their start: this many seconds ago.
    case ago(Int64)
    /// This many days ago, in whole days.
    case daysAgo(Int32)

    func text(at now: Timestamp) -> String {
      switch self {
      case .now: now.text
      case .today: now.day.text
      case .ago(let seconds):
        now.later(-seconds).text
      case .daysAgo(let days): Day(daysSinceEpoch: now.day.daysSinceEpoch - days).text
      }
    }
  }

  /// Deletes the rows past their retention period, if the rule has a statement for it.
  package func delete(at now: Timestamp, _ connection: borrowing Connection) throws {
    if let deletion { try connection.execute(deletion, [.text(limit.text(at: now))]) }
  }

  /// The number of rows past their retention period.
  package func count(at now: Timestamp, _ connection: borrowing Connection) throws -> Int64 {
    try connection.integer(due, [.text(limit.text(at: now))]) ?? 0
  }
}
