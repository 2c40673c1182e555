/// The directions of a device, parsed from a text in the notation of mappers.
package struct BearingText: Equatable, Sendable {
  /// The meaning of a single `360`.
  package enum FullTurn: String, Sendable { case unclear, north, allRound = "all_round" }

  /// A finding to report.
  package struct Finding: Equatable, Sendable {
    package var code: String
    package var detail: String
  }

  /// Degrees clockwise from north, 0 up to 360, in the order written, without duplicates.
  package private(set) var bearings: [Double] = []
  /// Degrees, if all ranges have the same width.
  package private(set) var fieldOfView: Double?
  package private(set) var findings: [Finding] = []

  private let fullTurn: FullTurn
  private var widths: Set<Double> = []
  /// Whether a direction states no width.
  private var hasPlainDirection = false
  private var isAllRound = false

  /// More directions than this in one text are a mistake and not a device.
  private static let limit = 16

  package init(_ texts: [String], fullTurn: FullTurn = .unclear) {
    self.fullTurn = fullTurn
    for text in texts { read(text) }
    if isAllRound {
      bearings = []
      fieldOfView = 360
    } else if widths.count > 1 || !widths.isEmpty && hasPlainDirection {
      note("several_fields_of_view", "Its views have different widths; none was taken.")
    } else {
      fieldOfView = widths.first
    }
    if bearings.count > Self.limit {
      note(
        "too_many_directions", "\(bearings.count) directions; the first \(Self.limit) were taken.")
      bearings.removeLast(bearings.count - Self.limit)
    }
  }

  private mutating func note(_ code: String, _ detail: String) {
    findings.append(Finding(code: code, detail: detail))
  }

  private mutating func read(_ text: String) {
    guard let parts = parts(of: text) else { return }
    for part in parts {
      if let view = Self.range(part) {
        add(view)
      } else if let degrees = PlainNumber.read(part) {
        add(degrees: degrees, isAlone: parts.count == 1, text: part)
      } else if let point = Compass.degrees(part) ?? Compass.degrees(towards: part) {
        append(point.degrees)
        hasPlainDirection = true
        if point.isTravel {
          note(
            "direction_of_travel",
            "“\(part)” is the way the traffic goes; it was taken as the direction of view.")
        }
      } else {
        note("not_a_direction", "“\(CleanText.excerpt(part))” is not a direction.")
      }
    }
  }

  /// The items of a list. Nil, with a note, if the text is ambiguous.
  private mutating func parts(of text: String) -> [String]? {
    let plain = String(text.lowercased().filter { $0 != "°" && $0 != "º" })
      .replacingWord("degrees", with: "").replacingWord("deg", with: "")
    let items = plain.split(separator: ";").map(Self.trimmed).filter { !$0.isEmpty }
    var parts: [String] = []
    for item in items {
      if let both = Compass.joined(item) {
        parts += both
        continue
      }
      let pieces = item.split(separator: ",", omittingEmptySubsequences: false)
      guard pieces.count == 2, !item.contains(", "), pieces[1].allSatisfy(\.isNumber),
        pieces[0].contains(where: \.isNumber), pieces[1].count < 3, !pieces[1].isEmpty
      else {
        parts += pieces.map { Self.trimmed($0) }.filter { !$0.isEmpty }
        continue
      }
      guard pieces[1].count == 1 else {
        note(
          "unclear_comma", "“\(item)” may be one number or two; it was not taken.")
        return nil
      }
      note("decimal_comma", "“\(item)” was read with a decimal comma.")
      parts.append(pieces.joined(separator: "."))
    }
    return parts
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    CleanText(String(text), limit: 80, lines: false).text
  }

  /// Two numbers, or two points of the compass in letters, separated by a dash.
  private static func range(_ text: String) -> (from: Double, to: Double)? {
    let dashes: Set<Character> = ["-", "–", "—"]
    guard let dash = text.dropFirst().firstIndex(where: dashes.contains) else { return nil }
    let from = trimmed(text[..<dash])
    let to = trimmed(text[text.index(after: dash)...])
    guard let from = PlainNumber.read(from) ?? Compass.degrees(ofLetters: from),
      let to = PlainNumber.read(to) ?? Compass.degrees(ofLetters: to)
    else { return nil }
    return (from, to)
  }

  /// A view from one direction clockwise to another.
  private mutating func add(_ view: (from: Double, to: Double)) {
    let text = "\(Self.short(view.from))-\(Self.short(view.to))"
    guard (-360...360).contains(view.from), (-360...360).contains(view.to) else {
      return note("not_a_direction", "“\(text)” is not a range of directions.")
    }
    if abs(view.to - view.from) == 360 {
      isAllRound = true
      return
    }
    let from = Self.normal(view.from)
    let width = Self.normal(view.to - view.from)
    append(Self.normal(from + width / 2))
    if width == 0 {
      hasPlainDirection = true
      return
    }
    widths.insert(width)
    if width > 180 {
      note(
        "wide_view", "“\(text)” is a view of \(Self.short(width)) degrees; perhaps it is swapped.")
    }
  }

  private mutating func add(degrees: Double, isAlone: Bool, text: String) {
    guard (-360...360).contains(degrees) else {
      return note("not_a_direction", "“\(CleanText.excerpt(text))” is beyond a full turn.")
    }
    guard degrees == 360, isAlone, fullTurn != .north else {
      hasPlainDirection = true
      return append(Self.normal(degrees))
    }
    if fullTurn == .allRound {
      isAllRound = true
    } else {
      note("unclear_full_turn", "“360” may be north or all round; it was not taken.")
    }
  }

  private mutating func append(_ degrees: Double) {
    if !bearings.contains(degrees) { bearings.append(degrees) }
  }

  private static func normal(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let positive = rest < 0 ? rest + 360 : rest
    return positive == 360 || positive == 0 ? 0 : positive
  }

  private static func short(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? "\(number)"
  }
}

extension String {
  /// The text with every occurrence of `word` replaced.
  fileprivate func replacingWord(_ word: String, with other: String) -> String {
    guard contains(word) else { return self }
    return split(separator: word, omittingEmptySubsequences: false).joined(separator: other)
  }
}
