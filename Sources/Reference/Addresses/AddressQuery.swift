import Foundation

/// A search text, read as an address.
struct AddressQuery {
  /// A way to read the text: the words of the street and its town, and a house number.
  struct Reading: Equatable {
    var words: [String]
    var number: HouseNumber?
  }

  /// The most likely reading first; at most ``maxReadings``.
  let readings: [Reading]
  /// Texts that may be a postcode, each with the other words.
  let postcodes: [(code: String, others: [String])]

  private static let maxReadings = 4
  private static let maxWords = 12
  /// Words before a house number that only mark it as one.
  private static let numberSigns: Set<String> = ["nº", "n°", "nr", "no", "num", "numero", "#"]

  init(_ typed: String) {
    var parts = typed.prefix(200).split { $0.isWhitespace || $0 == "," || $0 == ";" }
      .map { String($0).lowercased() }
    parts = parts.enumerated().filter { at, part in
      let isSign = Self.numberSigns.contains(part.trimmingCharacters(in: Self.fullStop))
      return !(isSign && parts.dropFirst(at + 1).first?.first?.isNumber == true)
    }.map(\.element)
    parts = Array(parts.prefix(Self.maxWords))
    readings = Self.readings(parts)
    postcodes = Self.postcodes(parts)
  }

  private static let fullStop = CharacterSet(charactersIn: ".")

  private static func readings(_ parts: [String]) -> [Reading] {
    func words(without places: Set<Int>) -> [String] {
      parts.indices.filter { !places.contains($0) }.flatMap { PlainWords.of(parts[$0]) }
    }
    var found = [Reading(words: words(without: []), number: nil)]
    for (at, part) in parts.enumerated() {
      // «12 a» is the number 12a.
      if let letter = parts.dropFirst(at + 1).first, letter.count == 1,
        let number = HouseNumber(part + letter)
      {
        found.append(Reading(words: words(without: [at, at + 1]), number: number))
      }
      if let number = HouseNumber(part) {
        found.append(Reading(words: words(without: [at]), number: number))
      }
    }
    return Array(found.filter { !$0.words.isEmpty }.prefix(maxReadings))
  }

  /// Postcodes are one word («9490», «1000-123») or two («SW1A 1AA», «1012 AB»).
  private static func postcodes(_ parts: [String]) -> [(code: String, others: [String])] {
    var found: [(code: String, others: [String])] = []
    for length in [2, 1] where parts.count >= length {
      for start in 0...(parts.count - length) {
        let code = parts[start..<(start + length)].joined().uppercased()
          .filter { $0.isLetter || $0.isNumber }
        guard (3...10).contains(code.count), code.contains(where: \.isNumber) else { continue }
        let others = parts[..<start] + parts[(start + length)...]
        found.append((code, others.flatMap(PlainWords.of)))
      }
    }
    return Array(found.prefix(2 * maxReadings))
  }
}

extension AddressQuery.Reading {
  /// The words in the syntax of FTS5: each must occur, and one of them in the name of the street. Most may be the
  /// beginning of a word. `abbreviations` has the full words of each abbreviation.
  func match(_ abbreviations: [String: [String]]) -> String {
    let terms = words.enumerated().map { at, word in
      Self.alternatives(word, isLast: at == words.count - 1, abbreviations[word] ?? [])
        .joined(separator: " OR ")
    }
    let named = "name : (\(terms.joined(separator: " OR ")))"
    // A single word is in the name, so it need not be looked up twice.
    return terms.count == 1 ? named : (terms.map { "(\($0))" } + [named]).joined(separator: " AND ")
  }

  private static func alternatives(_ word: String, isLast: Bool, _ full: [String]) -> [String] {
    // Shorter words in the middle, such as «de», are complete.
    let isNumber = word.first?.isNumber == true
    let mayGrow = isLast || (full.isEmpty && !isNumber && word.count > 2)
    // A word of letters and digits only needs no escape, but the quotes keep AND and OR from being operators.
    return ["\"\(word)\"" + (mayGrow ? " *" : "")] + full.map { "\"\($0)\"" }
  }
}

/// A house number such as `12`, `12a`, `12-14` or `12/3`.
struct HouseNumber: Equatable {
  /// As `setup/addresses.py` stores it: lower case, without spaces.
  let text: String
  /// Its leading digits.
  let digits: String

  /// - Returns: nil if it is not a number, or one that belongs to the name of a street, such as `33rd`.
  init?(_ typed: String) {
    let text = typed.lowercased()
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard (1...5).contains(digits.count), text.count <= 12 else { return nil }
    let rest = text.dropFirst(digits.count)
    let letters = rest.prefix { $0.isLetter }
    guard letters.count <= 1 || letters == "bis" || letters == "ter" else { return nil }
    let signs = rest.dropFirst(letters.count)
    guard signs.allSatisfy({ $0.isLetter || $0.isNumber || "-/.".contains($0) }),
      signs.isEmpty || "-/.".contains(signs.first ?? " ")
    else { return nil }
    self.text = text
    self.digits = String(digits)
  }
}
