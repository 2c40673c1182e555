import Foundation

/// The points of the compass: English letters, as used in OpenStreetMap, and words in the languages of the lists that
/// people bring. Letters of other languages are not read: `O` is the east in German and the west in Portuguese.
enum Compass {
  private static let points = [
    "n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw", "nw",
    "nnw",
  ]
  private static let bounds = ["nb": 0.0, "eb": 90, "sb": 180, "wb": 270]

  /// Words in English, German, Dutch, French, Italian, Spanish and Portuguese, without accents.
  private static let north = ["north", "nord", "norden", "noord", "noorden", "norte"]
  private static let south = [
    "south", "sud", "sued", "suden", "sueden", "zuid", "zuiden", "sur", "sul",
  ]
  private static let east = ["east", "ost", "osten", "oost", "oosten", "est", "este", "leste"]
  private static let west = ["west", "westen", "ouest", "ovest", "oeste"]
  /// The beginnings of north and south in the words for the directions between.
  private static let northern = ["north", "nord", "noord", "nor", "norte"]
  private static let southern = ["south", "sud", "sued", "zuid", "sur", "su", "sul"]
  private static let words: [String: Double] = {
    var words: [String: Double] = [:]
    for (degrees, names) in [(0.0, north), (90, east), (180, south), (270, west)] {
      for name in names { words[name] = degrees }
    }
    for (start, firsts) in [(0.0, northern), (180, southern)] {
      for first in firsts {
        for second in east { words[first + second] = start == 0 ? 45 : 135 }
        for second in west { words[first + second] = start == 0 ? 315 : 225 }
      }
    }
    return words
  }()

  /// The direction for the letters of a point, such as `nne`, in lower case.
  static func degrees(ofLetters text: String) -> Double? {
    points.firstIndex(of: text).map { Double($0) * 22.5 }
  }

  /// The direction for `text`, which is in lower case.
  static func degrees(_ text: String) -> (degrees: Double, isTravel: Bool)? {
    let letters = String(text.filter { $0 != "-" && $0 != "_" && $0 != " " })
    if let index = points.firstIndex(of: letters) { return (Double(index) * 22.5, false) }
    let plain = withoutAccents(letters)
    if let degrees = words[plain] { return (degrees, false) }
    if let degrees = bounds[plain] { return (degrees, true) }
    if plain.hasSuffix("bound"), let degrees = words[String(plain.dropLast(5))] {
      return (degrees, true)
    }
    return nil
  }

  /// The direction for a text such as `vers le nord` or `Richtung Süden`, which usually is the way that traffic goes.
  static func degrees(towards text: String) -> (degrees: Double, isTravel: Bool)? {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "'" || $0 == "’" }).map(String.init)
    guard words.count > 1, let first = words.first, towards.contains(first) else { return nil }
    let rest = words.dropFirst().drop { articles.contains($0) }
    return rest.count == 1 ? rest.first.flatMap { degrees($0) }.map { ($0.degrees, true) } : nil
  }

  private static let towards: Set<String> = [
    "towards", "toward", "to", "richtung", "nach", "vers", "direction", "hacia", "para", "sentido",
    "dirección", "direção", "direzione", "verso", "naar", "richting",
  ]
  private static let articles: Set<String> = [
    "the", "le", "la", "l", "el", "o", "a", "il", "het",
  ]

  /// The directions of a text such as `Nord und Süd`, `norte y sur` or `N/S`; nil if they are not several.
  static func joined(_ text: String) -> [String]? {
    for sign in ["/", "&", "+"] where text.contains(sign) {
      let parts = text.split(separator: sign).map { String($0.trimming(\.isWhitespace)) }
      if parts.count > 1, parts.allSatisfy({ degrees($0) != nil }) { return parts }
    }
    // “N e S” may be three letters.
    for word in [" und ", " et ", " y ", " e ", " en ", " and "] where text.contains(word) {
      let parts = text.split(separator: word).map { String($0.trimming(\.isWhitespace)) }
      if parts.count > 1, parts.allSatisfy({ $0.count > 2 && degrees($0) != nil }) { return parts }
    }
    return nil
  }

  private static func withoutAccents(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
          $0.properties.generalCategory != .nonspacingMark
        }))
  }
}
