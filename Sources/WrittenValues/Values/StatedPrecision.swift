package import JSON
package import PrivacyMap

/// The precision that the columns of a row state about its position, regardless of the mapping.
///
/// Farol shows a point as exact only if no column states that it is coarse: `accuracy`, `coordinateUncertaintyInMeters`
/// (Darwin Core), `geoprivacy` (iNaturalist), and `precision`, as in Farol's exports.
package enum StatedPrecision {
  private enum Meaning {
    /// Metres, or a word.
    case uncertainty
    /// A word, or a number with a unit. A bare number may be a count of decimals.
    case precision
    /// Degrees (Darwin Core, `coordinatePrecision`).
    case degrees
    /// Whether the point was moved on purpose.
    case isObscured
    /// Whether the point is where the device is.
    case isExact
  }

  private static let meanings: [String: Meaning] = {
    let names: [(Meaning, [String])] = [
      (.precision, ["precision", "public precision", "location precision", "position precision"]),
      (.degrees, ["coordinate precision"]),
      (
        .uncertainty,
        [
          "accuracy", "accuracy m", "accuracy meters", "accuracy metres", "gps accuracy",
          "horizontal accuracy", "location accuracy", "position accuracy", "positional accuracy",
          "public positional accuracy", "coordinate accuracy", "coordinate uncertainty",
          "coordinate uncertainty in meters", "coordinate uncertainty in metres",
          "location uncertainty", "position uncertainty", "uncertainty m", "uncertainty meters",
          "geocode accuracy", "geocoding accuracy",
        ]
      ),
      (.isExact, ["exact location", "exact position", "exact coordinates"]),
      (
        .isObscured,
        [
          "geoprivacy", "taxon geoprivacy", "obscured", "coordinates obscured", "location obscured",
          "position obscured", "obfuscated", "location obfuscated", "coordinates obfuscated",
        ]
      ),
    ]
    var meanings: [String: Meaning] = [:]
    for (meaning, list) in names {
      for name in list {
        for spelling in spellings(of: name.split(separator: " ").map(String.init)) {
          meanings[spelling] = meaning
        }
      }
    }
    return meanings
  }()

  /// Bytes of the shortest name, which most names of columns do not reach.
  private static let shortest = meanings.keys.map(\.utf8.count).min() ?? 0

  /// `coordinateUncertaintyInMeters`, `coordinate_uncertainty_in_meters`, and the like.
  static func spellings(of words: [String]) -> [String] {
    let capital = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let camel = (words.prefix(1) + capital.dropFirst()).joined()
    let sentence = capital.prefix(1) + words.dropFirst()
    let joined = ["", "_", " ", "-", ":"].flatMap { sign in
      [words, capital, Array(sentence)].map { $0.joined(separator: sign) }
    }
    let all = joined + [camel, "dwc:" + camel]
    return all + all.map { $0.uppercased() }
  }

  /// The coarsest precision that a column states; nil if no column states that the point is coarse.
  package static func of(_ columns: JSONObject) -> Precision? {
    var found: Precision?
    for (name, value) in columns.members {
      // Lists in JSON often have the position as an object.
      for (name, value) in value.objectValue?.members ?? [(key: name, value: value)] {
        guard name.utf8.count >= shortest, let meaning = meanings[name],
          let text = value.scalarText,
          let precision = precision(text, meaning)
        else { continue }
        found = found?.coarser(precision) ?? precision
      }
    }
    return found
  }

  private static func precision(_ text: String, _ meaning: Meaning) -> Precision? {
    let word = CleanText(text, limit: 60, lines: false).text.lowercased()
    if let named = Precision(rawValue: word) { return named == .exact ? nil : named }
    if meaning == .isObscured {
      return ["obscured", "private", "true", "yes", "1", "obfuscated"].contains(word) ? .area : nil
    }
    if meaning == .isExact { return ["0", "false", "no"].contains(word) ? .kilometre : nil }
    if let known = words[word] { return known }
    let number = word.drop { "±~<≤+ ".contains($0) }
    guard let value = PlainNumber.metres(String(number), unit: "m", decimal: .point) else {
      return nil
    }
    switch meaning {
    case .degrees: return value <= 1 ? precision(metres: value * 111_195) : nil
    case .precision where number.last?.isLetter != true: return nil
    default: return precision(metres: value)
    }
  }

  /// Words of geocoders and of people.
  private static let words: [String: Precision] = [
    "range_interpolated": .hundredMetres, "interpolated": .hundredMetres, "street": .kilometre,
    "approximate": .kilometre, "approx": .kilometre, "approx.": .kilometre, "estimated": .kilometre,
    "rough": .kilometre, "approximatif": .kilometre, "aproximado": .kilometre,
    "aproximada": .kilometre, "ungefähr": .kilometre, "ca.": .kilometre,
    "geometric_center": .kilometre, "centroid": .kilometre,
    "postcode": .kilometre, "low": .kilometre, "coarse": .kilometre, "city": .area, "town": .area,
    "municipality": .area, "region": .area, "obscured": .area, "private": .area,
  ]

  /// A receiver without correction is within some tens of metres; Farol's cells begin at 100 metres.
  static func precision(metres: Double) -> Precision? {
    switch metres {
    case ...50: nil
    case ...100: .hundredMetres
    case ...1_000: .kilometre
    default: .area
    }
  }
}
