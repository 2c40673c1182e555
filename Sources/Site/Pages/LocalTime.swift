import Foundation
import MappingDays
import PrivacyMap

/// A moment as people at a place write it.
enum LocalTime {
  /// `2027-05-08 10:00`. An unknown time zone counts as UTC.
  static func text(_ moment: String, in zone: String) -> String {
    guard let moment = Timestamp(text: moment) else { return moment }
    let style = DateFormatter()
    style.locale = Locale(identifier: "en_US_POSIX")
    style.timeZone = TimeZone(identifier: zone) ?? .gmt
    style.dateFormat = "yyyy-MM-dd HH:mm"
    return style.string(from: Date(timeIntervalSince1970: Double(moment.secondsSinceEpoch)))
  }
}

extension DayPreview {
  /// Local times of the day, such as `2027-05-08 10:00`.
  var start: String { LocalTime.text(startsAt, in: timeZone) }
  var end: String { LocalTime.text(endsAt, in: timeZone) }
}
