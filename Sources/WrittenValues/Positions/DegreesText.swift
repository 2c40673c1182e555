/// Degrees as people write them: `46.2`, `46° 12' 0" N`, and pairs of them such as `46.2, 6.1` or `N 46 12 E 6 6`.
package struct DegreesText {
  enum Letter { case north, south, east, west, latitude, longitude, o }

  private enum Token: Equatable {
    /// `digits`: before the fraction. Minutes and seconds have at most two.
    case number(Double, isNegative: Bool, hasFraction: Bool, digits: Int)
    /// A sign of degrees, minutes or seconds: 0, 1 or 2.
    case mark(Int)
    case letter(Letter)
    case pause
  }

  /// A coordinate with its letter.
  struct Half {
    var value: Double
    var letter: Letter?
    var hasFraction: Bool
    var hasMarks: Bool

    var isUpright: Bool? {
      switch letter {
      case .north, .south, .latitude: true
      case .east, .west, .longitude, .o: false
      case nil: nil
      }
    }
  }

  /// Characters of the longest text.
  private static let maxLength = 120
  private var tokens: [Token] = []

  /// Reads one coordinate with signs of degrees or letters. `isUpright` states whether it is a latitude; a letter of
  /// the other kind makes it nil.
  package static func coordinate(
    _ text: String, _ notation: WrittenPosition.Notation, isUpright: Bool?
  )
    -> Double?
  {
    guard let text = DegreesText(text, notation, pairs: 1),
      let half = Self.half(text.tokens[...], notation), half.hasMarks || half.letter != nil,
      half.isUpright == nil || isUpright == nil || half.isUpright == isUpright
    else { return nil }
    return half.value
  }

  /// Reads two coordinates.
  static func pair(_ text: String, _ notation: WrittenPosition.Notation) -> WrittenPosition? {
    guard let text = DegreesText(text, notation, pairs: 2), let halves = text.halves,
      let first = half(halves.0, notation), let second = half(halves.1, notation)
    else { return nil }
    let isPlain = first.letter == nil && second.letter == nil
    guard isPlain || first.isUpright != second.isUpright,
      (first.letter == nil) == (second.letter == nil)
    else { return nil }
    // “46,2” is a number with a decimal comma, or two numbers. “652 000,5” is one number with grouped thousands.
    let isClear =
      first.hasMarks || !isPlain || first.hasFraction
      || second.hasFraction && text.tokens.contains(.pause)
    guard isClear else { return nil }
    let isDegrees = !isPlain || first.hasMarks
    return WrittenPosition(
      first: first.value, second: second.value,
      order: isPlain ? nil : first.isUpright == true ? .latitudeFirst : .longitudeFirst,
      numbers: isDegrees && !isPlain ? .degrees : .ofList)
  }

  private init?(_ text: String, _ notation: WrittenPosition.Notation, pairs: Int) {
    var letters = Self.withMarks(text.map { Self.plain[$0] ?? $0 })
      .filter { !Self.left.contains($0) }
    guard letters.count <= Self.maxLength else { return nil }
    while letters.first?.isWhitespace == true { letters.removeFirst() }
    // A point after a word: “Lat. 46.2”.
    let hasPoint = letters.indices.contains {
      letters[$0] == "." && $0 > 0 && letters[$0 - 1].isNumber
    }
    let commas = letters.indices.count { place in
      letters[place] == "," && place > 0 && letters[place - 1].isNumber
        && place + 1 < letters.count && letters[place + 1].isNumber
    }
    let isComma = notation.decimal == .comma || !hasPoint && commas == pairs
    // “08.00-17.00” are hours; “+46.2-006.1” is a position (ISO 6709).
    let isSigned = letters.first.map { "+-".contains($0) } ?? false
    for place in letters.indices.dropFirst() where letters[place] == "-" && !isSigned {
      if letters[place - 1].isNumber { return nil }
    }
    var place = letters.startIndex
    while place < letters.endIndex {
      guard let token = Self.token(letters, &place, decimal: isComma ? "," : ".") else {
        return nil
      }
      if let token = token { tokens.append(token) }
    }
  }

  /// `46:12:30`, and `46-12-30 N` and `46.12.30 N`, with the signs of degrees and minutes.
  private static func withMarks(_ letters: [Character]) -> [Character] {
    var letters = letters
    if letters.contains(":") {
      var isMinute = false
      for place in letters.indices.dropFirst().dropLast() where letters[place] == ":" {
        guard letters[place - 1].isNumber, letters[place + 1].isNumber else {
          isMinute = false
          continue
        }
        letters[place] = isMinute ? "'" : "°"
        isMinute.toggle()
      }
    }
    // Without a letter it may be a day or a version.
    guard letters.contains(where: { "NSEWnsew".contains($0) }) else { return letters }
    for sign: Character in ["-", "."] where letters.count(where: { $0 == sign }) > 1 {
      var place = letters.startIndex
      while let end = groups(in: letters, from: &place, sign) {
        letters[end.first] = "°"
        letters[end.second] = "'"
      }
    }
    return letters
  }

  /// The places of both signs of the next `46-12-30`, with at most three digits and two digits after it.
  private static func groups(
    in letters: [Character], from place: inout Int, _ sign: Character
  ) -> (first: Int, second: Int)? {
    while place < letters.count {
      let start = place
      place += 1
      guard letters[start].isNumber,
        start == 0 || !letters[start - 1].isNumber && letters[start - 1] != sign
      else { continue }
      var signs: [Int] = []
      var widths = [0]
      var at = start
      while at < letters.count, letters[at].isNumber || letters[at] == sign && signs.count < 2 {
        if letters[at] == sign {
          signs.append(at)
          widths.append(0)
        } else {
          widths[widths.count - 1] += 1
        }
        at += 1
      }
      guard signs.count == 2, (1...3).contains(widths[0]),
        widths[1...].allSatisfy({ (1...2).contains($0) })
      else { continue }
      place = at
      return (signs[0], signs[1])
    }
    return nil
  }

  /// Signs that look alike.
  private static let plain: [Character: Character] = [
    "−": "-", "–": "-", "’": "'", "′": "'", "´": "'", "‘": "'", "`": "'", "”": "\"", "″": "\"",
    "“": "\"", "º": "°", "˚": "°", "\u{A0}": " ",
  ]
  private static let left: Set<Character> = ["(", ")", "[", "]", "=", ":"]

  /// The next token: nil for a sign that has no meaning, and `.some(nil)` for a blank.
  private static func token(_ letters: [Character], _ place: inout Int, decimal: Character)
    -> Token??
  {
    let letter = letters[place]
    if letter.isWhitespace {
      place += 1
      return .some(nil)
    }
    if letter.isASCII, letter.isNumber || letter == "-" || letter == "+" {
      return number(letters, &place, decimal: decimal)
    }
    if letter.isLetter { return word(letters, &place) }
    place += 1
    switch letter {
    case "°": return .mark(0)
    case "'":
      guard place < letters.count, letters[place] == "'" else { return .mark(1) }
      place += 1
      return .mark(2)
    case "\"": return .mark(2)
    case ",", ";", "/", "|": return .pause
    default: return nil
    }
  }

  private static func number(_ letters: [Character], _ place: inout Int, decimal: Character)
    -> Token??
  {
    let isNegative = letters[place] == "-"
    if letters[place] == "-" || letters[place] == "+" { place += 1 }
    var text = ""
    var hasFraction = false
    while place < letters.count {
      let letter = letters[place]
      if letter.isASCII, letter.isNumber {
        text.append(letter)
      } else if letter == decimal, !hasFraction, !text.isEmpty, place + 1 < letters.count,
        letters[place + 1].isASCII, letters[place + 1].isNumber
      {
        text.append(".")
        hasFraction = true
      } else {
        break
      }
      place += 1
    }
    guard text.count <= 30, let value = Double(text) else { return nil }
    let digits = text.prefix { $0 != "." }.count
    return .number(value, isNegative: isNegative, hasFraction: hasFraction, digits: digits)
  }

  private static let words: [String: Letter] = [
    "n": .north, "north": .north, "nord": .north, "norte": .north, "noord": .north, "norr": .north,
    "s": .south, "south": .south, "sud": .south, "süd": .south, "sur": .south, "sul": .south,
    "z": .south, "zuid": .south, "syd": .south, "e": .east, "l": .east, "ö": .east, "ø": .east,
    "east": .east, "est": .east, "este": .east, "leste": .east, "ost": .east, "oost": .east,
    "öst": .east, "øst": .east, "w": .west, "v": .west, "west": .west, "ouest": .west,
    "oeste": .west, "ovest": .west, "väst": .west, "vest": .west, "o": .o, "lat": .latitude,
    "latitude": .latitude, "latitud": .latitude, "latitudine": .latitude, "breite": .latitude,
    "lon": .longitude, "lng": .longitude, "long": .longitude, "longitude": .longitude,
    "longitud": .longitude, "longitudine": .longitude, "länge": .longitude,
  ]
  private static let marks: [String: Int] = ["deg": 0, "grad": 0, "d": 0, "min": 1, "sec": 2]

  private static func word(_ letters: [Character], _ place: inout Int) -> Token?? {
    let end = letters[place...].firstIndex { !$0.isLetter } ?? letters.endIndex
    let word = String(letters[place..<end]).lowercased()
    place = end
    if place < letters.count, letters[place] == ".", word.count > 1 { place += 1 }
    if let letter = words[word] { return .letter(letter) }
    return marks[word].map { .mark($0) }
  }

  /// The tokens of the two coordinates.
  private var halves: (ArraySlice<Token>, ArraySlice<Token>)? {
    let letters = tokens.indices.filter { if case .letter = tokens[$0] { true } else { false } }
    if letters.count == 2 || letters.count == 4 {
      // Letters are before both numbers or behind both; words such as “Lat” can be before letters.
      let isBefore = tokens.first.map { if case .letter = $0 { true } else { false } } ?? false
      let at =
        letters.count == 4
        ? (isBefore ? letters[2] : letters[1] + 1) : isBefore ? letters[1] : letters[0] + 1
      return (
        tokens[..<at].filter { $0 != .pause }[...], tokens[at...].filter { $0 != .pause }[...]
      )
    }
    let pauses = tokens.indices.filter { tokens[$0] == .pause }
    guard letters.isEmpty, pauses.count <= 1 else { return nil }
    if let pause = pauses.first { return (tokens[..<pause], tokens[(pause + 1)...]) }
    let numbers = tokens.indices.filter {
      if case .number = tokens[$0] { true } else { false }
    }
    guard [2, 4, 6].contains(numbers.count) else { return nil }
    let middle = numbers[numbers.count / 2]
    return (tokens[..<middle], tokens[middle...])
  }

  /// One to three numbers (degrees, minutes, seconds) with their signs and letters.
  private static func half(_ tokens: ArraySlice<Token>, _ notation: WrittenPosition.Notation)
    -> Half?
  {
    var numbers: [(value: Double, isNegative: Bool, hasFraction: Bool, digits: Int)] = []
    var half = Half(value: 0, letter: nil, hasFraction: false, hasMarks: false)
    for (place, token) in zip(tokens.indices, tokens) {
      switch token {
      case .number(let value, let isNegative, let hasFraction, let digits):
        guard numbers.isEmpty || digits <= 2 else { return nil }
        numbers.append((value, isNegative, hasFraction, digits))
      case .mark(let rank):
        guard rank == numbers.count - 1 else { return nil }
        half.hasMarks = true
      case .letter(let letter):
        // “1e2” is not a position.
        guard numbers.isEmpty || place == tokens.endIndex - 1 else { return nil }
        // “Lat 46.2 N”: the second letter is more specific.
        guard half.letter == nil || half.letter == .latitude || half.letter == .longitude else {
          return nil
        }
        half.letter = letter
      case .pause: return nil
      }
    }
    guard (1...3).contains(numbers.count), let degrees = numbers.first,
      numbers.dropFirst().allSatisfy({ !$0.isNegative && $0.value < 60 }),
      numbers.dropLast().allSatisfy({ !$0.hasFraction })
    else { return nil }
    if half.letter == .o {
      guard let isEast = notation.isOEast else { return nil }
      half.letter = isEast ? .east : .west
    }
    let isTurned = half.letter == .south || half.letter == .west
    // “-46 N” contradicts itself; “Lat -46” does not.
    if degrees.isNegative, let letter = half.letter, letter != .latitude, letter != .longitude {
      return nil
    }
    var size = 0.0
    for (number, share) in zip(numbers, [1.0, 60, 3_600]) { size += number.value / share }
    if numbers.count == 1, !half.hasMarks, let packed = packed(degrees.digits, half, notation) {
      guard let degrees = packed.degrees(size) else { return nil }
      size = degrees
      half.hasFraction = true
    }
    half.value = degrees.isNegative || isTurned ? -size : size
    if numbers.count > 1 || degrees.hasFraction { half.hasFraction = true }
    return half
  }

  /// The form of a single number: that of the list, or that of the width of a number with a letter.
  private static func packed(_ digits: Int, _ half: Half, _ notation: WrittenPosition.Notation)
    -> PackedDegrees?
  {
    if let wanted = notation.packed { return wanted }
    switch half.letter {
    case .north, .south: return PackedDegrees.ofWidth(digits, isUpright: true)
    case .east, .west: return PackedDegrees.ofWidth(digits, isUpright: false)
    default: return nil
    }
  }
}
