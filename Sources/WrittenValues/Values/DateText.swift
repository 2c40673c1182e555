package import PrivacyMap

/// A year, a month or a day, parsed with a format from a mapping.
package struct PartialDate: Equatable, Sendable {
  package var year: Int
  var month: Int?
  package var day: Int?

  /// ISO 8601 with the known parts: `2023`, `2023-07`, `2023-07-14`.
  package var text: String {
    let padded = { (number: Int, width: Int) in
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return [padded(year, 4), month.map { padded($0, 2) }, day.map { padded($0, 2) }]
      .compactMap { $0 }.joined(separator: "-")
  }

  /// The earliest day of the date, for comparisons.
  package var firstDay: Day? { Day(year: year, month: month ?? 1, day: day ?? 1) }

  /// Whether the day, month or year exists.
  package var exists: Bool { firstDay != nil }
}

/// One date pattern, such as `M/d/yyyy`.
package struct DateFormat: Equatable, Sendable {
  private enum Token: Equatable {
    case year, shortYear, month(Int), monthName, day(Int), literal(Character)
    /// Digits to skip: hours, minutes, seconds.
    case ignored
    /// Any text up to the end.
    case rest
    /// A number of these parts of a second since 1970.
    case since1970(Int)
  }

  private let tokens: [Token]

  /// The default formats: ISO 8601, with or without a time, and a day with slashes whose year comes first, as GDAL
  /// writes the days of a column that has other values too.
  package static let iso: [DateFormat] = ["yyyy-MM-dd*", "yyyy/MM/dd*", "yyyy-MM", "yyyy"]
    .compactMap(DateFormat.init)

  /// Parses `unix` and `unix_ms` (seconds and milliseconds since 1970, in UTC), or a pattern of `yyyy`, `MM` or `M`,
  /// `MMMM`, `dd` or `d`, `HH`, `mm`, `ss`, `*` for any ending, and literal text between them, such as `年`. Nil if the
  /// pattern has no year or an unknown letter.
  package init?(_ pattern: String) {
    if pattern == "unix" || pattern == "unix_ms" {
      tokens = [.since1970(pattern == "unix" ? 1 : 1_000)]
      return
    }
    var tokens: [Token] = []
    var rest = pattern[...]
    while let letter = rest.first {
      let run = rest.prefix { $0 == letter }
      rest = rest.dropFirst(letter.isLetter && letter != "T" && letter != "Z" ? run.count : 1)
      switch (letter, run.count) {
      case ("y", 4): tokens.append(.year)
      case ("y", 2): tokens.append(.shortYear)
      case ("M", 1...2): tokens.append(.month(run.count))
      case ("M", 3...4): tokens.append(.monthName)
      case ("d", 1...2): tokens.append(.day(run.count))
      case ("H", 1...2), ("h", 1...2), ("m", 1...2), ("s", 1...2): tokens.append(.ignored)
      case ("*", _): tokens.append(.rest)
      case (let letter, _)
      where !letter.isLetter || !letter.isASCII || letter == "T" || letter == "Z":
        tokens.append(.literal(letter))
      default: return nil
      }
    }
    guard tokens.contains(.year) || tokens.contains(.shortYear) else { return nil }
    self.tokens = tokens
  }

  /// The date in `text`, using the twelve names of `months` in lower case. Nil if the text does not
  /// match. The date may still be invalid.
  package func read(_ text: String, months: [String]) -> PartialDate? {
    if let digits = DigitsOfScripts.inASCII(text) { return read(digits, months: months) }
    var rest = text[...]
    var date = PartialDate(year: -1)
    for token in tokens {
      switch token {
      case .year:
        guard let year = Self.digits(&rest, 4...4) else { return nil }
        date.year = year
      case .shortYear:
        guard let year = Self.digits(&rest, 2...2) else { return nil }
        date.year = year + (year < 70 ? 2_000 : 1_900)
      case .month(let width):
        guard let month = Self.digits(&rest, width...2) else { return nil }
        date.month = month
      case .day(let width):
        guard let day = Self.digits(&rest, width...2) else { return nil }
        date.day = day
        // “1er février”, “2nd March”.
        if rest.first?.isLetter == true, rest.first != "T" {
          for ordinal in Self.ordinals where rest.hasPrefix(ordinal) {
            rest = rest.dropFirst(ordinal.count)
          }
        }
      case .monthName:
        guard let month = Self.month(&rest, months) else { return nil }
        date.month = month
      case .since1970(let parts):
        let count = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "-") }
        guard let number = Int(count), let day = Self.day(number, parts) else { return nil }
        date = day
        rest = rest.dropFirst(count.count)
      case .ignored:
        guard Self.digits(&rest, 1...2) != nil else { return nil }
      case .literal(let letter):
        guard rest.first == letter else { return nil }
        rest = rest.dropFirst()
      case .rest:
        // Only a time may follow a day, not a further digit.
        guard rest.first?.isNumber != true else { return nil }
        rest = rest.suffix(0)
      }
    }
    return rest.isEmpty ? date : nil
  }

  private static func day(_ count: Int, _ parts: Int) -> PartialDate? {
    let days = (Double(count) / Double(parts * 86_400)).rounded(.down)
    guard let number = Int32(exactly: days), abs(number) < 100_000 else { return nil }
    let numbers = Day(daysSinceEpoch: number).text.split(separator: "-").compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    return PartialDate(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  private static func digits(_ rest: inout Substring, _ count: ClosedRange<Int>) -> Int? {
    let run = rest.utf8.prefix(count.upperBound).prefix { (0x30...0x39).contains($0) }
    guard run.count >= count.lowerBound else { return nil }
    rest = rest[run.endIndex...]
    return run.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func month(_ rest: inout Substring, _ months: [String]) -> Int? {
    // “1 de março de 2021”, “1er février 2021”.
    for filler in fillers where rest.hasPrefix(filler) { rest = rest.dropFirst(filler.count) }
    let word = rest.prefix { $0.isLetter }
    let lower = word.lowercased()
    guard lower.count >= 3,
      let index = months.firstIndex(where: { $0 == lower || $0.prefix(3) == lower })
        ?? (months == Self.months ? otherMonths[lower] : nil)
    else { return nil }
    rest = rest.dropFirst(word.count)
    if rest.first == "." { rest = rest.dropFirst() }
    if rest.hasPrefix(" de ") || rest.hasPrefix(" del ") {
      rest = rest.dropFirst().drop { $0 != " " }
    }
    return index + 1
  }

  private static let ordinals = ["er", "º", "ª", "st", "nd", "rd", "th"]
  private static let fillers = ["de "]

  /// The names of the months: the English ones. Without names in the mapping, ``otherMonths`` are known, too.
  package static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// The names in German, French, Spanish, Portuguese, Italian and Dutch, and usual abbreviations.
  private static let otherMonths: [String: Int] = {
    let names = [
      "januar jänner janvier enero janeiro gennaio januari janv ene gen",
      "februar février fevrier febrero fevereiro febbraio februari févr fevr fév fev",
      "märz maerz mars marzo março marco maart mär mrt",
      "april avril abril aprile avr abr", "mai mayo maio maggio mei mag",
      "juni juin junio junho giugno giu", "juli juillet julio julho luglio juil lug",
      "august août aout agosto augustus ago",
      "september septembre septiembre setiembre setembro settembre sept set",
      "oktober octobre octubre outubro ottobre okt out ott", "november novembre noviembre novembro",
      "dezember décembre decembre diciembre dezembro dicembre december dez déc dic",
    ]
    var months: [String: Int] = [:]
    for (number, list) in names.enumerated() {
      for name in list.split(separator: " ") { months[String(name)] = number }
    }
    return months
  }()
}
