/// Finds the kind of a column from its first values.
struct ValueKinds {
  /// The formats that are tried, the more certain first. A time may follow.
  private static let formats: [(text: String, format: DateFormat)] = [
    "yyyy-MM-dd*", "yyyy/MM/dd*", "dd/MM/yyyy*", "d/M/yyyy*", "MM/dd/yyyy*", "M/d/yyyy*",
    "d.M.yyyy*", "d-M-yyyy*", "MMMM d, yyyy*", "d MMMM yyyy*", "yyyy-MM",
  ].compactMap { text in DateFormat(text).map { (text, $0) } }

  private var seen = 0
  private var points = 0
  private var commas = 0
  private var fractions = 0
  private var degrees = 0
  private var dates = [Int](repeating: 0, count: Self.formats.count)

  /// Later values hardly change the kind.
  private static let maximum = 500

  mutating func add(_ text: String) {
    guard seen < Self.maximum else { return }
    seen += 1
    let isNumber = PlainNumber.read(text) != nil
    let isComma = !isNumber && PlainNumber.read(text, decimal: .comma) != nil
    if isNumber { points += 1 }
    if isComma { commas += 1 }
    if isNumber || isComma {
      if text.contains(where: { $0 == "." || $0 == "," }) { fractions += 1 }
      return
    }
    guard text.utf8.count <= 40 else { return }
    if DegreesText.coordinate(text, WrittenPosition.Notation(isOEast: false), isUpright: nil) != nil
    {
      degrees += 1
      return
    }
    for (place, entry) in Self.formats.enumerated() {
      let date = entry.format.read(text, months: DateFormat.englishMonths)
      if date?.exists == true { dates[place] += 1 }
    }
  }

  var kind: InspectedColumn.Kind {
    if seen == 0 { return .empty }
    if isMost(degrees) { return .degrees }
    if isMost(points + commas) { return commas > 0 ? .decimalComma : .number }
    return dateFormats.isEmpty ? .text : .date
  }

  /// The formats that fit as many values as any, if they fit most. Of two formats that differ only in leading
  /// zeros the first is left out.
  var dateFormats: [String] {
    guard let best = dates.max(), best > 0, isMost(best) else { return [] }
    let fitting = Self.formats.indices.filter { dates[$0] == best }.map { Self.formats[$0].text }
    return fitting.filter { text in
      let short = text == "dd/MM/yyyy*" ? "d/M/yyyy*" : text == "MM/dd/yyyy*" ? "M/d/yyyy*" : nil
      return short.map { !fitting.contains($0) } ?? true
    }
  }

  var hasFractions: Bool { fractions + degrees > 0 }
  /// A third is enough: a list may have other numbers or words where a coordinate is unknown.
  var isMostlyNumbers: Bool { seen > 0 && (points + commas + degrees) * 3 >= seen }

  private func isMost(_ count: Int) -> Bool { count * 10 >= seen * 9 }
}
