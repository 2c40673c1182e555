/// A time in UTC with a resolution of one second. Farol uses it for all times that it stores or
/// shows.
///
/// As in POSIX, leap seconds do not exist.
package struct Timestamp: Comparable, Hashable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  package var secondsSinceEpoch: Int64

  package init(secondsSinceEpoch: Int64) {
    self.secondsSinceEpoch = secondsSinceEpoch
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.secondsSinceEpoch < right.secondsSinceEpoch
  }

  /// The time `seconds` later, or earlier if they are negative.
  package func later(_ seconds: Int64) -> Timestamp {
    Timestamp(secondsSinceEpoch: secondsSinceEpoch + seconds)
  }

  /// The day that contains this time.
  package var day: Day { Day(daysSinceEpoch: Int32(clamping: floorDivision.quotient)) }

  /// Midnight at the start of `day`.
  package init(startOf day: Day) {
    secondsSinceEpoch = Int64(day.daysSinceEpoch) * 86_400
  }

  /// RFC 3339 in UTC: `2026-11-21T02:31:13Z`.
  package var text: String {
    let second = floorDivision.remainder
    return day.text + "T" + Self.twoDigits(second / 3_600) + ":"
      + Self.twoDigits(second / 60 % 60) + ":" + Self.twoDigits(second % 60) + "Z"
  }

  /// Reads RFC 3339 (`2026-11-21T02:31:13.5+01:00`). Fractions of a second are truncated.
  ///
  /// - Returns: nil when `text` is not a valid time.
  package init?(text: some StringProtocol) {
    let bytes = Array(text.utf8.prefix(41))
    guard bytes.count >= 20, bytes.count <= 40, let day = Day(bytes: bytes[0..<10]),
      bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t")
        || bytes[10] == UInt8(ascii: " "),
      let hour = Digits.number(bytes[11..<13], upTo: 23), bytes[13] == UInt8(ascii: ":"),
      let minute = Digits.number(bytes[14..<16], upTo: 59), bytes[16] == UInt8(ascii: ":"),
      let second = Digits.number(bytes[17..<19], upTo: 60),
      let offset = Self.offset(bytes[19...])
    else { return nil }
    let time = hour * 3_600 + minute * 60 + min(second, 59)
    secondsSinceEpoch = Int64(day.daysSinceEpoch) * 86_400 + Int64(time - offset)
  }

  /// Reads `Z` or `+hh:mm` after an optional fraction. Returns seconds east of UTC.
  private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
    var rest = bytes
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix { Digits.isDigit($0) }
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(1 + fraction.count)
    }
    guard let sign = rest.first else { return nil }
    if rest.count == 1 { return sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") ? 0 : nil }
    let parts = Array(rest)
    guard parts.count == 6, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      parts[3] == UInt8(ascii: ":"), let hours = Digits.number(parts[1..<3], upTo: 23),
      let minutes = Digits.number(parts[4..<6], upTo: 59)
    else { return nil }
    let seconds = hours * 3_600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  private var floorDivision: (quotient: Int64, remainder: Int) {
    let (quotient, remainder) = secondsSinceEpoch.quotientAndRemainder(dividingBy: 86_400)
    return remainder < 0 ? (quotient - 1, Int(remainder) + 86_400) : (quotient, Int(remainder))
  }

  fileprivate static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

/// A day of the Gregorian calendar.
package struct Day: Comparable, Hashable, Sendable {
  /// Days since 1970-01-01.
  package var daysSinceEpoch: Int32

  package init(daysSinceEpoch: Int32) {
    self.daysSinceEpoch = daysSinceEpoch
  }

  package static func < (left: Day, right: Day) -> Bool {
    left.daysSinceEpoch < right.daysSinceEpoch
  }

  /// A day from a year (0 through 9999), a month (1 through 12) and a day (1 through the last of
  /// the month). Nil if the day does not exist.
  package init?(year: Int, month: Int, day: Int) {
    guard (0...9_999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.length(ofMonth: month, year: year)
    else { return nil }
    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    daysSinceEpoch = Int32(era * 146_097 + dayOfEra - 719_468)
  }

  /// Reads `2026-11-21`.
  package init?(text: some StringProtocol) {
    let bytes = Array(text.utf8.prefix(11))
    guard bytes.count == 10 else { return nil }
    self.init(bytes: bytes[...])
  }

  fileprivate init?(bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = Digits.number(bytes[0..<4], upTo: 9_999),
      let month = Digits.number(bytes[5..<7], upTo: 12),
      let day = Digits.number(bytes[8..<10], upTo: 31)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Year, month (1–12) and day (1–31).
  package var parts: (year: Int, month: Int, day: Int) {
    // Hinnant, civil_from_days.
    let shifted = Int(daysSinceEpoch) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// ISO 8601: `2026-11-21`.
  package var text: String {
    let (year, month, day) = parts
    if (0...9_999).contains(year) {
      return String(unsafeUninitializedCapacity: 10) { bytes in
        func put(_ number: Int, _ places: Range<Int>) {
          var rest = number
          for place in places.reversed() {
            bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
          }
        }
        put(year, 0..<4)
        put(month, 5..<7)
        put(day, 8..<10)
        (bytes[4], bytes[7]) = (UInt8(ascii: "-"), UInt8(ascii: "-"))
        return 10
      }
    }
    let digits = String(year)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "-"
      + Timestamp.twoDigits(month) + "-" + Timestamp.twoDigits(day)
  }

  /// The same day of the month `months` later. If that month is too short, the result is its last
  /// day (31 January plus one month is 28 or 29 February).
  package func adding(months: Int) -> Day {
    let (year, month, day) = parts
    let count = year * 12 + month - 1 + months
    let newYear = min(max(count / 12, 0), 9_999)
    let newMonth = count < 0 ? 1 : count % 12 + 1
    let lastDay = Self.length(ofMonth: newMonth, year: newYear)
    return Day(year: newYear, month: newMonth, day: min(day, lastDay)) ?? self
  }

  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// Decimal digits in untrusted text.
enum Digits {
  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The number in `bytes`. Nil if a byte is not a digit, or the number is above `limit`.
  static func number(_ bytes: ArraySlice<UInt8>, upTo limit: Int) -> Int? {
    guard !bytes.isEmpty, bytes.count <= 9 else { return nil }
    var number = 0
    for byte in bytes {
      guard isDigit(byte) else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return number <= limit ? number : nil
  }
}
