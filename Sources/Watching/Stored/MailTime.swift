internal import Foundation
import PrivacyMap

/// Computes the time of a watch's next mail.
struct MailTime {
  let mail: WatchMail
  let hour: Int
  /// 1 is Monday.
  let weekday: Int
  let timeZone: String

  init(mail: WatchMail, hour: Int, weekday: Int, timeZone: String) {
    (self.mail, self.hour, self.weekday, self.timeZone) = (mail, hour, weekday, timeZone)
  }

  init(_ settings: WatchSettings) {
    self.init(
      mail: settings.mail, hour: settings.hour, weekday: settings.weekday,
      timeZone: settings.timeZone)
  }

  /// The seconds in which the changes of a burst are gathered into one mail.
  private static let gathering: Int64 = 1

  /// The time of a mail at once about a change at `now`. `pause` are the seconds between two such mails.
  static func atOnce(after now: Timestamp, last: Timestamp?, pause: Int64) -> Timestamp {
    let earliest = (last?.secondsSinceEpoch ?? .min / 2) + pause
    return Timestamp(secondsSinceEpoch: max(now.secondsSinceEpoch + gathering, earliest))
  }

  /// The time of the next digest; nil if the watch sends none.
  func nextDigest(after now: Timestamp) -> Timestamp? {
    switch mail {
    case .none, .atOnce: nil
    case .daily: digest(after: now, DateComponents(hour: hour, minute: 0, second: 0))
    case .weekly:
      // 1 is Sunday in the calendar of Foundation.
      digest(
        after: now,
        DateComponents(hour: hour, minute: 0, second: 0, weekday: weekday % 7 + 1))
    }
  }

  /// An hour that a change of the clocks skips is the next one that exists.
  private func digest(after now: Timestamp, _ parts: DateComponents) -> Timestamp? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: timeZone) ?? .gmt
    let start = Date(timeIntervalSince1970: Double(now.secondsSinceEpoch))
    let next = calendar.nextDate(after: start, matching: parts, matchingPolicy: .nextTime)
    return next.flatMap { Int64(exactly: $0.timeIntervalSince1970.rounded()) }
      .map { Timestamp(secondsSinceEpoch: $0) }
  }
}
