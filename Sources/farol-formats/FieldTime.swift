internal import CGDAL

/// The date and time in a field of a feature.
struct FieldTime {
  private var (year, month, day) = (Int32(), Int32(), Int32())
  private var (hour, minute, zone) = (Int32(), Int32(), Int32())
  private var second: Float = 0

  init(_ feature: OGRFeatureH, _ number: Int32) {
    OGR_F_GetFieldAsDateTimeEx(
      feature, number, &year, &month, &day, &hour, &minute, &second, &zone)
  }

  /// ISO 8601.
  var dayText: String { "\(Self.digits(year, 4))-\(Self.digits(month))-\(Self.digits(day))" }

  /// ISO 8601. GDAL's flag of the zone is 100 for UTC, and one more for each quarter of an hour to the east.
  var text: String {
    let time =
      "\(dayText)T\(Self.digits(hour)):\(Self.digits(minute)):\(Self.digits(Int32(wholeSecond)))"
    guard zone > 1 else { return time }
    let minutes = (zone - 100) * 15
    if minutes == 0 { return time + "Z" }
    let size = abs(minutes)
    return time + (minutes < 0 ? "-" : "+") + "\(Self.digits(size / 60)):\(Self.digits(size % 60))"
  }

  /// Days since 30 December 1899, the time as a fraction (ECMA-376, part 1, 18.17.4).
  var serial: String {
    let days = Self.daysSince1970(Int(year), Int(month), Int(day)) + 25_569
    let seconds = Int(hour) * 3_600 + Int(minute) * 60 + wholeSecond
    return seconds == 0 ? "\(days)" : "\(Double(days) + Double(seconds) / 86_400)"
  }

  private var wholeSecond: Int { Int(exactly: second.rounded(.down)) ?? 0 }

  /// The Gregorian calendar, in eras of 400 years that begin in March.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func digits(_ number: Int32, _ count: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(count - text.count, 0)) + text
  }
}
