/// A calendar interval in UTC.
package enum CalendarInterval: String, CaseIterable, Sendable {
  case day
  /// From Monday through Sunday (ISO 8601).
  case week
  case month, year

  /// The first day of the interval that contains `day`.
  package func start(of day: Day) -> Day {
    switch self {
    case .day: return day
    case .week:
      // 1970-01-01 was a Thursday, so the Monday before it is day −3.
      let sinceMonday = (Int(day.daysSinceEpoch) + 3) % 7
      let back = sinceMonday < 0 ? sinceMonday + 7 : sinceMonday
      return Day(daysSinceEpoch: day.daysSinceEpoch - Int32(back))
    case .month:
      let (year, month, _) = day.parts
      return Day(year: year, month: month, day: 1) ?? day
    case .year:
      let (year, _, _) = day.parts
      return Day(year: year, month: 1, day: 1) ?? day
    }
  }

  /// The first day of the interval `count` after the one that begins on `start`. A negative `count`
  /// goes back.
  package func start(_ count: Int, after start: Day) -> Day {
    switch self {
    case .day: Day(daysSinceEpoch: start.daysSinceEpoch + Int32(clamping: count))
    case .week: Day(daysSinceEpoch: start.daysSinceEpoch + Int32(clamping: count * 7))
    case .month: start.adding(months: count)
    case .year: start.adding(months: count * 12)
    }
  }
}
