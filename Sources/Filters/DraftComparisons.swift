import CQL2
import PrivacyMap

// Comparisons of `cql-text` as GDAL's driver OAPIF sends them. The driver does not check the results again, so a
// comparison must have GDAL's meaning here.

extension Filter {
  /// The filter in CQL2: times, days and flags are no longer texts and numbers.
  ///
  /// - Throws: ``InvalidFilter`` for a time of which GDAL has sent only the day.
  func fromDraft(_ fields: [String: FilterField]) throws(InvalidFilter) -> Filter {
    try mapComparisons { comparison, left, right throws(InvalidFilter) in
      guard case .property(let name) = left, let kind = fields[name]?.kind else {
        return .comparison(comparison, left, right)
      }
      switch (kind, right) {
      case (.boolean, .integer(let number)) where number == 0 || number == 1:
        return .comparison(comparison, left, .boolean(number == 1))
      case (.date, .text(let text)):
        guard let time = DraftTime(text) else { break }
        return time.compared(comparison, withDay: left)
      case (.timestamp, .text(let text)):
        guard let time = DraftTime(text) else { break }
        guard let moment = time.moment else {
          throw InvalidFilter(.dayOfTime(String(text.prefix(40))))
        }
        return .comparison(comparison, left, .timestamp(moment))
      default: break
      }
      return .comparison(comparison, left, right)
    }
  }
}

/// A time as GDAL writes it: `2024-05-01T10:00:00Z`, or with fewer parts. Of `2024-05-01` and, because it reads no
/// blank after dashes, of `2024-05-01 10:00:00` it sends `2024-05-01T`.
private struct DraftTime {
  private let day: Day
  /// Nil if only the day was sent.
  let moment: Moment?

  /// Nil for a text in another form.
  init?(_ text: String) {
    let rest = text.dropFirst(10)
    guard let day = Day(text: String(text.prefix(10))), rest.first == "T" else { return nil }
    self.day = day
    if rest == "T" {
      moment = nil
      return
    }
    // `T10Z` and `T10:00Z` lack seconds, which RFC 3339 requires.
    let missing = ["T00Z": ":00:00", "T00:00Z": ":00"].first { $0.key.count == rest.count }?.value
    let whole = missing.map { text.dropLast() + $0 + "Z" } ?? text
    guard rest.last == "Z", let moment = Moment(text: whole) else { return nil }
    self.moment = moment
  }

  /// A comparison with a property that is a day, which in GDAL is its midnight.
  func compared(_ comparison: Comparison, withDay property: Operand) -> Filter {
    let isMidnight = moment.map { $0 == Moment(text: day.text + "T00:00:00Z") } ?? true
    let other: Comparison =
      switch comparison {
      case .less where !isMidnight: .lessOrEqual
      case .greaterOrEqual where !isMidnight: .greater
      default: comparison
      }
    guard !isMidnight, comparison == .equal || comparison == .notEqual else {
      return .comparison(other, property, .date(day))
    }
    // No day is equal to a time after midnight; an unknown day is neither equal nor unequal.
    let never = Filter.comparison(.notEqual, property, property)
    return comparison == .equal ? never : .not(never)
  }
}
