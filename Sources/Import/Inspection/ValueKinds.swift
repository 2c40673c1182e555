import WrittenValues

/// Finds the kind of a column from its first values.
struct ValueKinds {
  /// The formats that are tried, the more certain first. A time may follow.
  private static let formats: [(text: String, format: DateFormat)] = [
    "yyyy-MM-dd*", "yyyy/MM/dd*", "dd/MM/yyyy*", "d/M/yyyy*", "MM/dd/yyyy*", "M/d/yyyy*",
    "d.M.yyyy*", "d-M-yyyy*", "MMMM d, yyyy*", "d MMMM yyyy*", "d. MMMM yyyy*", "d-MMMM-yyyy*",
    "yyyy年M月d日*", "yyyy년 M월 d일*", "yyyy-MM", packed,
    "d/M/yy", "M/d/yy", "d.M.yy", "d-M-yy",
  ].compactMap { text in DateFormat(text).map { (text, $0) } }

  /// Days without separators, which look like numbers.
  private static let packed = "yyyyMMdd"

  private var seen = 0
  private var points = 0
  private var commas = 0
  private var fractions = 0
  private var pointFractions = 0
  private var degrees = 0
  private var hemispheres = 0
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
      if isNumber, text.contains(".") { pointFractions += 1 }
      addDate(text, packed: true)
      return
    }
    if Self.sign(ofHemisphere: text) != nil { hemispheres += 1 }
    guard text.utf8.count <= 40 else { return }
    // “N45” is more often the number of a thing.
    if Self.mayBeDegrees(text),
      DegreesText.coordinate(text, WrittenPosition.Notation(isOEast: false), isUpright: nil) != nil
    {
      degrees += 1
      return
    }
    addDate(text, packed: false)
  }

  private mutating func addDate(_ text: String, packed isPacked: Bool) {
    for (place, entry) in Self.formats.enumerated() where (entry.text == Self.packed) == isPacked {
      let date = entry.format.read(text, months: DateFormat.months)
      guard let date, date.exists, !isPacked || (1_900...2_100).contains(date.year) else {
        continue
      }
      dates[place] += 1
    }
  }

  var kind: InspectedColumn.Kind {
    if seen == 0 { return .empty }
    if hemispheres == seen { return .hemisphere }
    if isMost(degrees) { return .degrees }
    if isMost(points + commas) {
      if dateFormats == [Self.packed], fractions == 0 { return .date }
      return commas > pointFractions ? .decimalComma : .number
    }
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

  /// Whether a text has a sign of degrees, a fraction, or several numbers.
  private static func mayBeDegrees(_ text: String) -> Bool {
    text.contains("°") || text.contains("º")
      || text.split(whereSeparator: { !$0.isNumber }).count > 1
      || text.drop { !$0.isNumber }.prefix(while: \.isNumber).count > 4
  }

  /// 1 for the letters of north and east, -1 for south and west; nil for any other text.
  static func sign(ofHemisphere text: String) -> Double? {
    switch text {
    case "N", "E", "n", "e": 1
    case "S", "W", "s", "w": -1
    default: nil
    }
  }

  var hasFractions: Bool { fractions + degrees > 0 }
  /// A third is enough: a list may have other numbers or words where a coordinate is unknown.
  var isMostlyNumbers: Bool { seen > 0 && (points + commas + degrees) * 3 >= seen }

  private func isMost(_ count: Int) -> Bool { count * 10 >= seen * 9 }
}
