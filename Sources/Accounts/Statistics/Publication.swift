package import PrivacyMap
package import SpatialDatabase

/// The table `publication`: the day of the last publication of each kind of figure.
package enum Publication: String {
  case outcomes, people, profiles

  /// Seconds after which new accounts and choices count in published figures.
  package static let delay: Int64 = Seconds.day

  /// Whether a new publication is due. This depends only on the calendar.
  ///
  /// Profiles are published daily and figures about people on Mondays, at the first run after midnight
  /// (UTC). Figures that were never published are due at once.
  package static func isDue(
    _ kind: Publication, _ today: Day, _ connection: borrowing Connection
  ) throws -> Bool {
    let last = try connection.text(
      "SELECT day FROM publication WHERE kind = ?", [.text(kind.rawValue)])
    let began = kind == .profiles ? today : monday(today)
    return last.map { $0 < began.text } ?? true
  }

  /// The latest Monday up to and including `day`; 1970-01-05 was a Monday.
  package static func monday(_ day: Day) -> Day {
    let after = (day.daysSinceEpoch - 4) % 7
    return Day(daysSinceEpoch: day.daysSinceEpoch - (after < 0 ? after + 7 : after))
  }

  package static func note(
    _ kind: Publication, _ today: Day, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO publication (kind, day) VALUES (?, ?)
      ON CONFLICT (kind) DO UPDATE SET day = excluded.day
      """, [.text(kind.rawValue), .text(today.text)])
  }
}
