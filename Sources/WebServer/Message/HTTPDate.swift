/// A time in HTTP format: `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate, RFC 9110 §5.6.7).
package struct HTTPDate: Equatable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  package var seconds: Int

  package init(seconds: Int) { self.seconds = seconds }

  /// Reads an IMF-fixdate. Returns nil for any other text, including the two obsolete formats.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 29, text.hasSuffix(" GMT"), bytes[3] == UInt8(ascii: ","),
      bytes[19] == UInt8(ascii: ":"), bytes[22] == UInt8(ascii: ":"),
      let day = Self.number(bytes[5..<7]), let year = Self.number(bytes[12..<16]),
      let hour = Self.number(bytes[17..<19]), let minute = Self.number(bytes[20..<22]),
      let second = Self.number(bytes[23..<25]),
      let month = Self.months.firstIndex(of: String(decoding: bytes[8..<11], as: UTF8.self)),
      (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    seconds =
      Self.days(year: year, month: month + 1, day: day) * 86_400
      + hour * 3_600 + minute * 60 + second
  }

  package static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.seconds < right.seconds }

  /// The header value.
  package var headerValue: String {
    let (day, time) = seconds.floorDivided(by: 86_400)
    let weekday = Self.weekdays[(day + 4).floorDivided(by: 7).remainder]
    let (year, month, date) = Self.civil(day)
    let clock = [time / 3_600, time / 60 % 60, time % 60].map(Self.twoDigits)
    let years = String(repeating: "0", count: max(0, 4 - String(year).count)) + String(year)
    return "\(weekday), \(Self.twoDigits(date)) \(Self.months[month - 1]) \(years) "
      + clock.joined(separator: ":") + " GMT"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard digit >= 48, digit <= 57 else { return nil }
      value = value * 10 + Int(digit - 48)
    }
    return value
  }

  /// Days since 1970-01-01 of a date in the Gregorian calendar (H. Hinnant, "chrono-Compatible
  /// Low-Level Date Algorithms").
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = year.floorDivided(by: 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The date of a day since 1970-01-01, from the same source.
  private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = (day + 719_468).floorDivided(by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }
}

extension Int {
  fileprivate func floorDivided(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
