import Foundation
package import PrivacyMap

/// The availability of a volunteer: until a given time, and at hours of the week in a time zone.
package struct VisitHours: Equatable, Sendable {
  /// Hours of one day of the week, in minutes since local midnight.
  package struct Span: Equatable, Sendable {
    /// 1 is Monday.
    package let weekday: Int
    package let from: Int
    package let to: Int

    package init(weekday: Int, from: Int, to: Int) {
      (self.weekday, self.from, self.to) = (weekday, from, to)
    }

    /// Reads `HH:MM` through `24:00`; nil if it is not a time of day.
    static func minutes(_ text: String) -> Int? {
      let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      guard parts.count == 2, text.utf8.count == 5, parts.allSatisfy({ $0.count == 2 }),
        let hour = Int(String(decoding: parts[0], as: UTF8.self)),
        let minute = Int(String(decoding: parts[1], as: UTF8.self)), (0...59).contains(minute),
        (0...24).contains(hour), hour * 60 + minute <= 1_440, hour >= 0
      else { return nil }
      return hour * 60 + minute
    }

    static func text(_ minutes: Int) -> String {
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return "\(two(minutes / 60)):\(two(minutes % 60))"
    }
  }

  package var until: Timestamp?
  package var weekly: [Span]
  /// An IANA name.
  package var timeZone: String

  package init(until: Timestamp? = nil, weekly: [Span] = [], timeZone: String = "UTC") {
    (self.until, self.weekly, self.timeZone) = (until, weekly, timeZone)
  }

  /// A time of availability; `until` is not part of it.
  package typealias Window = (from: Timestamp, until: Timestamp)

  /// The current availability window, otherwise the next one within a week. Nil without either.
  package func window(at now: Timestamp) -> Window? {
    if let until, until > now { return (now, until) }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: timeZone) ?? .gmt
    let today = Date(timeIntervalSince1970: Double(now.secondsSinceEpoch))
    var found: Window?
    // Yesterday's hours may end after midnight UTC, and a change of the clocks moves them.
    for shift in weekly.isEmpty ? 0..<0 : -1..<9 {
      guard let day = calendar.date(byAdding: .day, value: shift, to: today) else { continue }
      let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: day)
      // 1 is Sunday in the calendar of Foundation.
      let weekday = ((parts.weekday ?? 1) + 5) % 7 + 1
      for span in weekly where span.weekday == weekday {
        guard let from = Self.moment(span.from, of: parts, in: calendar),
          let until = Self.moment(span.to, of: parts, in: calendar), until > now, from < until,
          from < found?.from ?? Timestamp(secondsSinceEpoch: .max)
        else { continue }
        found = (from, until)
      }
    }
    return found
  }

  /// An hour that a change of the clocks skips is the next one that exists.
  private static func moment(
    _ minutes: Int, of day: DateComponents, in calendar: Calendar
  ) -> Timestamp? {
    let parts = DateComponents(
      year: day.year, month: day.month, day: day.day, hour: minutes / 60, minute: minutes % 60)
    return calendar.date(from: parts)
      .flatMap { Int64(exactly: $0.timeIntervalSince1970.rounded()) }
      .map { Timestamp(secondsSinceEpoch: $0) }
  }
}
